// Package decode has no code: its rooms read trees and write vectors. A room imports only the
// rooms that .tools/layers names before it.
//
//	format       one folder a treebank format
//	read         inputs with names, labels, documents; K-best lists with gold trees
//	linearize    trees into vectors; vector has one file a vector format
//	predict      scores of trees by a model; lists has rerankers
//	models       model files of other programs
//	print, draw, concordance   trees as text, as pictures, and the text around a hit
//
// README.md beside this file lists the formats, and what is not read of them.
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
