// Package glob matches patterns against fragments, which are seen as labelled trees. It does not depend on
// the spaces, because a space makes a [Tree] of a fragment and a [Pattern] of a text (index.Patterned), and
// a [Matcher] compares the two. It imports nothing of the project.
package glob
