// Package glob matches patterns against fragments, which are seen as labelled trees. A space makes a [Tree]
// of a fragment and a [Pattern] of a text (index.Patterned), and a [Matcher] compares the two. So the package
// does not depend on the spaces. It imports nothing of the project.
package glob
