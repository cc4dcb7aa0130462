package linearize_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/stk"
	"fstore/mine/builder"
	"fstore/store"
)

const trees = `
(S (NP (DT the) (NN dog)) (VP (VBD slept)))
(S (NP (DT the) (NN cat)) (VP (VBD slept)))
(S (NP (DT a) (NN dog)) (VP (VBD barked)))
`

// This does in Go what the program does: it builds a store, and then makes vectors of new trees.
func ExampleLinearizer() {
	ctx := context.Background()
	s, err := demo(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	l, err := linearize.New(s, linearize.Options{
		Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Weight: linearize.Count,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	format, err := vector.Lookup("svmlight")
	if err != nil {
		fmt.Println(err)
		return
	}
	stream := l.NewStream(ctx, format.Open(os.Stdout, vector.Options{Features: l.Features()}), linearize.StreamOptions{})
	news, err := read.Open([]string{"-"}, read.InputOptions{
		Symbols: l.ReaderSymbols(), OnIdle: stream.Idle, Context: stream.Context(),
		Stdin: strings.NewReader("(S (NP (DT the) (NN dog)) (VP (VBD barked)))"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer news.Close()
	if err := stream.Run(news); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 1:1 2:1 3:1 4:1 5:1 7:1 9:1 10:1 11:1 12:1 13:1 14:1
}

// demo builds a store in memory. For a store on disk, leave FS out.
func demo(ctx context.Context) (*store.Store, error) {
	fs := vfs.NewMem()
	_, err := builder.Run(ctx, "demo", builder.Options{
		FS:     fs,
		Spaces: builder.Choice{MaxOrder: new(3)}, // stk, support ≥ 2
		Source: func(s *index.Symbols) (index.Source, error) {
			return read.Open([]string{"-"}, read.InputOptions{Symbols: s, Stdin: strings.NewReader(trees)})
		},
		Event: func() store.Event { return store.Event{} },
	})
	if err != nil {
		return nil, err
	}
	return store.Open("demo", store.Options{FS: fs})
}

// A service has one Linearizer for all its goroutines. Each goroutine has a Worker, and symbols with which it
// reads new trees.
func ExampleWorker_Features() {
	s, err := demo(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	l, err := linearize.New(s, linearize.Options{
		Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Normalize: linearize.NormalizeL2,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	serve := func(requests <-chan string) error {
		symbols, worker := l.ReaderSymbols(), l.NewWorker()
		var tree index.Tree
		var v vector.Vector
		for text := range requests {
			in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: symbols, Stdin: strings.NewReader(text)})
			if err != nil {
				return err
			}
			if err := errors.Join(in.Next(&tree), worker.Features(&tree, &v), in.Close()); err != nil {
				return err
			}
			first, err := l.AppendFragment(nil, v.ID[0])
			if err != nil {
				return err
			}
			fmt.Printf("%d features, the first %s of %.3f\n", len(v.ID), first, v.Value[0])
		}
		return nil
	}
	requests := make(chan string)
	var workers errgroup.Group
	for range 2 {
		workers.Go(func() error { return serve(requests) })
	}
	requests <- "(S (NP (DT the) (NN dog)) (VP (VBD barked)))"
	requests <- "(S (NP (NNS elks)) (VP (VBD slept)))"
	close(requests)
	if err := workers.Wait(); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// 12 features, the first (DT the) of 0.289
	// 6 features, the first (VBD slept) of 0.408
}
