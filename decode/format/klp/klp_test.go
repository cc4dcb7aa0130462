package klp

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"fstore/decode/format"
	"fstore/decode/internal/readtest"
)

var reader = readtest.Reader{Format: &Format}

func TestCases(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) { reader.Cases(t, path) })
}

// FuzzReader starts from the inputs of the cases.
func FuzzReader(f *testing.F) {
	reader.Fuzz(f, readtest.Inputs(f, "testdata"), format.Options{Representation: "g"}, format.Options{MaxText: 24})
}
