package readtest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"fstore/decode/format"
	"fstore/index"
)

// Extreme is a very deep, wide or long input, with the expected result.
type Extreme struct {
	Text    string
	Refused int // number of refused samples, and of errors
	Items   int // number of nodes or tokens of all good samples
}

// Extremes reads the inputs. If a reader needs more than linear time, the test takes minutes.
func (r Reader) Extremes(t *testing.T, inputs map[string]Extreme) {
	for name, in := range inputs {
		t.Run(name, func(t *testing.T) {
			src := r.Format.Open(strings.NewReader(in.Text), format.Options{Symbols: index.NewSymbols()})
			var tree index.Tree
			refused, items := 0, 0
			for {
				err := src.Next(&tree)
				var bad *index.InputError
				if err == io.EOF {
					break
				}
				switch {
				case err == nil:
					items += len(tree.Nodes) + len(tree.Tokens)
				case errors.As(err, &bad):
					refused++
				default:
					t.Fatal(err)
				}
			}
			if refused != in.Refused || items != in.Items {
				t.Errorf("%d refused, %d nodes or tokens; want %d, %d", refused, items, in.Refused, in.Items)
			}
		})
	}
}
