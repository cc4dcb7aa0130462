package judge_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
)

// The explanation of a run does not depend on workers or memory, even if only the best fragments are kept.
func TestExplainIsReproducible(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	for seed := range uint64(6) {
		kind := []index.Kind{index.Constituency, index.Constituency, index.Dependency}[seed%3]
		s := minetest.LabelledStore(t, kind, seed, minetest.SpacesOf(t, kind, "min-support=1,max-order=2")...)
		defer s.Close()
		for i := range s.Meta().Spaces {
			o := selection.Options{Space: s.Meta().Spaces[i].ID, By: "chi2", MinSupport: minetest.At(uint32(1)), MaxOrder: minetest.At(3), Explain: true}
			if o.Top = r.IntN(20); o.Top == 0 {
				o.Tau = minetest.At(2.0)
			}
			var first *selection.Result
			for _, workers := range []int{1, 2, 5} {
				for _, memory := range []int64{1, 1 << 12, 1 << 30} {
					o.Workers, o.Memory = workers, memory
					done, err := selection.DryRun(context.Background(), s, o)
					if err != nil {
						if strings.Contains(err.Error(), "label") { // a treebank without two labels
							continue
						}
						t.Fatal(err)
					}
					if first == nil {
						first = done
					}
					if !reflect.DeepEqual(done.Explained, first.Explained) || done.Decided != first.Decided {
						t.Errorf("seed %d, %s, top %d, %d workers, memory %d: %v %s, want %v %s",
							seed, o.Space, o.Top, workers, memory, done.Explained, done.Decided, first.Explained, first.Decided)
					}
				}
			}
			if o.Top == 0 || first == nil {
				continue
			}
			if n := first.Explained.Total().Kept; n < first.Fragments {
				t.Errorf("seed %d, %s: %d reach the threshold of the top %d", seed, o.Space, n, first.Fragments)
			}
			o.Explain = false
			if done, err := selection.DryRun(context.Background(), s, o); err != nil || done.Explained != nil {
				t.Errorf("%v, %v", done, err)
			}
		}
	}
}
