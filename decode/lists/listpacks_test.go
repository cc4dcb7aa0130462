package lists

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fstore/decode/internal/decodetest"
	"fstore/decode/internal/readtest"
	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/store"
)

// randomLists returns lists with the given numbers of trees and words. Each tree differs from the tree before
// it in a few heads, relations and tags.
func randomLists(seed uint64, sizes [][2]int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for list, size := range sizes {
		trees, words := size[0], size[1]
		heads, rels, tags := make([]int, words), make([]int, words), make([]int, words)
		for w := range words {
			heads[w] = w // a chain, whose arcs are turned to words before
		}
		for tree := range trees {
			for range 1 + words/8 {
				w := r.IntN(words)
				heads[w], rels[w], tags[w] = r.IntN(w+1), r.IntN(2), r.IntN(3)
			}
			fmt.Fprintf(&b, "# sent_id = %d\n# candidate = %d\n# score = %d\n", list, tree+1, r.IntN(5))
			for w := range words {
				fmt.Fprintf(&b, "%d\tw%d\t_\tT%d\t_\t_\t%d\tr%d\t_\t_\n", w+1, w%7, tags[w], heads[w], rels[w])
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// listStore makes a store of lists.
func listStore(t *testing.T, lists, space string) *store.Store {
	t.Helper()
	fs := vfs.NewMem()
	_, err := builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Spaces: builder.Choice{Spaces: []spaces.Request{decodetest.Request(t, space)}},
		Source: func(s *index.Symbols) (index.Source, error) {
			return read.Open([]string{"-"}, read.InputOptions{Symbols: s, Stdin: strings.NewReader(lists), Format: "conllu"})
		},
		Event: func() store.Event { return store.Event{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	return decodetest.OpenStore(t, fs)
}

// packIDs returns the ids of the features of each tree in each list, as packs find them.
func packIDs(t *testing.T, p *listPacks, lists []packed) [][][]uint32 {
	t.Helper()
	all := make([][][]uint32, len(lists))
	for i, list := range lists {
		all[i] = make([][]uint32, len(list.trees))
	}
	err := p.follow(context.Background(), lists, func(list, first int, id uint32, mask uint64) {
		for k := range index.MaxPack {
			if mask>>k&1 != 0 {
				all[list][first+k] = append(all[list][first+k], id)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, trees := range all {
		for _, ids := range trees {
			slices.Sort(ids)
		}
	}
	return all
}

// Packs find the same features as matching tree by tree. This holds for any lists that are packed together,
// and also if a list has more trees than a pack, or trees that are too large for a pack.
func TestListPacks(t *testing.T) {
	sizes := [][2]int{{3, 6}, {1, 5}, {5, 9}, {index.MaxPack + 6, 4}, {2, packWords + 1}, {4, 12}, {2, packWords}}
	text := randomLists(1, sizes)
	ctx := context.Background()
	for _, space := range []string{"dep:siblings=adjacent,root-arcs=true,template=rel+h.upos+m.upos", "dep:siblings=side,template=h.form+m.form,template=rel", "dep:siblings=any,template=m-1.upos+m.upos", "poly:degree=4,root-arcs=true,template=m.form,template=h.upos+rel"} {
		for _, tags := range []read.Tags{read.TagsMajority, read.TagsOwn} {
			t.Run(fmt.Sprint(space, tags), func(t *testing.T) {
				s := listStore(t, text, space+",max-order=3")
				l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: decodetest.Request(t, space).Space}}})
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				in, err := read.OpenLists(readtest.Files(t, "lists", text), read.InputOptions{Symbols: l.ReaderSymbols()})
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				lists := make([]read.List, len(sizes))
				for i := range lists {
					if err := in.NextList(&lists[i]); err != nil {
						t.Fatal(err)
					}
				}
				if err := in.NextList(new(read.List)); err != io.EOF {
					t.Fatal(err)
				}
				w := newListWorker(l, tags)
				any := strings.HasPrefix(space, "poly") // its fragments have an order of their own
				if w.packs == nil || w.packs.canPack(&lists[4]) != any || !w.packs.canPack(&lists[6]) {
					t.Fatal("packs are not used, or for the wrong lists")
				}
				weight := func(id uint32) float64 { return math.Sin(float64(id)) }
				var batch []packed
				var together [][]float64
				for i := range lists {
					if w.packs.canPack(&lists[i]) {
						batch = append(batch, packed{&lists[i], lists[i].Candidates, len(batch)})
						together = append(together, make([]float64, len(lists[i].Candidates)))
					}
				}
				if err := w.packs.scores(ctx, together, batch, weight); err != nil {
					t.Fatal(err)
				}
				found := packIDs(t, w.packs, batch)
				for i, list := range batch {
					want, err := w.oneByOne(nil, list.List, list.trees)
					if err != nil {
						t.Fatal(err)
					}
					for k, v := range want {
						if diff := cmp.Diff(v.ID, found[i][k], cmpopts.EquateEmpty()); diff != "" {
							t.Errorf("list %d, tree %d: %s", i, k, diff)
						}
					}
					alone := [][]float64{make([]float64, len(list.trees))}
					if err := w.packs.scores(ctx, alone, []packed{{list.List, list.trees, 0}}, weight); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(together[i], alone[0]); diff != "" {
						t.Errorf("list %d alone: %s", i, diff)
					}
					for k, v := range want {
						sum := 0.0
						for _, id := range v.ID {
							sum += weight(id)
						}
						if math.Abs(sum-alone[0][k]) > 1e-9 {
							t.Errorf("list %d, tree %d: %v, want %v", i, k, alone[0][k], sum)
						}
					}
				}
			})
		}
	}
}
