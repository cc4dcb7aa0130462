package gram

import (
	"context"
	"io"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/svm"
	"fstore/store"
)

// Reader prepares trees for one kernel. All inputs share one table of symbols, so that kernels between their
// trees can be computed.
type Reader struct {
	Space   spaces.Request
	Symbols *index.Symbols
	Lambda  float64

	fragments index.Automaton // nil stands for all fragments
	first     struct {
		read        bool
		kind        index.Kind
		oneAlphabet bool
	}
}

// Restrict makes the kernel count only the fragments of x, from the store with the meta m. Trees must be of
// that store's kind. Symbols must be a frozen clone of that store's symbols.
func (k *Reader) Restrict(x index.Automaton, m *store.Meta) {
	k.fragments = x
	k.first.read, k.first.kind, k.first.oneAlphabet = true, m.Kind, m.OneAlphabet
}

// newKernel returns a kernel for one goroutine.
func (k *Reader) newKernel() index.Kernel {
	of := svm.Config{Space: k.Space.Space, Lambda: k.Lambda, Fragments: k.fragments}
	return of.New(k.Symbols)
}

// Read reads src to its end and returns the prepared trees and their labels. Trees of different kinds are an
// *index.InputError. Trees of a kind that the space does not take are an *index.UsageError.
func (k *Reader) Read(ctx context.Context, src index.Source) (prepared []any, labels []string, err error) {
	kernel := k.newKernel()
	index.Tell(src, k.Space.Space)
	var t index.Tree
	for {
		err := src.Next(&t)
		if err == io.EOF {
			return prepared, labels, nil
		}
		if err == nil && len(labels)&0xFF == 0 {
			err = ctx.Err()
		}
		if err == nil {
			err = k.check(src, &t)
		}
		if err != nil {
			return nil, nil, err
		}
		if k.fragments == nil { // if fragments are given, no new symbol of t is in a fragment
			index.Prepare(k.Space.Space, &t, k.Symbols)
		}
		p, err := kernel.Prepare(&t)
		if err != nil {
			return nil, nil, index.BadSample(src, &t, err)
		}
		prepared = append(prepared, p)
		labels = append(labels, t.Label)
	}
}

func (k *Reader) check(src index.Source, t *index.Tree) error {
	if !k.first.read {
		k.first.read, k.first.kind, k.first.oneAlphabet = true, t.Kind, t.OneAlphabet
		return k.Space.CheckKind(t.Kind)
	}
	if err := index.CheckSame(k.first.kind, k.first.oneAlphabet, t); err != nil {
		return index.BadSample(src, t, err)
	}
	return nil
}

// Gram returns a matrix of kernels between the trees that Read has prepared.
func (k *Reader) Gram(workers int) Matrix {
	return Matrix{Workers: workers, NewKernel: k.newKernel}
}
