package concordance_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/concordance"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/query"
	"fstore/store"
)

// phrases yields n small random trees.
type phrases struct {
	b index.Builder
	r *rand.Rand
	n int
}

func (p *phrases) Next(t *index.Tree) error {
	if p.n--; p.n < 0 {
		return io.EOF
	}
	p.b.Start(t, false)
	p.grow(3)
	t.Name, t.Label = fmt.Sprint(p.n), []string{"x", "y"}[p.r.IntN(2)]
	return nil
}

func (p *phrases) grow(depth int) {
	p.b.Open([]byte{"NP"[p.r.IntN(2)]})
	for range 1 + p.r.IntN(2) {
		if depth == 0 || p.r.IntN(3) == 0 {
			p.b.Word([]byte{"ab"[p.r.IntN(2)]})
			continue
		}
		p.grow(depth - 1)
	}
	p.b.Close()
}

func phraseTable(t *testing.T) *query.Table {
	t.Helper()
	r, err := spaces.Parse("stk")
	if err != nil {
		t.Fatal(err)
	}
	fs := vfs.NewMem()
	_, err = builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Spaces: builder.Choice{Spaces: []spaces.Request{r}},
		Source: func(s *index.Symbols) (index.Source, error) {
			return &phrases{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(1, 1)), n: 120}, nil
		},
		Event: func() store.Event { return store.Event{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	tab, err := query.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// The hits of a pattern are the word sequences that the fragments of the pattern match.
func TestPatternHits(t *testing.T) {
	tab := phraseTable(t)
	for _, text := range []string{"(N _)", "(N ...)", "(_ (N ...) ...)", "(_ ... b)", "(P (N ...) _)"} {
		p, err := tab.Pattern(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, label := range []string{"", "y"} {
			want := bruteHits(t, tab, query.Filter{Pattern: p}, label)
			got := patternHits(t, tab, text, concordance.HitOptions{Label: label}, len(want))
			if !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%s: got\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if some := patternHits(t, tab, text, concordance.HitOptions{Label: label, Limit: 3}, len(want)); !slices.Equal(some, want[:3]) {
				t.Errorf("%s: the first 3 are %q", text, some)
			}
			drawn := patternHits(t, tab, text, concordance.HitOptions{Label: label, Sample: 5, Seed: 7}, len(want))
			at := -1
			for _, x := range drawn {
				next := slices.Index(want, x)
				if next <= at {
					t.Errorf("%s: %q is no choice of %q in order", text, drawn, want)
				}
				at = next
			}
			if len(drawn) != 5 {
				t.Errorf("%s: %d hits drawn", text, len(drawn))
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := tab.Pattern("(N ...)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := concordance.PatternHits(ctx, tab, p, concordance.HitOptions{}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// hitText returns the sample, the place and the fragment of a hit as text.
func hitText(id uint32, left, match, fragment string) string {
	return fmt.Sprintf("%03d %03d %03d %s [%s] %s", id, len(left), 999-len(left)-len(match), left, match, fragment)
}

func patternHits(t *testing.T, tab *query.Table, text string, o concordance.HitOptions, total int) (all []string) {
	t.Helper()
	p, err := tab.Pattern(text)
	if err != nil {
		t.Fatal(err)
	}
	o.Fragment = true
	n, err := concordance.PatternHits(context.Background(), tab, p, o, func(h *concordance.Hit) error {
		all = append(all, hitText(h.ID, h.Left, h.Match, string(h.Fragment)))
		return nil
	})
	if err != nil || n != uint64(total) {
		t.Fatalf("%s: %d hits, want %d; %v", text, n, total, err)
	}
	return all
}

// bruteHits looks for every fragment in every sample. Its result is in ascending order.
func bruteHits(t *testing.T, tab *query.Table, w query.Filter, label string) (all []string) {
	t.Helper()
	seen := map[string]bool{}
	err := tab.List(context.Background(), w, func(r *query.Row) error {
		return tab.Store().Samples(0, tab.Store().Meta().Samples, func(id uint32, tree *index.Tree) error {
			if label != "" && tree.Label != label {
				return nil
			}
			text := concordance.Surface(tree, tab.Symbols())
			for _, occ := range tab.Space.Locate(tree, r.Code, tab.Symbols()) {
				left, match, _ := text.Split(occ)
				place := fmt.Sprint(id, len(left), len(match))
				if !seen[place] {
					seen[place] = true
					all = append(all, hitText(id, left, match, string(tab.Text(nil, r.Code))))
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}
