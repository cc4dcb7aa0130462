package conll09

import (
	"testing"

	"fstore/decode/conllu"
	"fstore/decode/format"
	"fstore/decode/internal/readtest"

	"github.com/cockroachdb/datadriven"
)

var reader = readtest.Reader{Format: &Format, Print: &conllu.Format}

func TestCases(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) { reader.Cases(t, path) })
}

// FuzzReader starts from the inputs of the cases.
func FuzzReader(f *testing.F) {
	reader.Fuzz(f, readtest.Inputs(f, "testdata"), format.Options{MaxText: 150})
}
