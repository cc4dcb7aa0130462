//go:build unix

package bench

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"fstore/decode/lists"
	"fstore/decode/read"
	"fstore/index/treescore"
	"fstore/store"
)

// BenchmarkRerank measures choosing from lists by one goroutine, with the reading of the lists. It does this
// over some 70,000 features of two templates, where only features with a weight are looked at, and over the
// two million features of order 1 of the full templates.
func BenchmarkRerank(b *testing.B) {
	for _, c := range []struct{ name, space, order, support string }{
		{"two-templates", "dep:siblings=adjacent,root-arcs=true,template=rel+h.upos+m.upos,template=h.upos+m.upos+dir+dist", "2", "13"},
		{"qian-liu", "dep:siblings=adjacent,templates=qian-liu", "1", "2"},
	} {
		b.Run(c.name, func(b *testing.B) {
			kbest, gold := dataFile(b, testLists), dataFile(b, testGold)
			bin, dir := program(b), filepath.Join(b.TempDir(), "s")
			usage(b, bin, "build", "--quiet", dir, dataFile(b, trainLists), "--gold", dataFile(b, trainGold), "--space", c.space,
				"--max-order", c.order, "--min-support", c.support)
			usage(b, bin, "train", dir, "--quiet", "--name", "m", "--learner", "averaged-perceptron", "--epochs", "2", "--beta", "40")
			s, err := store.Open(dir, store.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			m, err := lists.OpenReranker(s, "m")
			if err != nil {
				b.Fatal(err)
			}
			defer m.(io.Closer).Close()
			sentences := 0
			for b.Loop() {
				syms := m.ReaderSymbols()
				in, err := read.OpenLists([]string{kbest}, read.InputOptions{Symbols: syms, Gold: gold})
				if err != nil {
					b.Fatal(err)
				}
				r := lists.NewReranking(context.Background(), m, syms, treescore.Options{}, 1, func(*lists.Reranked) error { return nil })
				if err := errors.Join(r.Run(in), in.Close()); err != nil {
					b.Fatal(err)
				}
				sentences += int(r.Sums.Lists)
			}
			b.ReportMetric(float64(sentences)/b.Elapsed().Seconds(), "sentences/s")
			b.ReportMetric(float64(s.Meta().Spaces[0].Features), "features")
		})
	}
}
