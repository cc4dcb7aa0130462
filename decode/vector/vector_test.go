package vector

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fstore/store/runfile"
)

// write writes vectors in a format, and closes the writer. It checks that no scratch file is left.
func write(t testing.TB, format string, o Options, vectors ...Vector) []byte {
	t.Helper()
	f, err := Lookup(format)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	fs := vfs.NewMem()
	o.Scratch = runfile.Dir{FS: fs, Path: "scratch"}
	w := f.Open(&out, o)
	for i := range vectors {
		if err := w.Write(&vectors[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := fs.List(""); err != nil || len(left) > 0 {
		t.Errorf("%s: left %v, %v", format, left, err)
	}
	return out.Bytes()
}

// few are vectors with the unusual features that some formats treat in a special way.
var few = []Vector{
	{Sample: "a.mrg#1", Label: "1", ID: []uint32{1, 7, math.MaxUint32}, Value: []float64{1, 2, 0.1}},
	{Sample: "", Label: "0"},
	{Sample: `b |c:1 "日本`, Label: "-1,+2", ID: []uint32{3, 4, 5}, Value: []float64{0.1, 0.1, 1e-300}},
	{Sample: strings.Repeat("é", 300), Label: "0.5", ID: []uint32{2}, Value: []float64{math.MaxFloat64}},
}

// TestText shows what the text formats write.
func TestText(t *testing.T) {
	text := func(id uint32) ([]byte, error) { return []byte(`(NN "` + strings.Repeat("x", int(id%4)) + `")`), nil }
	for _, c := range []struct {
		format string
		o      Options
		want   string
	}{
		{"svmlight", Options{}, `1 1:1 7:2 4294967295:0.1
0
-1,+2 3:0.1 4:0.1 5:1e-300
`},
		{"vw", Options{}, `1 'a.mrg#1 | 1 7:2 4294967295:0.1
0 |
-1,+2 'b__c_1_"日本 | 3:0.1 4:0.1 5:1e-300
`},
		{"jsonl", Options{}, `{"sample":"a.mrg#1","labels":[1],"features":[1,7,4294967295],"values":[1,2,0.1]}
{"sample":"","labels":[0],"features":[],"values":[]}
{"sample":"b |c:1 \"日本","labels":[-1,2],"features":[3,4,5],"values":[0.1,0.1,1e-300]}
`},
		{"jsonl", Options{Text: text}, `{"sample":"a.mrg#1","labels":[1],"features":["(NN \"x\")","(NN \"xxx\")","(NN \"xxx\")"],"values":[1,2,0.1]}
{"sample":"","labels":[0],"features":[],"values":[]}
{"sample":"b |c:1 \"日本","labels":[-1,2],"features":["(NN \"xxx\")","(NN \"\")","(NN \"x\")"],"values":[0.1,0.1,1e-300]}
`},
	} {
		if diff := cmp.Diff(c.want, string(write(t, c.format, c.o, few[:3]...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.format, diff)
		}
	}
}

// drawVectors draws vectors, some without features, some with several labels.
func drawVectors(r *rapid.T) (vectors []Vector) {
	label := rapid.SampledFrom([]string{"0", "1", "+1", "-1", "2", "0.25", "1,2", "3,1,2", "1e3"})
	name := rapid.OneOf(rapid.StringMatching(`[a-z]{0,5}#[0-9]`), rapid.String())
	value := rapid.OneOf(rapid.Just(1.0), rapid.Just(0.4), rapid.Float64Range(-1e300, 1e300))
	for range rapid.IntRange(0, 20).Draw(r, "rows") {
		v := Vector{Sample: strings.ToValidUTF8(name.Draw(r, "name"), "?"), Label: label.Draw(r, "label")}
		id := uint32(0)
		for range rapid.IntRange(0, 30).Draw(r, "features") {
			id += rapid.Uint32Range(1, 1<<rapid.IntRange(0, 26).Draw(r, "bits")).Draw(r, "gap")
			v.ID, v.Value = append(v.ID, id), append(v.Value, value.Draw(r, "value"))
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// same checks that all formats have the same content for these vectors.
func same(t testing.TB, vectors []Vector) {
	t.Helper()
	for _, f := range Formats() {
		if readers[f.Name] == nil {
			t.Fatalf("readers has none of %s", f.Name)
		}
		got := readers[f.Name](t, write(t, f.Name, Options{Features: math.MaxUint32}, vectors...))
		if len(got) != len(vectors) {
			t.Fatalf("%s: %d rows, want %d", f.Name, len(got), len(vectors))
		}
		for i, v := range vectors {
			switch f.Name {
			case "svmlight": // which has no names
				v.Sample = ""
			case "vw":
				v.Sample = string(appendTag(nil, v.Sample))
			case "mtx":
				v.Sample = mtxText(v.Sample)
			case "npz": // NumPy takes zeros at the end for the filling
				v.Sample = strings.TrimRight(v.Sample, "\x00")
			}
			want := row{v.Sample, labels(t, v.Label), v.ID, v.Value}
			if g := got[i]; g.Sample != want.Sample || !slices.Equal(g.Labels, want.Labels) ||
				!slices.Equal(g.Features, want.Features) || !slices.Equal(g.Values, want.Values) {
				t.Fatalf("%s: row %d is\n%+v, want\n%+v", f.Name, i, g, want)
			}
		}
	}
}

// TestSameMatrix reads back what every format has written.
func TestSameMatrix(t *testing.T) {
	same(t, few)
	same(t, nil)
	rapid.Check(t, func(r *rapid.T) { same(t, drawVectors(r)) })
}

// FuzzSameMatrix is TestSameMatrix with vectors from fuzzed bytes.
func FuzzSameMatrix(f *testing.F) {
	f.Add(make([]byte, 4096))
	f.Fuzz(func(t *testing.T, b []byte) {
		rapid.MakeFuzz(func(r *rapid.T) { same(t, drawVectors(r)) })(t, b)
	})
}

// many returns more vectors than fit into a batch, a column in memory or the remembered values. They have
// some 400,000 values, and every second value is new.
func many() (vectors []Vector) {
	x := 0.0
	for i := range 10_000 {
		v := Vector{Sample: strings.Repeat("n", i%100), Label: []string{"1", "2"}[i%2]}
		for k := range i % 80 {
			x++
			v.ID, v.Value = append(v.ID, uint32(1+k*997)), append(v.Value, math.Sqrt(x)*float64(k%2))
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// TestManyVectors reads back vectors that do not fit into memory buffers.
func TestManyVectors(t *testing.T) { same(t, many()) }

// failing is a writer that fails after a number of bytes.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// whole are the formats that write nothing to the output before they are closed.
var whole = map[string]bool{"npz": true, "parquet": true, "arrow": true, "mtx": true}

// Every format passes complete vectors on when it is flushed, and returns the error of the writer.
func TestFormatsFlushAndFail(t *testing.T) {
	v := Vector{Label: "1"}
	for id := range uint32(100) {
		v.ID, v.Value = append(v.ID, id+1), append(v.Value, 0)
	}
	for _, f := range Formats() {
		o := Options{Features: 100, Scratch: runfile.Dir{FS: vfs.NewMem(), Path: "scratch"}}
		var out bytes.Buffer
		w := f.Open(&out, o)
		if err := errors.Join(w.Flush(), w.Write(&v), w.Flush()); err != nil || out.Len() == 0 && !whole[f.Name] {
			t.Errorf("%s: %v, %d bytes after a flush", f.Name, err, out.Len())
		}
		Discard(w)
		w = f.Open(&failing{left: 1 << 10}, o)
		var err error
		for n := 0; err == nil && n < 1<<13; n++ {
			err = w.Write(&v)
		}
		if err == nil && whole[f.Name] {
			err = w.Close()
		}
		if !errors.Is(err, errFull) {
			t.Errorf("%s: writes to what is full say %v", f.Name, err)
		}
		Discard(w)
		w = f.Open(&failing{}, o)
		if err := errors.Join(w.Write(&v), w.Close()); !errors.Is(err, errFull) {
			t.Errorf("%s: closing what is full says %v", f.Name, err)
		}
		Discard(w)
		if left, err := o.Scratch.FS.List(""); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", f.Name, left, err)
		}
	}
}

// A label that is not a number is refused by the formats that need numbers.
func TestLabelIsNoNumber(t *testing.T) {
	for _, f := range Formats() {
		w := f.Open(io.Discard, Options{})
		err := w.Write(&Vector{Label: "1,pets"})
		if text := f.Name == "svmlight" || f.Name == "vw"; text != (err == nil) {
			t.Errorf("%s: %v", f.Name, err)
		}
		Discard(w)
	}
}

func TestLookup(t *testing.T) {
	for _, name := range Names() {
		if f, err := Lookup(name); err != nil || f.Name != name {
			t.Errorf("%s: %v, %v", name, f.Name, err)
		}
	}
	_, err := Lookup("xml")
	if want := `no vector format "xml": there are ` + strings.Join(Names(), ", "); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Vectors with repeated values are written without allocation in the formats that do not wait for Close.
func TestAllocatesNothing(t *testing.T) {
	v := Vector{Sample: "a.mrg#1", Label: "1", ID: []uint32{1, 300, 70_000, 1 << 30}, Value: []float64{1, 0.4, 0.16, 0.4}}
	for _, name := range []string{"svmlight", "vw", "jsonl", "msgpack"} {
		f, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		w := f.Open(io.Discard, Options{})
		if n := testing.AllocsPerRun(1000, func() {
			if err := errors.Join(w.Write(&v), w.Flush()); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations a vector", name, n)
		}
	}
}
