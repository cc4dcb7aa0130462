// Package index says what a tree fragment is.
//
// It holds the flat tree that every reader fills ([Tree], [Builder]), the interned strings that trees and
// fragments refer to ([Symbols]), the canonical code of a fragment ([Code]), the interface of a fragment
// space ([Space]: which fragments exist, and how they grow, match, print and enter a kernel), the stream of
// samples ([Source]) and the error of bad input ([InputError]).
//
// Each space is one folder below this one. Package index/spaces is the registry of spaces. Package
// index/expansion is the automaton over stored codes that a linearizer walks. Package index/restricted is a
// space's kernel over some of its fragments.
//
// Of the project, index imports only index/glob. Start reading at Tree, then Code, then Space.
package index
