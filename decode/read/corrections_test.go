package read_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/decode/format/convert"
	"fstore/decode/internal/decodetest"
	"fstore/decode/internal/readtest"
	decodelists "fstore/decode/lists"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/index/treescore"
	"fstore/mine/builder"
	"fstore/mine/maintain"
	"fstore/store"
)

// goldCase is a kind of lists with gold trees.
type goldCase struct {
	name   string
	random func(r *rand.Rand) (lists, gold string)
	tags   read.Tags
	as     convert.Options
}

var goldCases = []goldCase{
	{name: "majority", random: dependencyGold, tags: read.TagsMajority},
	{name: "own", random: dependencyGold, tags: read.TagsOwn},
	{name: "grct", random: dependencyGold, tags: read.TagsMajority, as: convert.Options{Shape: "grct"}},
	{name: "grct of xpos", random: dependencyGold, tags: read.TagsOwn, as: convert.Options{Shape: "grct", Tag: "xpos"}},
	{name: "lct", random: dependencyGold, tags: read.TagsMajority, as: convert.Options{Shape: "lct"}},
	{name: "loct of lemmas", random: dependencyGold, tags: read.TagsOwn, as: convert.Options{Shape: "loct", Word: "lemma"}},
	{name: "brackets", random: bracketGold, tags: read.TagsMajority},
}

