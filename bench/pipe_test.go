//go:build unix

package bench

import (
	"bytes"
	"io"
	"strconv"
	"testing"

	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index/stk"
	"fstore/store"
)

// BenchmarkPipe measures linearize without its start: it reads brackets and writes svmlight with one worker.
// The text and the store are in the memory of the system. It counts the CPU seconds of the reader, the worker
// and the writer together.
func BenchmarkPipe(b *testing.B) {
	for _, c := range []struct {
		name, file string
		times      int // how often the treebank is read, one time after another
		order      int
		weight     linearize.Weight
	}{
		{"num.train", "golden/num.train.svmtk.gz", 20, 4, linearize.Count},
		{"icepahc", "trees/icepahc.psd.gz", 1, 5, linearize.Binary},
	} {
		b.Run(c.name, func(b *testing.B) {
			file, data := dataFile(b, c.file), bytes.Repeat(text(b, c.file), c.times)
			dir := b.TempDir() + "/s"
			usage(b, program(b), "build", "--quiet", dir, file, "--space", "stk", "--max-order", strconv.Itoa(c.order))
			s, err := store.Open(dir, store.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			l, err := linearize.New(s, linearize.Options{
				Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Weight: c.weight,
			})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			start := userTime()
			for b.Loop() {
				if err := pipe(b, l, data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(data))*float64(b.N)/(userTime()-start)/1e6, "MB/user-s")
			b.ReportMetric(float64(l.Features()), "features")
		})
	}
}

// pipe linearizes a treebank with one worker.
func pipe(b *testing.B, l *linearize.Linearizer, treebank []byte) error {
	svmlight, err := vector.Lookup("svmlight")
	if err != nil {
		return err
	}
	stream := l.NewStream(b.Context(), svmlight.Open(io.Discard, vector.Options{Features: l.Features()}), linearize.StreamOptions{Workers: 1})
	in, err := read.Open([]string{"-"}, read.InputOptions{
		Symbols: l.ReaderSymbols(), Stdin: bytes.NewReader(treebank),
		OnIdle: stream.Idle, Context: stream.Context(),
	})
	if err != nil {
		return err
	}
	defer in.Close()
	return stream.Run(in)
}
