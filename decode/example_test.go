package decode_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/stk"
	"fstore/mine"
	"fstore/store"
)

const trees = `
(S (NP (DT the) (NN dog)) (VP (VBD slept)))
(S (NP (DT the) (NN cat)) (VP (VBD slept)))
(S (NP (DT a) (NN dog)) (VP (VBD barked)))
`

// What the program does, from Go: build a store, then turn new trees into vectors.
// The store lies in memory here; leave FS out for one on disk.
func ExampleLinearizer() {
	ctx, fs := context.Background(), vfs.NewMem()
	var in *decode.Inputs
	_, err := mine.Build(ctx, "demo", mine.Options{
		FS:     fs,
		Spaces: mine.Choice{MaxOrder: new(3)}, // stk, support ≥ 2
		Source: func(s *index.Symbols) (_ index.Source, err error) {
			in, err = decode.OpenInputs([]string{"-"}, decode.InputOptions{Symbols: s, Stdin: strings.NewReader(trees)})
			return in, err
		},
		Event: func() store.Event { return store.Event{} },
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	s, err := store.Open("demo", store.Options{FS: fs})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	l, err := decode.NewLinearizer(s, decode.LinearizerOptions{Features: []decode.FeatureSet{{Space: stk.Space{}}}, Weight: decode.Count})
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
	stream := l.NewStream(ctx, format.Open(os.Stdout, vector.Options{Features: l.Features()}), decode.StreamOptions{})
	news, err := decode.OpenInputs([]string{"-"}, decode.InputOptions{
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
