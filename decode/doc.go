// Package decode reads trees and writes vectors. It may import index, store and
// mine.
//
// The reading side: [OpenInputs] turns files and standard input into one
// index.Source, with names, labels and documents (DESIGN.md §3), K-best lists beside
// their gold trees, dependencies as constituency trees where that is asked for (package
// convert). Each treebank format is one folder below this one ([Formats] is the registry;
// package format says what a format is). [Append] writes a tree in a format, a [Printer]
// whole inputs; [Surface] gives a tree's text, package draw its picture.
//
//	in, err := decode.OpenInputs([]string{"a.mrg.gz", "-"}, decode.InputOptions{Symbols: index.NewSymbols()})
//	defer in.Close()
//	var t index.Tree
//	for {
//		err := in.Next(&t)
//		if err == io.EOF { break }
//		…
//	}
//
// Start reading at inputs.go, then format/format.go.
package decode
