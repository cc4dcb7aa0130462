package minetest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/builder"
)

// DependencySource yields random dependency trees. A tree does not depend on the trees before it.
type DependencySource struct {
	S    *index.Symbols
	At   int
	End  int
	Wide int // number of dependents of one head, all different; 0 for a random tree
}

func (d *DependencySource) Next(t *index.Tree) error {
	if d.At == d.End {
		return io.EOF
	}
	r := rand.New(rand.NewPCG(uint64(d.At), 9))
	d.At++
	t.Reset()
	t.Kind = index.Dependency
	t.Name = fmt.Sprint(d.At)
	n := 2 + r.IntN(9)
	if d.Wide > 0 {
		n = d.Wide + 1
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
			return d.S.Intern(index.Words, []byte(choices[r.IntN(len(choices))]))
		}
		k := index.Token{Form: word("a", "b", "c"), UPOS: word("N", "V"), Rel: word("r", "s", "t"), Head: head[w]}
		if d.Wide > 0 {
			k.Rel, k.Head = word(fmt.Sprint("r", w)), min(int32(w), 1)
		}
		t.Tokens = append(t.Tokens, k)
	}
	return nil
}

// Ahead implements index.Ahead.
func (*DependencySource) Ahead() bool { return true }

func DepOptions(t testing.TB, fs vfs.FS, from, to int, args ...string) builder.Options {
	o := Options(t, fs, 0, 0, args...)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &DependencySource{S: s, At: from, End: to}, nil
	}
	return o
}

var DepVariants = [][]string{
	{"dep"},
	{"dep:siblings=adjacent,template=rel+h.upos+m.upos"},
	{"dep:siblings=side,min-support=1"},
	{"dep:siblings=any"},
	{"dep:siblings=any,ordered=false,root-arcs"},
	{"dep:words=form,max-order=4,min-support=3", "dep:words=form,ordered=false,max-order=3"},
	{"dep:siblings=adjacent,template=rel+m.upos,template=h.form+m+1.form+dist,template=h.upos+between,max-order=3", "dep:siblings=adjacent,root-arcs,max-order=0,min-support=4,template=rel+h.upos+m.upos"},
	{"poly:degree=3,template=h.upos+m.form", "tag:max-order=0"},
	{"poly:template=rel,template=m.form,root-arcs,min-support=1", "tag:min-support=1,max-order=3"},
}
