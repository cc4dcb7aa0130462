package conllu

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"fstore/decode/format"
	"fstore/decode/internal/readtest"
)

func TestCases(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		readtest.Reader{Format: &Format}.Cases(t, path)
	})
}

// FuzzReader starts from the inputs of the cases.
func FuzzReader(f *testing.F) {
	readtest.Reader{Format: &Format}.Fuzz(f, readtest.Inputs(f, "testdata"), format.Options{MaxText: 120})
}
