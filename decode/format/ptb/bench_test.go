package ptb

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"fstore/decode/format"
	"fstore/index"
)

// BenchmarkRead reads a treebank once in each iteration. The symbols already contain its names. FSTORE_DATA
// is a directory with trees/icepahc.psd.gz and greynir.psd.gz. Without it, only a made-up treebank is read.
func BenchmarkRead(b *testing.B) {
	b.Run("madeup", func(b *testing.B) { benchmarkRead(b, madeUp(5000)) })
	dir := os.Getenv("FSTORE_DATA")
	if dir == "" {
		return
	}
	for _, name := range []string{"icepahc.psd.gz", "greynir.psd.gz"} {
		f, err := os.Open(filepath.Join(dir, "trees", name))
		if err != nil {
			b.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) { benchmarkRead(b, text) })
	}
}

func benchmarkRead(b *testing.B, text []byte) {
	syms := index.NewSymbols()
	read := func() (nodes int) {
		r := Open(bytes.NewReader(text), format.Options{Symbols: syms})
		var t index.Tree
		for {
			err := r.Next(&t)
			if err == io.EOF {
				return nodes
			}
			if err != nil {
				b.Fatal(err)
			}
			nodes += len(t.Nodes)
		}
	}
	nodes := read()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		read()
	}
	b.ReportMetric(float64(nodes)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}

// madeUp returns n trees of several lines each, with words from a Zipf-like vocabulary.
func madeUp(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() int { return int(rng.ExpFloat64() * rng.ExpFloat64() * 500) }
	var b bytes.Buffer
	var phrase func(depth int)
	phrase = func(depth int) {
		fmt.Fprintf(&b, "(%s", []string{"NP", "VP", "PP-LOC", "S", "ADJP"}[rng.IntN(5)])
		for range 1 + rng.IntN(3) {
			if depth > 0 && rng.IntN(3) > 0 {
				fmt.Fprintf(&b, "\n%*s", 2*(7-depth), "")
				phrase(depth - 1)
				continue
			}
			w := word()
			fmt.Fprintf(&b, " (T%d orð%d)", w%30, w)
		}
		b.WriteByte(')')
	}
	for i := range n {
		b.WriteString("( ")
		phrase(6)
		fmt.Fprintf(&b, " (ID text,.%d))\n\n", i)
	}
	return b.Bytes()
}
