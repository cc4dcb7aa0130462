package draw

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"fstore/decode/format"
	"fstore/decode/format/conllu"
	"fstore/decode/format/ptb"
	"fstore/index"
)

// TestPictures draws trees and fragments. The inputs are `ptb`, `conllu` (columns separated by blanks, with ~
// for a space in a word) or `fragment`, with a width.
func TestPictures(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var o Options
			d.MaybeScanArgs(t, "width", &o.Width)
			tree, s, err := read(d.Cmd, d.Input)
			if err != nil {
				return err.Error() + "\n"
			}
			picture := Text(nil, tree, s, o)
			if d.HasArg("marked") { // the first two nodes or words
				o.Marked = []int32{0, 1}
			}
			switch {
			case d.HasArg("svg"):
				picture = SVG(nil, tree, s, o)
			case d.HasArg("upright"):
				picture = append(Upright(nil, tree, s, o.Marked), '\n')
			}
			return strings.ReplaceAll(string(picture), "\n\n", "\n")
		})
	})
}

// read reads one tree.
func read(kind, text string) (*index.Tree, *index.Symbols, error) {
	s := index.NewSymbols()
	if kind == "fragment" {
		t, err := Fragment(text, s)
		return t, s, err
	}
	var src index.Source = ptb.Open(strings.NewReader(text), format.Options{Symbols: s})
	if kind == "conllu" {
		src = conllu.Open(strings.NewReader(rowsOf(text)), format.Options{Symbols: s})
	}
	t := new(index.Tree)
	err := src.Next(t)
	if errors.Is(err, io.EOF) {
		err = errors.New("nothing")
	}
	return t, s, err
}

// rowsOf makes rows of CoNLL-U from lines `form tag head relation`.
func rowsOf(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		for i := range f {
			f[i] = strings.ReplaceAll(f[i], "~", " ")
		}
		n++
		b.WriteString(strings.Join([]string{strconv.Itoa(n), f[0], "_", f[1], "_", "_", f[2], f[3], "_", "_"}, "\t") + "\n")
	}
	return b.String()
}
