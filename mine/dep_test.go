package mine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
)

// dependencySource yields random dependency trees, the same whatever comes before.
type dependencySource struct {
	s    *index.Symbols
	next int
	end  int
	wide int // dependents of one head, all different; 0 for a random tree
}

func (d *dependencySource) Next(t *index.Tree) error {
	if d.next == d.end {
		return io.EOF
	}
	r := rand.New(rand.NewPCG(uint64(d.next), 9))
	d.next++
	t.Reset()
	t.Kind = index.Dependency
	t.Name = fmt.Sprint(d.next)
	n := 2 + r.IntN(9)
	if d.wide > 0 {
		n = d.wide + 1
	}
	order := r.Perm(n)
	head := make([]int32, n)
	for i, w := range order {
		if i > 0 && r.IntN(12) > 0 {
			head[w] = int32(order[r.IntN(min(i, 4))]) + 1
		}
	}
	for w := range n {
		word := func(choices ...string) uint32 {
			return d.s.Intern(index.Words, []byte(choices[r.IntN(len(choices))]))
		}
		k := index.Token{Form: word("a", "b", "c"), UPOS: word("N", "V"), Rel: word("r", "s", "t"), Head: head[w]}
		if d.wide > 0 {
			k.Rel, k.Head = word(fmt.Sprint("r", w)), min(int32(w), 1)
		}
		t.Tokens = append(t.Tokens, k)
	}
	return nil
}

func depOptions(t testing.TB, fs vfs.FS, from, to int, args ...string) Options {
	o := options(t, fs, 0, 0, args...)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &dependencySource{s: s, next: from, end: to}, nil
	}
	return o
}

var depVariants = [][]string{
	{"dep"},
	{"dep:siblings=adjacent,template=rel+h.upos+m.upos"},
	{"dep:siblings=side,min-support=1"},
	{"dep:siblings=any"},
	{"dep:siblings=any,ordered=false,root-arcs"},
	{"dep:siblings=adjacent,template=rel+m.upos,template=h.form+m+1.form+dist,template=h.upos+between,max-order=3", "dep:siblings=adjacent,root-arcs,max-order=0,min-support=4,template=rel+h.upos+m.upos"},
	{"poly:degree=3,template=h.upos+m.form", "tag:max-order=0"},
	{"poly:template=rel,template=m.form,root-arcs,min-support=1", "tag:min-support=1,max-order=3"},
}

func TestDepSameHowever(t *testing.T) {
	for _, args := range depVariants {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			sameHowever(t, samples, func(fs vfs.FS, from, to int) Options {
				return depOptions(t, fs, from, to, args...)
			}, resources{1, 0}, resources{8, 0}, resources{1, 1}, resources{3, 20_000})
		})
	}
}

// A head with sixty different dependents has 2^60 subtrees, and sets of arcs, and runs:
// building ends at the limit of fragments, and leaves nothing.
func TestDepEndsAtTheLimit(t *testing.T) {
	for _, space := range []string{"dep:siblings=any,max-order=0,min-support=1", "dep:siblings=any,ordered=false,max-order=0,min-support=1", "poly:degree=60,max-order=0,min-support=1", "tag:max-order=0,min-support=1"} {
		fs := vfs.NewMem()
		o := depOptions(t, fs, 0, 0, space)
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &dependencySource{s: s, end: 1, wide: 60}, nil
		}
		o.MaxFragments = 100_000
		if _, err := Build(context.Background(), "s", o); !errors.Is(err, ErrTooMany) {
			t.Errorf("%s: %v", space, err)
		}
		if names, err := fs.List(""); err != nil || len(names) > 0 {
			t.Errorf("%s left %v, %v", space, names, err)
		}
	}
}

// A space without closed fragments refuses them; options are part of its name.
func TestDepChoice(t *testing.T) {
	yes := true
	r, err := spaces.Parse("dep:template=m.form,template=h.upos+m.upos,siblings=any,min-support=7")
	if err != nil {
		t.Fatal(err)
	}
	const id = "dep:template=h.upos+m.upos,template=m.form"
	if r.Space.ID() != id || *r.MinSupport != 7 {
		t.Fatalf("%s, support %d", r.Space.ID(), *r.MinSupport)
	}
	c := Choice{Spaces: []spaces.Request{r}, Closed: &yes}
	var refused *ChoiceError
	if _, err := c.forNew(index.Dependency); !errors.As(err, &refused) {
		t.Errorf("closed: %v", err)
	}
	for _, bad := range []string{"dep:siblings=any,siblings=side", "dep:colour=red", "dep:template=", "dep:min-support=1,min-support=2"} {
		if _, err := spaces.Parse(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
