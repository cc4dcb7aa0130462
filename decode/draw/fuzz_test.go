package draw

import (
	"testing"

	"fstore/index"
)

// FuzzFragment draws every text that is a fragment.
func FuzzFragment(f *testing.F) {
	for _, text := range []string{
		"(NP (DT the) (NN))", "PRON <nsubj VERB >obj (DET <det NOUN)", "the", `(\e \x01 \(a)`, "(A (B >c))", "((A >b C) <d E)",
	} {
		f.Add(text, 20)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		if len(text) > 1<<12 {
			return
		}
		s := index.NewSymbols()
		tree, err := Fragment(text, s)
		if err != nil {
			return
		}
		o := Options{Width: min(width, 1<<10)}
		if len(Text(nil, tree, s, o)) == 0 || len(SVG(nil, tree, s, o)) == 0 {
			t.Fatal("no picture")
		}
	})
}
