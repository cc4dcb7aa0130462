package emb

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fstore/index"
	"fstore/index/internal/option"
	"fstore/index/internal/spacetest"
)

// newSpace makes a space from options as they are written after `emb:`.
func newSpace(t testing.TB, options string) *Space {
	t.Helper()
	s, err := New(spacetest.Options(options))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bruteNode is a node of a sample in the obvious way.
type bruteNode struct {
	name  string
	word  bool
	at    int32
	above int // its parent, -1
}

// bruteNodes are the nodes of a sample, parents first, from left to right.
func bruteNodes(s *Space, t *index.Tree, syms *index.Symbols) (all []bruteNode) {
	if t.Kind == index.Constituency {
		for i := range t.Nodes {
			n := &t.Nodes[i]
			class := index.Labels
			if n.Word {
				class = index.Words
			}
			all = append(all, bruteNode{syms.Text(class, n.Sym), n.Word, int32(i), int(n.Parent)})
		}
		return all
	}
	var down func(head int32, above int)
	down = func(head int32, above int) {
		for i, k := range t.Tokens {
			if k.Head != head {
				continue
			}
			id := map[option.Unit]uint32{option.Form: k.Form, option.Lemma: k.Lemma, option.UPOS: k.UPOS, option.XPOS: k.XPOS}[s.unit]
			all = append(all, bruteNode{syms.Text(index.Words, id), false, int32(i), above})
			down(int32(i)+1, len(all)-1)
		}
	}
	down(0, -1)
	return all
}

// brute lists every set of nodes that has one root.
func brute(s *Space, t *index.Tree, syms *index.Symbols, lambda float64) map[string]*spacetest.Match {
	nodes := bruteNodes(s, t, syms)
	all := map[string]*spacetest.Match{}
	for set := 1; set < 1<<len(nodes); set++ {
		kids := map[int][]int{} // within the set; of -1: the roots
		order, skipped := 0, map[int]bool{}
		var where []int32
		for i := range nodes {
			if set>>i&1 == 0 {
				continue
			}
			order++
			where = append(where, nodes[i].at)
			up := nodes[i].above
			for ; up >= 0 && set>>up&1 == 0; up = nodes[up].above {
			}
			kids[up] = append(kids[up], i)
			for between := nodes[i].above; between != up; between = nodes[between].above {
				skipped[between] = true
			}
		}
		if len(kids[-1]) != 1 {
			continue
		}
		var text func(i int) string
		text = func(i int) string {
			name := strings.NewReplacer(" ", `\s`, "(", `\(`, ")", `\)`).Replace(nodes[i].name)
			if nodes[i].word {
				return name
			}
			out := "(" + name
			for _, k := range kids[i] {
				out += " " + text(k)
			}
			return out + ")"
		}
		root := kids[-1][0]
		for up := nodes[root].above; up >= 0; up = nodes[up].above {
			delete(skipped, up)
		}
		f := text(root)
		m := all[f]
		if m == nil {
			m = &spacetest.Match{Order: order}
			all[f] = m
		}
		m.Count++
		m.Value += math.Pow(lambda, float64(len(skipped)))
		slices.Sort(where)
		m.Where = append(m.Where, spacetest.Place(where))
	}
	return all
}

var variants = []string{"", "unit=upos", "unit=xpos", "unit=lemma"}

func TestSpace(t *testing.T) {
	for _, options := range variants {
		space := newSpace(t, options)
		of := func(t *index.Tree, syms *index.Symbols, lambda float64) map[string]*spacetest.Match {
			return brute(space, t, syms, lambda)
		}
		if space.Reads(index.Constituency) {
			spacetest.EachCorpus(t, space, spacetest.Brackets, 5, 9, of, run)
			spacetest.EachCorpus(t, space, spacetest.OneAlphabet, 5, 9, of, run)
		}
		spacetest.EachCorpus(t, space, spacetest.Dependency, 5, 9, of, run)
	}
}

func run(t *testing.T, c *spacetest.Case) { c.Run(t) }
