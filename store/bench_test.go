package store

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store/posting"
)

// population calls f for about n random fragments in code order. The highest order has the most fragments,
// and supports follow a Zipf law. Codes and values take about eight bytes each.
func population(n int, f func(c index.Code, value []byte) error) error {
	rng := rand.New(rand.NewSource(1))
	zipf := rand.NewZipf(rng, 2.2, 1, 2000)
	const productions, roots = 40_000, 4_000
	var value []byte
	var occ []uint32
	made := 0
	put := func(c index.Code) error {
		made++
		occ = occ[:0]
		for range zipf.Uint64() + 2 {
			occ = append(occ, uint32(rng.Intn(73_000)))
		}
		slices.Sort(occ)
		value = posting.Append(value[:0], occ, nil, nil)
		return f(c, value)
	}
	var grow func(c index.Code, order int) error
	grow = func(c index.Code, order int) error {
		if err := put(c); err != nil || order == 5 {
			return err
		}
		steps := make([]index.Step, 0, 8)
		for range rng.Intn(8) {
			steps = append(steps, index.Step{Off: uint32(rng.Intn(3)), Sym: uint32(rng.ExpFloat64() * productions / 40)})
		}
		slices.SortFunc(steps, func(a, b index.Step) int { return int(int64(a.Packed()) - int64(b.Packed())) })
		for _, s := range slices.Compact(steps) {
			if err := grow(index.AppendStep(c[:len(c):len(c)], s), order+1); err != nil {
				return err
			}
		}
		return nil
	}
	for root := 0; made < n && root < 100*roots; root++ {
		if err := grow(index.AppendStep(nil, index.Step{Sym: uint32(1 + root*productions/roots)}), 1); err != nil {
			return err
		}
	}
	return nil
}

type fragment struct{ code, value []byte }

func fragments(n int) (all []fragment, bytes int) {
	_ = population(n, func(c index.Code, v []byte) error {
		all = append(all, fragment{slices.Clone(c), slices.Clone(v)})
		bytes += len(c) + len(v)
		return nil
	})
	return all, bytes
}

// BenchmarkLoad builds a store of 900,000 fragments on disk.
func BenchmarkLoad(b *testing.B) {
	all, raw := fragments(900_000)
	b.ReportMetric(float64(raw)/float64(len(all)), "rawB/fragment")
	b.ResetTimer()
	for b.Loop() {
		dir := b.TempDir() + "/db"
		load(b, dir, all)
		b.StopTimer()
		b.ReportMetric(float64(treeSize(b, dir))/1e6, "MB")
		b.StartTimer()
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(len(all)), "ns/fragment")
}

func load(b testing.TB, dir string, all []fragment) {
	w, err := Begin(dir, WriteOptions{})
	if err != nil {
		b.Fatal(err)
	}
	n := w.SetSpace(SpaceInfo{ID: "stk"})
	l, err := w.Fragments(n)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range all {
		if err := l.Put(f.code, f.value); err != nil {
			b.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	if _, err := w.FinishFragments(n); err != nil {
		b.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		b.Fatal(err)
	}
}

// treeSize is the size of the files in a directory.
func treeSize(b testing.TB, dir string) (n int64) {
	names, err := vfs.Default.List(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range names {
		info, err := vfs.Default.Stat(dir + "/" + name)
		if err != nil {
			b.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

// BenchmarkScan reads all fragments of the store of BenchmarkLoad.
func BenchmarkScan(b *testing.B) {
	all, _ := fragments(900_000)
	dir := b.TempDir() + "/db"
	load(b, dir, all)
	s, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		it, err := s.Iter(0, nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for it.Next() {
			n += len(it.Key()) + len(it.Value())
		}
		if err := it.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(len(all)), "ns/fragment")
}

// BenchmarkGet reads fragments at random, and an absent fragment.
func BenchmarkGet(b *testing.B) {
	all, _ := fragments(900_000)
	dir := b.TempDir() + "/db"
	load(b, dir, all)
	for name, cache := range map[string]int64{"cached": 0, "uncached": -1} {
		s, err := Open(dir, Options{CacheBytes: cache})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		rng := rand.New(rand.NewSource(2))
		hot := rng.Perm(len(all))[:2000]
		b.Run(name+"/hot", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := s.Get(0, all[hot[i%len(hot)]].code); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/all", func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Get(0, all[rng.Intn(len(all))].code); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/absent", func(b *testing.B) {
			for b.Loop() {
				c := all[rng.Intn(len(all))].code
				if _, err := s.Get(0, append(c[:len(c):len(c)], 0xF0)); err != ErrNotFound {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/rank", func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Rank(0, all[rng.Intn(len(all))].code); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSamples streams two million nodes.
func BenchmarkSamples(b *testing.B) {
	dir := b.TempDir() + "/db"
	w, err := Begin(dir, WriteOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Abort()
	sw, err := w.Samples()
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewSource(1))
	zipf := rand.NewZipf(rng, 1.1, 3, 60_000)
	bu := index.Builder{Symbols: w.Symbols()}
	var t index.Tree
	nodes := 0
	for n := 0; nodes < 2_000_000; n++ {
		bu.Start(&t, false)
		bu.Open([]byte("S"))
		for range rng.Intn(30) {
			bu.Open(fmt.Append(nil, "P", rng.Intn(200)))
			bu.Word(fmt.Append(nil, "w", zipf.Uint64()))
			bu.Close()
			if bu.Depth() > 1 && rng.Intn(3) == 0 {
				bu.Close()
			} else if rng.Intn(3) == 0 {
				bu.Open(fmt.Append(nil, "X", rng.Intn(30)))
			}
		}
		for bu.Depth() > 0 {
			bu.Close()
		}
		t.Name, t.Document, t.Label = fmt.Sprint("sentence-", n), fmt.Sprint("document-", n/50), "news"
		nodes += len(t.Nodes)
		if _, err := sw.Add(&t); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(sw.Close(), w.Commit()); err != nil {
		b.Fatal(err)
	}
	s, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Symbols(); err != nil {
		b.Fatal(err)
	}
	b.Run("trees", func(b *testing.B) {
		for b.Loop() {
			if err := s.Samples(0, s.Meta().Samples, func(uint32, *index.Tree) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(nodes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
	})
	b.Run("heads", func(b *testing.B) {
		for b.Loop() {
			if err := s.SampleHeads(0, s.Meta().Samples, func(uint32, *index.Tree) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("symbols", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.loadSymbols(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(s.Meta().Symbols[index.Words]+s.Meta().Symbols[index.Productions]), "symbols")
	})
}
