package svmtk

import (
	"testing"

	"fstore/decode/format"
	"fstore/decode/internal/readtest"

	"github.com/cockroachdb/datadriven"
)

func TestCases(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		readtest.Cases(t, &Format, path)
	})
}

// FuzzReader starts from the inputs of the cases.
func FuzzReader(f *testing.F) {
	readtest.Fuzz(f, &Format, readtest.Inputs(f, "testdata"), format.Options{Tree: 2}, format.Options{MaxText: 24})
}
