package linearize_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/stk"
)

// calls is a vector.Writer that records its calls.
type calls struct{ made strings.Builder }

func (c *calls) Write(*vector.Vector) error { c.made.WriteByte('w'); return nil }

func (c *calls) Flush() error { c.made.WriteByte('f'); return nil }

func (c *calls) Close() error { return nil }

// pausing is a source of n samples. After some of them, no input is waiting.
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

// TestStreamFlushes: vectors are flushed once whenever the input pauses, and at its end, for any number of
// workers. A pause after a whole batch flushes the vectors too.
func TestStreamFlushes(t *testing.T) {
	const n = 2*linearize.BatchTrees + 10
	text := randomBrackets(n, 1)
	s := textStore(t, text, "stk")
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want := "w" + "f" + strings.Repeat("w", linearize.BatchTrees) + "f" + strings.Repeat("w", n-linearize.BatchTrees-1) + "f"
	for range 20 {
		for _, workers := range []int{1, 3} {
			var w calls
			stream := l.NewStream(context.Background(), &w, linearize.StreamOptions{Workers: workers})
			in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: l.ReaderSymbols(), Stdin: strings.NewReader(text)})
			if err != nil {
				t.Fatal(err)
			}
			src := &pausing{in, 0, map[int]int{0: 1, 1: 2, linearize.BatchTrees + 1: 1}, stream.Idle}
			if err := errors.Join(stream.Run(src), in.Close()); err != nil || w.made.String() != want {
				t.Fatalf("%d workers: %v\n%s, want\n%s", workers, err, w.made.String(), want)
			}
		}
	}
}

// slow is a vector.Writer that writes only when it is allowed to, and fails at the end.
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

// TestStreamHoldsBack: while nobody takes the vectors, no more input is read than the batches can hold. If
// nobody ever takes them, the run ends.
func TestStreamHoldsBack(t *testing.T) {
	s := textStore(t, "(A x)\n(A x)\n", "stk")
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}}}})
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
	src := &endless{Tree: &tree}
	stream := l.NewStream(context.Background(), w, linearize.StreamOptions{Workers: workers})
	ended := make(chan error)
	go func() { ended <- stream.Run(src) }()
	// The number of trees in all batches, and the tree that waits for the next batch.
	full := int64(stream.Batches()*linearize.BatchTrees + 1)
	for taken := range int64(5) {
		for end := time.Now().Add(20 * time.Second); src.Read.Load() < full+taken*linearize.BatchTrees; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d trees read, want %d", src.Read.Load(), full+taken*linearize.BatchTrees)
			}
		}
		time.Sleep(5 * time.Millisecond)
		if got := src.Read.Load(); got != full+taken*linearize.BatchTrees {
			t.Fatalf("%d trees read while %d batches were taken, want %d", got, taken, full+taken*linearize.BatchTrees)
		}
		for range linearize.BatchTrees {
			w.may <- struct{}{}
		}
	}
	close(w.may)
	if err := <-ended; !errors.Is(err, errGone) {
		t.Fatal(err)
	}
}

// TestExpect: a vocabulary is recognised by its hash.
func TestExpect(t *testing.T) {
	s := textStore(t, randomBrackets(20, 1), "stk")
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Expect(l.VectorOptions().Vocabulary); err != nil {
		t.Error(err)
	}
	if err := l.Expect("0000000000000000"); !errors.Is(err, linearize.ErrDrifted) {
		t.Error(err)
	}
	for _, bad := range []string{"", "17", "+123456789abcdef", "0123456789abcdefg"} {
		if option := (*read.OptionError)(nil); !errors.As(l.Expect(bad), &option) {
			t.Errorf("%q passes for a hash", bad)
		}
	}
}

// TestFragmentTexts: the text of a feature is that of the vocabulary, the first time and later.
func TestFragmentTexts(t *testing.T) {
	s := textStore(t, randomBrackets(20, 1), "stk")
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	text := l.FragmentTexts()
	err = l.EachFeature(t.Context(), func(x *linearize.Feature) error {
		want := string(l.AppendText(nil, x))
		for range 2 {
			if got, err := text(x.ID); err != nil || string(got) != want {
				t.Errorf("feature %d is %q, %v: want %q", x.ID, got, err, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := text(l.Features() + 1); err == nil {
		t.Error("a feature beyond the last has a text")
	}
}
