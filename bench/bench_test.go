package bench

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/read"
	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/stk"
	"fstore/store"
	"fstore/store/posting"
)

// corpora are the treebanks on which the stages are measured. Each stage is measured alone, on one core, with
// the limits that README.md gives for the figures.
var corpora = []struct {
	name, file string
	order      int
}{
	{"num.train", "golden/num.train.svmtk.gz", 4},
	{"gum-news", "trees/gum-news.mrg.gz", 4},
	{"icepahc", "trees/icepahc.psd.gz", 5},
}

func eachCorpus(b *testing.B, f func(b *testing.B, file string, order int)) {
	for _, c := range corpora {
		b.Run(c.name, func(b *testing.B) { f(b, c.file, c.order) })
	}
}

// nodes returns the number of bracketed nodes, which are nonterminals with children.
func nodes(trees []*index.Tree) (n int) {
	for _, t := range trees {
		for i := range t.Nodes {
			if t.Nodes[i].Prod != 0 {
				n++
			}
		}
	}
	return n
}

// BenchmarkParse measures the way from text in memory to trees with interned symbols.
func BenchmarkParse(b *testing.B) {
	eachCorpus(b, func(b *testing.B, file string, _ int) {
		trees, _ := readAll(b, file)
		n := nodes(trees)
		data := text(b, file)
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: index.NewSymbols(), Stdin: bytes.NewReader(data)})
			if err != nil {
				b.Fatal(err)
			}
			var t index.Tree
			for err == nil {
				err = in.Next(&t)
			}
			if err != io.EOF {
				b.Fatal(err)
			}
		}
		perSecond(b, n, "Mnodes/s")
	})
}

// perSecond reports millions of things per second, if each operation handles n things.
func perSecond(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, unit)
}

// counter is a Visitor that only counts.
type counter struct{ fragments, occurrences int }

func (c *counter) Visit(b *index.Batch) error {
	for i := range b.Len() {
		b.Descend[i] = true
		c.occurrences += int(b.Occ[i])
	}
	c.fragments += b.Len()
	return nil
}

func items(trees []*index.Tree, s *index.Symbols, l index.Limits) index.Items {
	it := stk.Space{}.NewItems(s)
	for id, t := range trees {
		it.Add(uint32(id), t, index.All, l)
	}
	it.Seal()
	return it
}

// BenchmarkMine measures the way from trees in memory to fragments with their samples.
func BenchmarkMine(b *testing.B) {
	eachCorpus(b, func(b *testing.B, file string, order int) {
		trees, s := readAll(b, file)
		l := index.Limits{MinSupport: 2, MaxOrder: order}
		it := items(trees, s, l)
		b.ReportAllocs()
		var c counter
		for b.Loop() {
			c = counter{}
			if _, err := it.Grow(index.All, index.Weights{}, l, &c); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(c.fragments), "fragments")
		b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(c.fragments), "ns/fragment")
	})
}

// loaded has the data that a load writes.
type loaded struct {
	codes  []index.Code
	values [][]byte
}

// collect mines without limits of memory. It sorts the fragments in depth-first order, because batches do not
// come in the order of codes.
type collect struct{ loaded }

func mined(b *testing.B, file string, order int) (*loaded, []*index.Tree, *index.Symbols) {
	b.Helper()
	trees, s := readAll(b, file)
	l := index.Limits{MinSupport: 2, MaxOrder: order}
	c := &collect{}
	if _, err := items(trees, s, l).Grow(index.All, index.Weights{}, l, c); err != nil {
		b.Fatal(err)
	}
	sortByCode(&c.loaded)
	return &c.loaded, trees, s
}

func (c *collect) Visit(b *index.Batch) error {
	for i := range b.Len() {
		b.Descend[i] = true
		c.codes = append(c.codes, append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
		c.values = append(c.values, posting.Append(nil, b.SamplesOf(i), nil, nil))
	}
	return nil
}

// BenchmarkLoad measures loading codes and posting lists into a store on disk, with the commit.
func BenchmarkLoad(b *testing.B) {
	eachCorpus(b, func(b *testing.B, file string, order int) {
		all, _, _ := mined(b, file, order)
		b.ReportAllocs()
		for b.Loop() {
			if err := load(b.TempDir()+"/s", all); err != nil {
				b.Fatal(err)
			}
		}
		perSecond(b, len(all.codes), "Mfragments/s")
	})
}

func load(dir string, all *loaded) error {
	w, err := store.Begin(dir, store.WriteOptions{})
	if err != nil {
		return err
	}
	defer w.Abort()
	n := w.SetSpace(store.SpaceInfo{ID: "stk"})
	l, err := w.Fragments(n)
	if err != nil {
		return err
	}
	for i, c := range all.codes {
		if err := l.Put(c, all.values[i]); err != nil {
			return err
		}
	}
	if err := l.Close(); err != nil {
		return err
	}
	if _, err := w.FinishFragments(n); err != nil {
		return err
	}
	return w.Commit()
}

// expansionOf makes an expansion index in memory.
func expansionOf(b *testing.B, all *loaded, space index.Space, s *index.Symbols) *expansion.Index {
	b.Helper()
	var blocks bytes.Buffer
	trie := expansion.NewBuilder(&blocks)
	if f, ok := space.(index.Frontier); ok {
		trie.Width = func(sym uint32) int { return f.Width(sym, s) }
	}
	for _, c := range all.codes {
		if err := trie.Add(c); err != nil {
			b.Fatal(err)
		}
	}
	part, err := trie.Finish()
	if err != nil {
		b.Fatal(err)
	}
	fs := vfs.NewMem()
	f, err := fs.Create("x", vfs.WriteCategoryUnspecified)
	if err != nil {
		b.Fatal(err)
	}
	if err := expansion.Join(f, []expansion.Part{part}, []io.Reader{&blocks}); err != nil {
		b.Fatal(err)
	}
	f.Close()
	x, err := expansion.Open(fs, "x")
	if err != nil {
		b.Fatal(err)
	}
	return x
}

// BenchmarkIndex measures the way from codes to the expansion index.
func BenchmarkIndex(b *testing.B) {
	eachCorpus(b, func(b *testing.B, file string, order int) {
		all, _, s := mined(b, file, order)
		var x *expansion.Index
		for b.Loop() {
			x = expansionOf(b, all, stk.Space{}, s)
		}
		b.ReportMetric(float64(len(x.Raw()))/float64(x.Features()), "bytes/state")
		perSecond(b, len(all.codes), "Mfragments/s")
	})
}

// BenchmarkWalk measures the way from trees in memory to feature ids.
func BenchmarkWalk(b *testing.B) {
	eachCorpus(b, func(b *testing.B, file string, order int) {
		all, trees, s := mined(b, file, order)
		m := stk.Space{}.NewMatcher(expansionOf(b, all, stk.Space{}, s), s, 1)
		b.ReportAllocs()
		hits := 0
		var walk time.Duration
		var read index.Tree // the tree is in the cache, as after reading
		for b.Loop() {
			hits = 0
			for _, t := range trees {
				read.Kind, read.OneAlphabet = t.Kind, t.OneAlphabet
				read.Nodes = append(read.Nodes[:0], t.Nodes...)
				start := time.Now()
				h, err := m.Match(&read, 0)
				walk += time.Since(start)
				if err != nil {
					b.Fatal(err)
				}
				hits += len(h)
			}
		}
		b.ReportMetric(float64(hits), "hits")
		b.ReportMetric(float64(nodes(trees))*float64(b.N)/walk.Seconds()/1e6, "Mnodes/s")
	})
}
