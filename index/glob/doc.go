// Package glob fits patterns to fragments seen as labelled trees. It knows no
// space: a space lays its fragments out as a [Tree] and reads its text into a
// [Pattern] (index.Patterned), and a [Matcher] compares the two. It imports nothing
// of the project.
package glob
