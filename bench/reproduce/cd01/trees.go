package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"fstore/bench/pcfg"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/treescore"
)

const mostWords = 20

// treebank returns the trees with at most mostWords words, without traces, functions, and outer nodes such as
// ROOT.
func treebank(ctx context.Context, data string) (trees []*pcfg.Tree, err error) {
	dir := filepath.Join(data, "trees")
	if _, err := os.Stat(dir); err != nil {
		dir = data
	}
	files, err := filepath.Glob(filepath.Join(dir, "gum-*.mrg.gz"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, errors.New("no gum-*.mrg.gz in "+dir))
	}
	syms := index.NewSymbols()
	in, err := read.Open(files, read.InputOptions{Symbols: syms, StripTraces: true, StripFunctions: true, Context: ctx})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	var t index.Tree
	for {
		err := in.Next(&t)
		if err == io.EOF {
			return trees, nil
		}
		if err != nil {
			return nil, err
		}
		if top := treescore.Tops(&t, syms); t.Words() <= mostWords && int(t.Nodes[top].Size) == len(t.Nodes)-top {
			if x := nested(&t, syms, top); plain(x) {
				trees = append(trees, x)
			}
		}
	}
}

// nested converts the subtree of node i to a pcfg.Tree.
func nested(t *index.Tree, s *index.Symbols, i int) *pcfg.Tree {
	n := &t.Nodes[i]
	x := &pcfg.Tree{Label: string(s.Bytes(index.Labels, n.Sym))}
	for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
		if t.IsWord(k) {
			x.Word = string(s.Bytes(index.Words, t.Nodes[k].Sym))
			continue
		}
		x.Kids = append(x.Kids, nested(t, s, k))
	}
	return x
}

// plain reports whether exactly the nodes without children have words.
func plain(t *pcfg.Tree) bool {
	if len(t.Kids) == 0 {
		return t.Word != ""
	}
	ok := t.Word == ""
	for _, k := range t.Kids {
		ok = ok && plain(k)
	}
	return ok
}

func words(t *pcfg.Tree) []string { return leaves(t, func(t *pcfg.Tree) string { return t.Word }) }

func tags(t *pcfg.Tree) []string { return leaves(t, func(t *pcfg.Tree) string { return t.Label }) }

// leaves returns f(tag) for all tags of a tree, from left to right.
func leaves(t *pcfg.Tree, f func(*pcfg.Tree) string) (all []string) {
	if len(t.Kids) == 0 {
		return []string{f(t)}
	}
	for _, k := range t.Kids {
		all = append(all, leaves(k, f)...)
	}
	return all
}

func indexed(b *index.Builder, t *pcfg.Tree) *index.Tree { return indexedInto(&index.Tree{}, b, t) }

// indexedInto converts a tree to an index.Tree in the memory of x.
func indexedInto(x *index.Tree, b *index.Builder, t *pcfg.Tree) *index.Tree {
	b.Start(x, false)
	var add func(*pcfg.Tree)
	add = func(t *pcfg.Tree) {
		b.Open([]byte(t.Label))
		if len(t.Kids) == 0 {
			b.Word([]byte(t.Word))
		}
		for _, k := range t.Kids {
			add(k)
		}
		b.Close()
	}
	add(t)
	return x
}
