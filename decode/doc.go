// Package decode has no code. Its subpackages read trees and write vectors. A subpackage imports only those
// that .tools/layers lists before it.
//
//	format       one folder for each treebank format
//	read         inputs with names, labels, documents; K-best lists with gold trees
//	linearize    trees as vectors; package vector has the vector formats
//	predict      scores of trees by a model; package lists has rerankers
//	models       model files of other programs
//	print, draw, concordance   trees as text, as pictures, and hits with their text
//
// README.md in this folder lists the formats, and the parts of each that are not read.
//
// To read trees:
//
//	in, err := read.Open([]string{"a.mrg.gz", "-"}, read.InputOptions{Symbols: index.NewSymbols()})
//	defer in.Close()
//	var t index.Tree
//	for {
//		err := in.Next(&t)
//		if err == io.EOF { break }
//		…
//	}
package decode
