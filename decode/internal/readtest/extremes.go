package readtest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"fstore/decode/format"
	"fstore/index"
)

// Extreme is an input with very deep, wide or long trees, and the expected result.
type Extreme struct {
	Text    string
	Refused int // number of refused samples, each with one error
	Items   int // number of nodes or tokens in all other samples
}

// Extremes checks that a reader reads these inputs. If its time grows faster than the input, the test takes
// minutes.
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
