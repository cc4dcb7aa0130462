package stk

import (
	"testing"

	"fstore/index"
)

// TestCodeReaderReadsOn: if a code continues the code before, only its new steps are read. So the changed
// text of the first step must stay changed.
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
