package gradient

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

// FuzzFeature reads any bytes as features. The only error is errStream, and a feature that was read must be
// the same after writing and reading it again.
func FuzzFeature(f *testing.F) {
	var b []byte
	last := index.Code(nil)
	for _, x := range []feature{
		{index.Code("a"), 1, 2},
		{index.Code("ab"), 14, 15},
		{index.Code("abcdefghijklmnopqrstuvwxyz"), 15, 0},
		{index.Code("b"), math.MaxUint32, 16},
		{index.Code("b"), 0, 0},
	} {
		b = appendFeature(b, last, &x)
		last = x.code
	}
	f.Add(b)
	f.Add([]byte{0xFF, 0x80})
	f.Add([]byte{0x01, 'a', 0xF0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var x, y feature
		for len(b) > 0 {
			before := bytes.Clone(x.code)
			rest, err := cutFeature(b, &x)
			if err != nil {
				if err != errStream {
					t.Fatal(err)
				}
				return
			}
			y.code = bytes.Clone(before)
			left, err := cutFeature(appendFeature(nil, before, &x), &y)
			if err != nil || len(left) > 0 || !bytes.Equal(x.code, y.code) || x.a != y.a || x.b != y.b {
				t.Fatalf("%v: %x %d %d, again %x %d %d, %d left", err, x.code, x.a, x.b, y.code, y.a, y.b, len(left))
			}
			b = rest
		}
	})
}

// A stream has the same features in memory, in a file, and partly in each. It leaves no file.
func TestStream(t *testing.T) {
	for _, budget := range []int64{0, blockSize, 3 * blockSize, math.MaxInt64} {
		s := &streamFiles{fs: vfs.NewMem(), budget: budget}
		out := &stream{s: s}
		const n = 100_000
		var x feature
		for i := range uint32(n) {
			x.code = index.AppendStep(x.code[:0], index.Step{Sym: i + 1})
			x.a, x.b = i%20, i%31
			if err := out.add(&x); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.finish(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			i := uint32(0)
			err := out.each(func(f *feature) error {
				if want := index.AppendStep(nil, index.Step{Sym: i + 1}); !bytes.Equal(f.code, want) || f.a != i%20 || f.b != i%31 {
					t.Fatalf("feature %d: %x %d %d", i, f.code, f.a, f.b)
				}
				i++
				return nil
			})
			if err != nil || i != n || out.n != n {
				t.Fatal(i, out.n, err)
			}
		}
		if spilled := s.bytes.Load() > 0; spilled != (budget < math.MaxInt64) || s.held.Load() > budget {
			t.Errorf("budget %d: %d bytes written, %d held", budget, s.bytes.Load(), s.held.Load())
		}
		if err := out.remove(); err != nil {
			t.Fatal(err)
		}
		if left, err := s.fs.List(""); err != nil || len(left) > 0 || s.held.Load() != 0 {
			t.Errorf("budget %d: %v, %v, %d held", budget, left, err, s.held.Load())
		}
	}
}

// A stream can load the features that it has copied. If the number of features or of bytes is different, load
// returns an error.
func TestLoad(t *testing.T) {
	s := &streamFiles{fs: vfs.NewMem(), budget: math.MaxInt64}
	out := &stream{s: s}
	for i := range uint32(50_000) {
		if err := out.add(&feature{index.AppendStep(nil, index.Step{Sym: i + 1}), i % 20, 1}); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	if err := errors.Join(out.finish(), out.copy(w), w.Flush()); err != nil || int64(b.Len()) != out.size {
		t.Fatal(err, b.Len(), out.size)
	}
	for _, x := range []struct {
		less int // how many bytes are missing
		n    uint64
		want error
	}{{0, out.n, nil}, {0, out.n + 1, errStream}, {0, out.n - 1, errStream}, {b.Len() / 2, out.n, io.ErrUnexpectedEOF}, {b.Len(), out.n, errStream}} {
		var sum uint32
		var again stream
		again.s = s
		err := again.load(bytes.NewReader(b.Bytes()[:b.Len()-x.less]), int64(b.Len()), x.n, func(f *feature) { sum += f.a })
		if !errors.Is(err, x.want) || err == nil && sum != 50_000/20*190 {
			t.Errorf("%+v: %v, %d", x, err, sum)
		}
	}
}

// noFiles is a file system that cannot make files.
type noFiles struct{ vfs.FS }

var errNoFile = errors.New("no file")

func (noFiles) Create(string, vfs.DiskWriteCategory) (vfs.File, error) { return nil, errNoFile }

// If a file cannot be made, add, and finish after it, return that error.
func TestNoFile(t *testing.T) {
	x := &stream{s: &streamFiles{fs: noFiles{vfs.NewMem()}}}
	var err error
	for i := byte(0); err == nil; i++ {
		err = x.add(&feature{code: bytes.Repeat([]byte{i}, blockSize/8)})
	}
	if !errors.Is(err, errNoFile) {
		t.Fatal(err)
	}
	if err := x.finish(); !errors.Is(err, errNoFile) {
		t.Fatal(err)
	}
	if err := x.remove(); err != nil {
		t.Fatal(err)
	}
}
