package vector

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// write writes vectors in a format, and closes.
func write(t testing.TB, format string, vectors ...Vector) string {
	t.Helper()
	f, err := Lookup(format)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := f.Open(&out, Options{Features: math.MaxUint32})
	for i := range vectors {
		if err := w.Write(&vectors[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSVMLight(t *testing.T) {
	got := write(t, "svmlight",
		Vector{Label: "1", ID: []uint32{1, 7, math.MaxUint32}, Value: []float64{1, 2, 0.1}},
		Vector{Label: "0"},
		Vector{Label: "-1,2", ID: []uint32{3, 4, 5}, Value: []float64{0.1, 0.1, 1e-300}},
		Vector{Label: "0.5", ID: []uint32{2}, Value: []float64{math.MaxFloat64}},
	)
	const want = `1 1:1 7:2 4294967295:0.1
0
-1,2 3:0.1 4:0.1 5:1e-300
0.5 2:1.7976931348623157e+308
`
	if got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// Every value reads back as it was, also where there are more than are remembered.
func TestSVMLightValuesReadBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		v := Vector{Label: "1", Value: rapid.SliceOf(rapid.Float64Range(-1e300, 1e300)).Draw(r, "values")}
		v.Value = append(v.Value, v.Value...)
		checkValues(r, write(t, "svmlight", number(v)), v.Value)
	})
	many := Vector{Label: "1"}
	for i := range 2*maxValues + 1 {
		many.Value = append(many.Value, float64(i)/7)
	}
	checkValues(t, write(t, "svmlight", number(many)), many.Value)
}

// number gives the values of a vector ids.
func number(v Vector) Vector {
	for i := range v.Value {
		v.ID = append(v.ID, uint32(i)+1)
	}
	return v
}

func checkValues(t rapid.TB, line string, want []float64) {
	fields := strings.Fields(line)[1:]
	if len(fields) != len(want) {
		t.Fatalf("%d entries, want %d", len(fields), len(want))
	}
	for i, f := range fields {
		_, text, _ := strings.Cut(f, ":")
		if x, err := strconv.ParseFloat(text, 64); err != nil || x != want[i] {
			t.Fatalf("%s, %v: want %v", f, err, want[i])
		}
	}
}

// failing fails from some byte on.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// Every format hands on what is complete when it is told to, and what becomes of it.
func TestFormatsFlushAndFail(t *testing.T) {
	v := number(Vector{Label: "1", Value: make([]float64, 100)})
	for _, f := range Formats() {
		var out bytes.Buffer
		w := f.Open(&out, Options{Features: 100})
		if err := errors.Join(w.Flush(), w.Write(&v), w.Flush()); err != nil || out.Len() == 0 {
			t.Errorf("%s: %v, %d bytes after a flush", f.Name, err, out.Len())
		}
		w = f.Open(&failing{left: 1 << 20}, Options{Features: 100})
		var err error
		for n := 0; err == nil && n < 1<<14; n++ {
			err = w.Write(&v)
		}
		if !errors.Is(err, errFull) {
			t.Errorf("%s: writes to what is full say %v", f.Name, err)
		}
		w = f.Open(&failing{}, Options{Features: 100})
		if err := errors.Join(w.Write(&v), w.Close()); !errors.Is(err, errFull) {
			t.Errorf("%s: closing what is full says %v", f.Name, err)
		}
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

// Vectors that repeat their values are written without allocating.
func TestSVMLightAllocatesNothing(t *testing.T) {
	f, err := Lookup("svmlight")
	if err != nil {
		t.Fatal(err)
	}
	w := f.Open(io.Discard, Options{})
	v := number(Vector{Label: "1", Value: []float64{1, 0.4, 0.16, 0.4}})
	if n := testing.AllocsPerRun(1000, func() {
		if err := errors.Join(w.Write(&v), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations a vector", n)
	}
}
