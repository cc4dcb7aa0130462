package decode

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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

// endless is a source of one tree, over and over, that counts how often it was read.
type endless struct {
	tree *index.Tree
	read atomic.Int64
}

func (e *endless) Next(t *index.Tree) error {
	e.read.Add(1)
	t.Reset()
	t.Nodes = append(t.Nodes, e.tree.Nodes...)
	return nil
}

// slow is a vector.Writer that writes when it may, and fails at the end.
type slow struct{ may chan struct{} }

var errGone = errors.New("gone")

func (s slow) Write(*vector.Vector) error {
	if _, ok := <-s.may; !ok {
		return errGone
	}
	return nil
}
func (s slow) Flush() error { return nil }
func (s slow) Close() error { return nil }

// TestStreamHoldsBack: however much input there is, no more is read than the batches hold
// while nobody takes the vectors; and when nobody ever will, the run ends.
func TestStreamHoldsBack(t *testing.T) {
	s := textStore(t, "(A x)\n(A x)\n", "stk")
	l, err := NewLinearizer(s, LinearizerOptions{Features: []FeatureSet{{Space: stk.Space{}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var tree index.Tree
	if err := s.Sample(0, &tree); err != nil {
		t.Fatal(err)
	}
	const workers = 2
	w := slow{make(chan struct{})}
	src := &endless{tree: &tree}
	stream := l.NewStream(context.Background(), w, StreamOptions{Workers: workers})
	ended := make(chan error)
	go func() { ended <- stream.Run(src) }()
	// All batches, and the tree that waits for one more.
	full := int64(cap(stream.free)*batchTrees + 1)
	for taken := range int64(5) {
		for end := time.Now().Add(20 * time.Second); src.read.Load() < full+taken*batchTrees; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d trees read, want %d", src.read.Load(), full+taken*batchTrees)
			}
		}
		time.Sleep(5 * time.Millisecond)
		if got := src.read.Load(); got != full+taken*batchTrees {
			t.Fatalf("%d trees read while %d batches were taken, want %d", got, taken, full+taken*batchTrees)
		}
		for range batchTrees {
			w.may <- struct{}{}
		}
	}
	close(w.may)
	if err := <-ended; !errors.Is(err, errGone) {
		t.Fatal(err)
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
