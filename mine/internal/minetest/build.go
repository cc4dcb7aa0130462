// Package minetest has what tests of several packages under mine need: random treebanks, stores of them, and
// the contents of a store as text.
package minetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/maintain"
	"fstore/store"
	"fstore/store/filetest"
	"fstore/store/posting"
)

// RandomSource yields n random trees over few symbols.
type RandomSource struct {
	b    index.Builder
	r    *rand.Rand
	n    int
	Fail error // the error after the last tree
}

func NewSource(s *index.Symbols, seed uint64, skip, n int) *RandomSource {
	src := &RandomSource{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(seed, 0)), n: skip, Fail: io.EOF}
	var t index.Tree
	// Make the skipped trees with symbols of their own, so that the next trees do not depend on where src
	// begins.
	src.b.Symbols = index.NewSymbols()
	for src.Next(&t) == nil {
	}
	src.b.Symbols, src.n = s, n
	return src
}

func (s *RandomSource) Next(t *index.Tree) error {
	if s.n == 0 {
		return s.Fail
	}
	s.n--
	s.b.Start(t, false)
	size := 3 + s.r.IntN(14)
	s.grow(&size, 0)
	t.Name = fmt.Sprint(s.n)
	t.Label = []string{"", "x", "y"}[s.r.IntN(3)]
	return nil
}

// Ahead implements index.Ahead.
func (*RandomSource) Ahead() bool { return true }

func (s *RandomSource) grow(size *int, depth int) {
	*size--
	s.b.Open([]byte{"ABC"[s.r.IntN(3)]})
	for kids := s.r.IntN(4); kids > 0 && *size > 0 && depth < 6; kids-- {
		if s.r.IntN(3) == 0 {
			s.b.Word([]byte{"uvw"[s.r.IntN(3)]})
			continue
		}
		s.grow(size, depth+1)
	}
	s.b.Close()
}

func Request(t testing.TB, args ...string) (c builder.Choice) {
	t.Helper()
	c.MaxOrder = new(int)
	*c.MaxOrder = 4
	for _, a := range args {
		r, err := spaces.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		c.Spaces = append(c.Spaces, r)
	}
	return c
}

const Samples = 120

func Options(t testing.TB, fs vfs.FS, skip, n int, args ...string) builder.Options {
	return builder.Options{
		FS: fs, Spaces: Request(t, args...),
		Source: func(s *index.Symbols) (index.Source, error) { return NewSource(s, 7, skip, n), nil },
		Event:  func() store.Event { return store.Event{Command: "test"} },
	}
}

func Build(t testing.TB, fs vfs.FS, o builder.Options) *store.Store {
	t.Helper()
	if _, err := builder.Run(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	return OpenStore(t, fs)
}

// Dump returns the contents of all spaces of a store, as text.
func Dump(t *testing.T, s *store.Store) string {
	t.Helper()
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, info := range s.Meta().Spaces {
		req, err := spaces.Parse(info.ID)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %v %v %v %d %x\n", info.ID, info.Fragments, info.Candidates, info.Below, info.Features, info.VocabularyHash)
		eachFragment(t, s, &info, func(c index.Code, list string) {
			fmt.Fprintf(&out, "%x %s %s\n", []byte(c), req.Space.AppendText(nil, c, syms), list)
		})
		fmt.Fprintf(&out, "%x\n", filetest.Read(t, s.FS(), s.Path(info.Expansion)))
	}
	return out.String()
}

// eachFragment calls f for the stored fragments of a space. list is the posting list as text.
func eachFragment(t *testing.T, s *store.Store, info *store.SpaceInfo, f func(c index.Code, list string)) {
	t.Helper()
	it, err := s.Iter(info.Number, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for it.Next() {
		ids, counts, places, err := posting.DecodePlaces(it.Value(), s.Meta().Samples, nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		f(it.Key(), fmt.Sprintf("%v %v %v", ids, counts, places))
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
}

func Verify(t *testing.T, s *store.Store, memory int64) (problems []string) {
	t.Helper()
	for _, scratch := range []string{"", "scratch"} {
		err := maintain.Verify(context.Background(), s, maintain.VerifyOptions{Memory: memory, Scratch: scratch}, func(p string) { problems = append(problems, p) })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.FS().Stat(scratch); scratch != "" && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("left: %v", err)
		}
		if memory == 0 {
			break // with memory 0 nothing goes to the scratch directory
		}
	}
	return problems
}

var Variants = [][]string{
	{"stk"},
	{"st"},
	{"sstbow"},
	{"stk:max-order=0,min-support=3", "sstbow:closed,max-order=0", "st:min-support=1"},
	{"stk:closed"},
	{"ptk:max-order=4"},
	{"ptk:mu=1,max-order=3,min-support=1", "stk"},
}

// Resources are the workers and the memory of a build.
type Resources struct {
	Workers int
	Memory  int64
}

// SameHowever builds stores of n > 11 samples: with each of the resources, and by appending. It fails if they
// differ or Verify finds a problem. o(fs, from, to) returns the options for the samples [from, to).
func SameHowever(t *testing.T, n int, o func(fs vfs.FS, from, to int) builder.Options, with ...Resources) {
	t.Helper()
	var want string
	check := func(what string, s *store.Store) {
		t.Helper()
		memory := []int64{0}
		if got := Dump(t, s); want == "" {
			want = got
			memory = append(memory, 1) // once is enough: the other stores are the same
		} else if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s", what, d)
		}
		for _, m := range memory {
			if p := Verify(t, s, m); len(p) > 0 {
				t.Fatalf("%s: %v", what, p)
			}
		}
	}
	for _, c := range with {
		fs := vfs.NewMem()
		o := o(fs, 0, n)
		o.Workers, o.Memory = c.Workers, c.Memory
		check(fmt.Sprintf("%+v", c), Build(t, fs, o))
	}
	for _, increment := range []bool{false, true} {
		fs := vfs.NewMem()
		for _, part := range [][2]int{{0, 10}, {10, 11}} {
			o := o(fs, part[0], part[1])
			if o.IncrementAlways = increment; part[0] > 0 {
				o.Mode = store.Append
			}
			if _, err := builder.Run(context.Background(), "s", o); err != nil {
				t.Fatal(err)
			}
		}
		last := o(fs, 11, n)
		last.Mode, last.IncrementAlways = store.Append, increment
		check(fmt.Sprint("appended, increment ", increment), Build(t, fs, last))
	}
}

// OpenFiles counts the open files of a file system.
type OpenFiles struct {
	vfs.FS
	mu        sync.Mutex
	Now, Most int
}

type countedFile struct {
	vfs.File
	fs *OpenFiles
}

func (f *OpenFiles) Counted(file vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Now++
	f.Most = max(f.Most, f.Now)
	return &countedFile{file, f}, nil
}

func (f *OpenFiles) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.Counted(f.FS.Create(name, c))
}

func (f *OpenFiles) Open(name string, o ...vfs.OpenOption) (vfs.File, error) {
	return f.Counted(f.FS.Open(name, o...))
}

func (f *countedFile) Close() error {
	f.fs.mu.Lock()
	f.fs.Now--
	f.fs.mu.Unlock()
	return f.File.Close()
}