// one returns one of the given strings at random.
func one(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// dependencyGold returns random lists in CoNLL-U and their gold trees. Most gold trees have the heads of a
// candidate. Their other columns differ from those of the candidates.
func dependencyGold(r *rand.Rand) (lists, gold string) {
	var all, right strings.Builder
	for list := range 12 {
		words := 1 + r.IntN(5)
		heads := func() []int { // of a projective tree: what is converted keeps the order of words
			heads := make([]int, words)
			for w := 1; w < words; w++ {
				heads[w] = w // the word before it, or one that this is below
				for heads[w] > 1 && r.IntN(2) == 0 {
					heads[w] = heads[heads[w]-1]
				}
			}
			return heads
		}
		write := func(b *strings.Builder, heads []int) {
			for w, h := range heads {
				fmt.Fprintf(b, "%d\t%s\t%s\t%s\t%s\t_\t%d\t%s\t_\t_\n", w+1, []string{"w", ",", "."}[(list+w)%3], one(r, "l", "m"),
					one(r, "X", "PUNCT", fmt.Sprint("U", list)), one(r, "_", ",", ".", "N"), h, one(r, "root", "ROOT", "a:b", "a:c", fmt.Sprint("r", list)))
			}
			b.WriteByte('\n')
		}
		var of [][]int
		for k := range 1 + r.IntN(4) {
			of = append(of, heads())
			fmt.Fprintf(&all, "# sent_id = s%d\n# candidate = %d\n# score = %d\n", list, k+1, r.IntN(9))
			write(&all, of[k])
		}
		fmt.Fprintf(&right, "# sent_id = s%d\n", list)
		if r.IntN(3) == 0 {
			of = [][]int{heads()}
		}
		write(&right, of[r.IntN(len(of))])
	}
	return all.String(), right.String()
}

// bracketGold returns random n-best lists and their gold trees. Most gold trees have the brackets of a
// candidate, but other tags and another outermost node.
func bracketGold(r *rand.Rand) (lists, gold string) {
	var all, right strings.Builder
	for list := range 12 {
		words := 1 + r.IntN(5)
		shape := func() string { // T is a tag, and w a word
			text := ""
			for w := range words {
				text += fmt.Sprintf(" (T w%d)", w)
				if r.IntN(2) == 0 {
					text = fmt.Sprintf(" (%s%s)", one(r, "NP", "VP"), text)
				}
			}
			return "(S" + text + ")"
		}
		tree := func(text string) string {
			for strings.Contains(text, "(T ") {
				text = strings.Replace(text, "(T ", "("+one(r, "N", ".", ",", "PUNCT", fmt.Sprint("T", list))+" ", 1)
			}
			if r.IntN(2) == 0 {
				text = "(" + one(r, "TOP", "ROOT") + " " + text + ")"
			}
			return text + "\n"
		}
		var of []string
		k := 1 + r.IntN(3)
		fmt.Fprintf(&all, "%d s%d\n", k, list)
		for range k {
			of = append(of, shape())
			fmt.Fprintf(&all, "-%d\n%s", 1+r.IntN(9), tree(of[len(of)-1]))
		}
		all.WriteByte('\n')
		if r.IntN(3) == 0 {
			of = []string{shape()}
		}
		right.WriteString(tree(of[r.IntN(len(of))]))
	}
	return all.String(), right.String()
}

// build adds lists and their gold trees to the store s in fs. If there is no gold file, there are no gold
// trees.
func (c *goldCase) build(t *testing.T, fs vfs.FS, mode store.Mode, workers int, lists, gold string) {
	t.Helper()
	space := "dep:siblings=adjacent,template=rel+m.upos"
	if c.as.Shape != "" || c.name == "brackets" {
		space = "stk"
	}
	least := uint32(1)
	q := decodetest.Request(t, space)
	q.MinSupport = &least
	o := builder.Options{
		FS: fs, Mode: mode, Workers: workers,
		Source: func(s *index.Symbols) (index.Source, error) {
			in := read.InputOptions{Symbols: s, Tags: c.tags, As: c.as, Gold: gold}
			return read.Open([]string{lists}, in)
		},
		Event: func() store.Event { return store.Event{} },
	}
	if mode != store.Append {
		o.Spaces = builder.Choice{Spaces: []spaces.Request{q}}
	}
	if _, err := builder.Run(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
}

// storedTrees returns the samples of the store in fs. The symbols are in the order of the samples.
func storedTrees(t *testing.T, fs vfs.FS) (all []*index.Tree) {
	t.Helper()
	s := decodetest.OpenStore(t, fs)
	defer s.Close()
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	fresh := index.NewSymbols()
	err = s.Samples(0, s.Meta().Samples, func(_ uint32, x *index.Tree) error {
		index.Translate(x, syms, fresh)
		all = append(all, x.Clone())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// scores returns ways of comparing trees.
func scores() (all []treescore.Options) {
	for _, p := range []treescore.Punct{"", treescore.PunctUPOS, treescore.PunctUnicode, treescore.PunctPTB, treescore.PunctKeep} {
		all = append(all, treescore.Options{Punct: p}, treescore.Options{Punct: p, Universal: true})
	}
	return all
}

// TestStoredGold checks that candidates are compared with the gold tree of a stored list as with the gold
// tree of the file. The store is also appended to, repaired, and made anew without some lists.
func TestStoredGold(t *testing.T) {
	for _, c := range goldCases {
		t.Run(c.name, func(t *testing.T) {
			corrected := map[index.Gold]int{}
			for seed := range uint64(8) {
				r := rand.New(rand.NewPCG(seed, 0))
				a, goldA := c.random(r)
				b, goldB := c.random(r)
				suffix := map[bool]string{true: ".nbest", false: ".conllu"}[c.name == "brackets"]
				p := readtest.Files(t, "a"+suffix, a, "gold", goldA, "b"+suffix, b, "goldB", goldB, "all"+suffix, a+b, "goldAll", goldA+goldB)
				fs := vfs.NewMem()
				c.build(t, fs, store.Create, 1, p[0], p[1])
				for _, x := range storedTrees(t, fs) {
					if len(x.Corrections) > 0 {
						corrected[x.Gold]++
					}
				}
				c.compare(t, fs, p[0], p[1])

				c.build(t, fs, store.Append, 1, p[2], p[3])
				once := vfs.NewMem()
				c.build(t, once, store.Create, 3, p[4], p[5])
				all := storedTrees(t, fs)
				if diff := cmp.Diff(storedTrees(t, once), all, cmp.FilterPath(isName, cmp.Ignore())); diff != "" {
					t.Fatalf("appended, and in one go: %s", diff)
				}
				rebuild := builder.RebuildOptions{Options: store.Options{FS: fs}}
				if _, err := maintain.Repair(context.Background(), "s", maintain.RepairOptions{RebuildOptions: rebuild}, func(lost string) { t.Error(lost) }); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(all, storedTrees(t, fs)); diff != "" {
					t.Fatalf("repaired: %s", diff)
				}
				if _, err := maintain.Remove(context.Background(), "s", maintain.RemoveOptions{RebuildOptions: rebuild, Inputs: []string{p[2]}}); err != nil {
					t.Fatal(err)
				}
				c.compare(t, fs, p[0], p[1])
			}
			added := c.tags == read.TagsMajority && c.name != "brackets" // a sample with other tags than its own
			if corrected[index.NotGold] > 0 || corrected[index.GoldFound] == 0 || (corrected[index.GoldAdded] > 0) != added {
				t.Errorf("corrected: %v", corrected)
			}
		})
	}
}

// isName says whether the field p depends on the name of the input.
func isName(p cmp.Path) bool {
	return slices.Contains([]string{".Name", ".Document", ".Group", ".Line"}, p.Last().String())
}

// compare compares the lists of the store in fs with the lists from which the store was made.
func (c *goldCase) compare(t *testing.T, fs vfs.FS, lists, gold string) {
	t.Helper()
	s := decodetest.OpenStore(t, fs)
	defer s.Close()
	src, syms, err := decodelists.StoredLists(s)
	if err != nil {
		t.Fatal(err)
	}
	o := read.InputOptions{Symbols: read.ScratchSymbols(), Gold: gold, As: c.as}
	in, err := read.OpenLists([]string{lists}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var stored, read read.List
	for n := 0; ; n++ {
		err := src.NextList(&stored)
		if end := in.NextList(&read); err != end {
			t.Fatalf("%v, and %v", err, end)
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, score := range scores() {
			got, want := treescore.New(score), treescore.New(score)
			got.SetGold(stored.Gold, syms)
			want.SetGold(read.Gold, o.Symbols)
			for i, x := range stored.Trees[:stored.Used] {
				if got, want := got.Count(x, syms), want.Count(x, syms); got != want {
					t.Errorf("%s, tree %d, %+v: %+v, want %+v", stored.Candidates[0].Name, i, score, got, want)
				}
			}
		}
		src.Release()
		in.Release()
	}
}

// Corrections add no symbols to a store. With more symbols, fragments would have other codes.
func TestCorrectionsHaveNoSymbols(t *testing.T) {
	for _, c := range goldCases {
		t.Run(c.name, func(t *testing.T) {
			lists, gold := c.random(rand.New(rand.NewPCG(3, 0)))
			suffix := map[bool]string{true: ".nbest", false: ".conllu"}[c.name == "brackets"]
			p := readtest.Files(t, "a"+suffix, lists, "gold", gold)
			fs := vfs.NewMem()
			c.build(t, fs, store.Create, 0, p[0], p[1])
			s := decodetest.OpenStore(t, fs)
			got, err := s.Symbols()
			if err != nil {
				t.Fatal(err)
			}
			want := index.NewSymbols()
			in, err := read.Open(p[:1], read.InputOptions{Symbols: want, Tags: c.tags, As: c.as, Gold: p[1]})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var x index.Tree
			for err == nil {
				err = in.NextUncorrected(&x)
			}
			if err != io.EOF {
				t.Fatal(err)
			}
			for class := range index.Features {
				if got.Len(class) != want.Len(class) {
					t.Errorf("%d %ss, want %d", got.Len(class), class, want.Len(class))
				}
			}
		})
	}
}
