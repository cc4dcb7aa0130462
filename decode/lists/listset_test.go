package lists

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fstore/decode/internal/readtest"
	"fstore/decode/read"
	"fstore/index"
)

// sizedLists is a source of lists with one candidate each, which has the given number of tokens. The score of
// a candidate is the number of its list. Before some lists, no input is waiting.
type sizedLists struct {
	t     *rapid.T
	sizes []int
	end   error
	idle  func()
	idles []bool // by list

	read, held, nodes int // held and nodes are since Release
}

func (s *sizedLists) NextList(l *read.List) error {
	l.Reset()
	if s.read == len(s.sizes) {
		return s.end
	}
	if s.held >= batchLists || s.nodes >= listNodes {
		s.t.Fatalf("%d lists with %d nodes are held, and another is read", s.held, s.nodes)
	}
	*l.Next() = index.Tree{Tokens: make([]index.Token, s.sizes[s.read]), Score: float64(s.read)}
	l.Add(false)
	if s.idles[s.read] {
		s.idle()
	}
	s.nodes += s.sizes[s.read]
	s.read++
	s.held++
	return nil
}

func (s *sizedLists) Release() { s.held, s.nodes = 0, 0 }

// The work for every list is done once, and in order, for any size of the lists, any number of workers and
// any pauses. At a pause, the work is done for all lists read so far.
func TestListBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := &sizedLists{t: t, end: io.EOF}
		if rapid.Bool().Draw(t, "error") {
			src.end = errors.New("the end")
		}
		many := rapid.IntRange(0, 2*batchLists).Draw(t, "small")
		for range many {
			src.sizes = append(src.sizes, 1)
		}
		for range rapid.IntRange(0, 4).Draw(t, "large") {
			at := rapid.IntRange(0, len(src.sizes)).Draw(t, "at")
			src.sizes = slices.Insert(src.sizes, at, listNodes/3)
		}
		src.idles = make([]bool, len(src.sizes))
		for range rapid.IntRange(0, 5).Draw(t, "idles") {
			if n := len(src.sizes); n > 0 {
				src.idles[rapid.IntRange(0, n-1).Draw(t, "idle")] = true
			}
		}
		worked := make([]float64, batchLists)
		start := func() listWork {
			return func(_ context.Context, from int, lists []read.List, _ []error) error {
				for i := range lists {
					worked[from+i] = lists[i].Candidates[0].Score
				}
				return nil
			}
		}
		done := 0
		b := newListBatches(context.Background(), rapid.IntRange(1, 5).Draw(t, "workers"), start, func(i int, l *read.List) error {
			if want := float64(done); worked[i] != want || l.Candidates[0].Score != want {
				t.Fatalf("list %d: %v worked on, %v done", done, worked[i], l.Candidates[0].Score)
			}
			done++
			return nil
		})
		src.idle = func() {
			if b.Idle(); done != src.read {
				t.Fatalf("%d of %d done", done, src.read)
			}
		}
		want := src.end
		if want == io.EOF {
			want = nil
		}
		if err := runLists(b, src); err != want || done != len(src.sizes) {
			t.Fatalf("%d of %d done, %v", done, len(src.sizes), err)
		}
	})
}

// An error about one list ends the run after the lists before it. An error about all lists ends the run too.
// It is returned for any number of workers, even if it came while no input was waiting.
func TestListBatchesFail(t *testing.T) {
	one, all := errors.New("list 7"), errors.New("all")
	for workers := 1; workers < 12; workers++ {
		for _, whole := range []error{nil, all} {
			for _, idle := range []bool{false, true} {
				src := &sizedLists{sizes: make([]int, 10), idles: make([]bool, 10), end: io.EOF}
				start := func() listWork {
					return func(_ context.Context, from int, lists []read.List, failed []error) error {
						for i := range lists {
							if from+i == 7 {
								failed[i] = one
								return whole
							}
						}
						return nil
					}
				}
				done, want := 0, 7
				if whole != nil {
					want = 0
				}
				b := newListBatches(context.Background(), workers, start, func(int, *read.List) error { done++; return nil })
				if idle {
					src.idles[9], src.idle = true, b.Idle
				}
				err := runLists(b, src)
				if wrong := done != want || whole == nil && err != one || whole != nil && err != whole; wrong {
					t.Errorf("%d workers, %v, idle %v: %d done, %v", workers, whole, idle, done, err)
				}
			}
		}
	}
}

// If a candidate was converted, its tree before the conversion counts too.
func TestListNodes(t *testing.T) {
	text := fmt.Sprint("# sent_id = x\n# candidate = 1\n", readtest.Word("a"), "\n# sent_id = x\n# candidate = 2\n", readtest.Word("a"), "\n")
	for as, want := range map[string]int{"": 2, "grct": 0} {
		o := read.InputOptions{Symbols: index.NewSymbols(), Stdin: strings.NewReader(text), Format: "conllu"}
		o.As.Shape = as
		in, err := read.OpenLists([]string{"-"}, o)
		if err != nil {
			t.Fatal(err)
		}
		var l read.List
		if err := in.NextList(&l); err != nil {
			t.Fatal(err)
		}
		if as != "" {
			want = 2 + 2*len(l.Candidates[0].Nodes)
		}
		if got := l.Nodes(); got != want {
			t.Errorf("as %q: %d nodes, want %d", as, got, want)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}
