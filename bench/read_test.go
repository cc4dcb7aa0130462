//go:build unix

package bench

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"syscall"
	"testing"

	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/index"
)

// readable returns the formats, each with real text. If there is no treebank in a format, one is converted.
func readable(t testing.TB) []struct {
	format string
	text   func() []byte
	o      format.Options
} {
	return []struct {
		format string
		text   func() []byte
		o      format.Options
	}{
		{"ptb", func() []byte { return text(t, "trees/icepahc.psd.gz") }, format.Options{}},
		{"conllu", func() []byte { return text(t, "ud/en_ewt-ud-train.conllu.gz") }, format.Options{}},
		{"conllx", func() []byte { return reprinted(t, "ud/en_ewt-ud-train.conllu.gz", "conllx") }, format.Options{}},
		{"conll09", func() []byte { return conll09(text(t, "ud/en_ewt-ud-train.conllu.gz")) }, format.Options{}},
		{"svmtk", func() []byte { return text(t, "golden/num.train.svmtk.gz") }, format.Options{}},
		{"klp", func() []byte { return text(t, "qc/train_5500.coarse.klp.gz") }, format.Options{Representation: "grct"}},
		{"nbest", func() []byte { return bytes.Repeat(text(t, "kbest/charniak-nbest.txt"), 200) }, format.Options{}},
	}
}

// reprinted returns a data file in another format.
func reprinted(t testing.TB, file, format string) []byte {
	trees, s := readAll(t, file)
	f, err := read.FormatByName(format)
	if err != nil {
		t.Fatal(err)
	}
	var b []byte
	for _, tree := range trees {
		if b, err = f.Append(b, tree, s); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// conll09 writes the rows of CoNLL-U with the columns of CoNLL-2009. The predicted and the gold columns are
// the same.
func conll09(conllu []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(conllu) {
		c := bytes.Split(bytes.TrimRight(line, "\n"), []byte{'\t'})
		switch {
		case len(c) == 1 && len(c[0]) == 0:
			b.WriteByte('\n')
		case len(c) == 10 && !bytes.ContainsAny(c[0], ".-"):
			fmt.Fprintf(&b, "%s\t%s\t%s\t%[3]s\t%[4]s\t%[4]s\t%[5]s\t%[5]s\t%[6]s\t%[6]s\t%[7]s\t%[7]s\t_\t_\n", c[0], c[1], c[2], c[3], c[5], c[6], c[7])
		}
	}
	return b.Bytes()
}

// BenchmarkRead measures the reader alone, from text in memory to trees, on one core. It also measures the
// memory of a treebank with its symbols. If others use the machine, the ratio to a scan of the same bytes is
// the best figure.
func BenchmarkRead(b *testing.B) {
	for _, c := range readable(b) {
		b.Run(c.format, func(b *testing.B) {
			data := c.text()
			f, err := read.FormatByName(c.format)
			if err != nil {
				b.Fatal(err)
			}
			c.o.File, c.o.Base = c.format, c.format
			bytesHeld := held(b, f, data, c.o)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			words := 0
			lines, reading, scanning := 0, 0.0, 0.0
			for b.Loop() {
				start := userTime()
				c.o.Symbols = index.NewSymbols()
				words = 0
				readTrees(b, f.Open(bytes.NewReader(data), c.o), func(t *index.Tree) { words += t.Words() })
				reading += userTime() - start
				b.StopTimer()
				start = userTime()
				lines += scan(data)
				scanning += userTime() - start
				b.StartTimer()
			}
			if lines == 0 {
				b.Fatal("no lines")
			}
			b.ReportMetric(float64(len(data))*float64(b.N)/reading/1e6, "MB/user-s")
			b.ReportMetric(reading/scanning, "scans")
			perSecond(b, words, "Mwords/s")
			b.ReportMetric(bytesHeld/float64(words), "B/word-held")
		})
	}
}

// userTime returns the CPU seconds of this process so far. If others use the machine, they say more than the
// elapsed time.
func userTime() float64 {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		panic(err)
	}
	return float64(ru.Utime.Nano()) / 1e9
}

// scan looks at each byte, and counts the lines.
func scan(text []byte) (lines int) {
	for _, c := range text {
		if c == '\n' {
			lines++
		}
	}
	return lines
}

func readTrees(b *testing.B, src index.Source, f func(*index.Tree)) {
	var t index.Tree
	for {
		err := src.Next(&t)
		if err == io.EOF {
			return
		}
		if err != nil {
			b.Fatal(err)
		}
		f(&t)
	}
}

// held returns how many bytes all trees of a text take, with their symbols.
func held(b *testing.B, f *read.Format, data []byte, o format.Options) float64 {
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // frees the memory that the first call has found
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	o.Symbols = index.NewSymbols()
	var trees []*index.Tree
	readTrees(b, f.Open(bytes.NewReader(data), o), func(t *index.Tree) { trees = append(trees, t.Clone()) })
	after := heap()
	runtime.KeepAlive(data)
	runtime.KeepAlive(trees)
	runtime.KeepAlive(o.Symbols)
	return after - before
}
