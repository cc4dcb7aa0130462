package decode

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/stk"
)

// calls is a vector.Writer that notes what is done with it.
type calls struct{ made strings.Builder }

func (c *calls) Write(*vector.Vector) error { c.made.WriteByte('w'); return nil }
func (c *calls) Flush() error               { c.made.WriteByte('f'); return nil }
func (c *calls) Close() error               { return nil }

// pausing is a source of n samples, whose input has nothing waiting after some of them.
type pausing struct {
	src    index.Source
	n      int
	pauses map[int]int // how often, by the number of samples before
	idle   func()
}

func (p *pausing) Next(t *index.Tree) error {
	for range p.pauses[p.n] {
		p.idle()
	}
	p.n++
	return p.src.Next(t)
}

// TestStreamFlushes: vectors are flushed once where the input pauses, and at its end,
// whatever the workers do. A pause after a whole batch flushes it too.
func TestStreamFlushes(t *testing.T) {
	const n = 2*batchTrees + 10
	text := randomBrackets(n, 1)
	s := textStore(t, text, "stk")
	l, err := NewLinearizer(s, LinearizerOptions{Features: []FeatureSet{{Space: stk.Space{}}}, Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want := "w" + "f" + strings.Repeat("w", batchTrees) + "f" + strings.Repeat("w", n-batchTrees-1) + "f"
	for range 20 {
		for _, workers := range []int{1, 3} {
			var w calls
			stream := l.NewStream(context.Background(), &w, StreamOptions{Workers: workers})
			in, err := OpenInputs([]string{"-"}, InputOptions{Symbols: l.ReaderSymbols(), Stdin: strings.NewReader(text)})
			if err != nil {
				t.Fatal(err)
			}
			src := &pausing{in, 0, map[int]int{0: 1, 1: 2, batchTrees + 1: 1}, stream.Idle}
			if err := errors.Join(stream.Run(src), in.Close()); err != nil || w.made.String() != want {
				t.Fatalf("%d workers: %v\n%s, want\n%s", workers, err, w.made.String(), want)
			}
		}
	}
}

// TestExpect: a vocabulary is known by its hash.
func TestExpect(t *testing.T) {
	s := textStore(t, randomBrackets(20, 1), "stk")
	l, err := NewLinearizer(s, LinearizerOptions{Features: []FeatureSet{{Space: stk.Space{}}}, Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Expect(l.VectorOptions().Vocabulary); err != nil {
		t.Error(err)
	}
	if err := l.Expect("0000000000000000"); !errors.Is(err, ErrDrifted) {
		t.Error(err)
	}
	for _, bad := range []string{"", "17", "+123456789abcdef", "0123456789abcdefg"} {
		if option := (*OptionError)(nil); !errors.As(l.Expect(bad), &option) {
			t.Errorf("%q passes for a hash", bad)
		}
	}
}

// TestFragmentTexts: the text of a feature is the vocabulary's, the first time and later.
func TestFragmentTexts(t *testing.T) {
	s := textStore(t, randomBrackets(20, 1), "stk")
	l, err := NewLinearizer(s, LinearizerOptions{Features: []FeatureSet{{Space: stk.Space{}}}, Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	texts := l.FragmentTexts()
	err = l.EachFeature(t.Context(), func(x *Feature) error {
		want := string(l.AppendText(nil, x))
		for range 2 {
			if got, err := texts.Text(x.ID); err != nil || string(got) != want {
				t.Errorf("feature %d is %q, %v: want %q", x.ID, got, err, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := texts.Text(l.Features() + 1); err == nil {
		t.Error("a feature beyond the last has a text")
	}
}
