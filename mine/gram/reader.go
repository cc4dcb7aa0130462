package gram

import (
	"context"
	"io"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/svm"
	"fstore/store"
)

// Reader turns inputs into the form of one kernel, over the same symbols,
// so that values between inputs can be had.
type Reader struct {
	Space   spaces.Request
	Symbols *index.Symbols
	Lambda  float64

	fragments index.Automaton // nil: all
	first     struct {
		read        bool
		kind        index.Kind
		oneAlphabet bool
	}
}

// Restrict makes the kernel run over some fragments of a store, of which m is the meta: what
// is read is to be of its kind, and Symbols are a frozen clone of its own.
func (k *Reader) Restrict(x index.Automaton, m *store.Meta) {
	k.fragments = x
	k.first.read, k.first.kind, k.first.oneAlphabet = true, m.Kind, m.OneAlphabet
}

// newKernel returns an evaluator.
func (k *Reader) newKernel() index.Kernel {
	of := svm.Kernel{Space: k.Space.Space, Lambda: k.Lambda, Fragments: k.fragments}
	return of.New(k.Symbols)
}

// Read reads src to its end. Samples of a kind that the space does not read are a
// *index.UsageError, of different kinds an *index.InputError.
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
		if k.fragments == nil { // else what is new in t is in none of them
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

// Gram evaluates kernels between what was read.
func (k *Reader) Gram(workers int) Matrix {
	return Matrix{Workers: workers, NewKernel: k.newKernel}
}
