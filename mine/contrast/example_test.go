package contrast_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/contrast"
	"fstore/mine/query"
	"fstore/store"
)

// The example compares two corpora of three sentences each.
func Example() {
	ctx, fs := context.Background(), vfs.NewMem()
	// Each text has a label, a "-" for no document, and the words of a sentence.
	corpus := slices.Concat(slices.Repeat([]string{"cats - the cat"}, 3), slices.Repeat([]string{"dogs - a dog"}, 3))
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	_, err := builder.Run(ctx, "pets.store", builder.Options{
		FS: fs,
		Source: func(s *index.Symbols) (index.Source, error) {
			return &few{index.Builder{Symbols: s}, corpus}, nil
		},
		Event: func() store.Event { return store.Event{Command: "example"} },
	})
	check(err)
	s, err := store.Open("pets.store", store.Options{FS: fs})
	check(err)
	defer s.Close()
	t, err := query.Open(s, "")
	check(err)
	c, err := contrast.New(ctx, t, contrast.Options{A: "cats", B: "dogs", FS: fs, TempDir: "temporary"})
	check(err)
	check(c.Each(ctx, func(r *contrast.Row) error {
		fmt.Printf("%s  %d of %d, %d of %d, log ratio %.2f, G² %.2f\n",
			t.Text(nil, r.Code), r.FreqA, c.A.N, r.FreqB, c.B.N, r.LogRatio, r.G2)
		return nil
	}))
	// Output:
	// (S (N) (N))  3 of 6, 3 of 6, log ratio 0.00, G² 0.00
	// (S (N the) (N cat))  3 of 6, 0 of 6, log ratio 2.58, G² 5.18
	// (S (N a) (N dog))  0 of 6, 3 of 6, log ratio -2.58, G² -5.18
}
