package ptb

import (
	"io"
	"testing"

	"github.com/cockroachdb/datadriven"

	"fstore/decode/format"
	"fstore/decode/internal/readtest"
	"fstore/index"
)

func TestCases(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		readtest.Reader{Format: &Format}.Cases(t, path)
	})
}

// TestDry reads the inputs of the cases. The brackets of each tree are first only counted.
func TestDry(t *testing.T) {
	dry := Format
	dry.Open = func(in io.Reader, o format.Options) index.Source {
		r := Open(in, o)
		r.dryAfter = 2
		return r
	}
	for _, input := range readtest.Inputs(t, "testdata") {
		want := readtest.Reader{Format: &Format}.Read(t, input, format.Options{})
		if got := (readtest.Reader{Format: &dry}).Read(t, input, format.Options{}); got.Report != want.Report {
			t.Errorf("%q: dry:\n%swant:\n%s", input, got.Report, want.Report)
		}
	}
}

// FuzzReader starts from the inputs of the cases.
func FuzzReader(f *testing.F) {
	readtest.Reader{Format: &Format}.Fuzz(f, readtest.Inputs(f, "testdata"), format.Options{StripTraces: true, StripFunctions: true}, format.Options{MaxText: 24})
}
