package stk

import (
	"testing"

	"fstore/index"
)

// TestCodeReaderReadsOn: of a code that continues the one before only the new steps are read, so
// that all prefixes of a code of n steps take n steps and not n²/2. What the reader knows of the
// first step is spoilt here, and must stay so.
func TestCodeReaderReadsOn(t *testing.T) {
	s := index.NewSymbols()
	a := s.Intern(index.Labels, []byte("A"))
	prod := s.InternProduction(a, []index.Child{{Sym: a}})
	r := Space{}.NewCodeReader(s).(*codeReader)
	code := index.Code(index.AppendStep(nil, index.Step{Sym: prod}))
	if err := r.Read(code); err != nil {
		t.Fatal(err)
	}
	r.text[1] = 'X'
	const n = 1000
	for range n {
		code = index.AppendStep(code, index.Step{Sym: prod})
		if err := r.Read(code); err != nil {
			t.Fatal(err)
		}
	}
	if text := string(r.AppendText(nil)); text[:7] != "(X (A (" || len(text) != len("(A )")*(n+1)-1+len(" (A)") {
		t.Errorf("%s, %d bytes", text[:7], len(text))
	}
	if len(r.cells) != 2*(n+1) {
		t.Errorf("%d cells", len(r.cells))
	}
}
