package mine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
	"fstore/store/filetest"
	"fstore/store/posting"
)

// randomSource yields n random trees over few symbols.
type randomSource struct {
	b    index.Builder
	r    *rand.Rand
	n    int
	fail error // after the last
}

func newSource(s *index.Symbols, seed uint64, skip, n int) *randomSource {
	src := &randomSource{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(seed, 0)), n: skip, fail: io.EOF}
	var t index.Tree
	// A part of a longer sequence is the same trees, over symbols of their own.
	src.b.Symbols = index.NewSymbols()
	for src.Next(&t) == nil {
	}
	src.b.Symbols, src.n = s, n
	return src
}

func (s *randomSource) Next(t *index.Tree) error {
	if s.n == 0 {
		return s.fail
	}
	s.n--
	s.b.Start(t, false)
	size := 3 + s.r.IntN(14)
	s.grow(&size, 0)
	t.Name = fmt.Sprint(s.n)
	t.Label = []string{"", "x", "y"}[s.r.IntN(3)]
	return nil
}

func (s *randomSource) grow(size *int, depth int) {
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

func request(t testing.TB, args ...string) (c Choice) {
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

const samples = 120

func options(t testing.TB, fs vfs.FS, skip, n int, args ...string) Options {
	return Options{
		FS: fs, Spaces: request(t, args...),
		Source: func(s *index.Symbols) (index.Source, error) { return newSource(s, 7, skip, n), nil },
		Event:  func() store.Event { return store.Event{Command: "test"} },
	}
}

func build(t testing.TB, fs vfs.FS, o Options) *store.Store {
	t.Helper()
	if _, err := Build(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// dump is everything that a space holds, as text.
func dump(t *testing.T, s *store.Store) string {
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
		it, err := s.Iter(info.Number, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for it.Next() {
			ids, counts, err := posting.Decode(it.Value(), s.Meta().Samples, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%x %s %v %v\n", []byte(it.Key()), req.Space.AppendText(nil, it.Key(), syms), ids, counts)
		}
		if err := it.Close(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%x\n", filetest.Read(t, s.FS(), s.Path(info.Expansion)))
	}
	return out.String()
}

func verify(t *testing.T, s *store.Store, memory int64) (problems []string) {
	t.Helper()
	for _, scratch := range []string{"", "scratch"} {
		err := Verify(context.Background(), s, VerifyOptions{Memory: memory, Scratch: scratch}, func(p string) { problems = append(problems, p) })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.FS().Stat(scratch); scratch != "" && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("left: %v", err)
		}
		if memory == 0 {
			break // nothing is spilled
		}
	}
	return problems
}

var variants = [][]string{
	{"stk"},
	{"st"},
	{"sstbow"},
	{"stk:max-order=0,min-support=3", "sstbow:closed,max-order=0", "st:min-support=1"},
	{"stk:closed"},
	{"ptk:max-order=4"},
	{"ptk:mu=1,max-order=3,min-support=1", "stk"},
}

// resources are those of a build.
type resources struct {
	workers int
	memory  int64
}

// sameHowever checks that a store of n samples, more than 11, holds the same and verifies
// whatever the workers and the memory that it is built with, and when it is appended to.
// o makes the options of a build of the samples from one to another.
func sameHowever(t *testing.T, n int, o func(fs vfs.FS, from, to int) Options, with ...resources) {
	t.Helper()
	var want string
	check := func(what string, s *store.Store) {
		t.Helper()
		memory := []int64{0}
		if got := dump(t, s); want == "" {
			want = got
			memory = append(memory, 1) // once: the others are the same store
		} else if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s", what, d)
		}
		for _, m := range memory {
			if p := verify(t, s, m); len(p) > 0 {
				t.Fatalf("%s: %v", what, p)
			}
		}
	}
	for _, c := range with {
		fs := vfs.NewMem()
		o := o(fs, 0, n)
		o.Workers, o.Memory = c.workers, c.memory
		check(fmt.Sprintf("%+v", c), build(t, fs, o))
	}
	for _, increment := range []bool{false, true} {
		fs := vfs.NewMem()
		for _, part := range [][2]int{{0, 10}, {10, 11}} {
			o := o(fs, part[0], part[1])
			if o.incrementAlways = increment; part[0] > 0 {
				o.Mode = store.Append
			}
			if _, err := Build(context.Background(), "s", o); err != nil {
				t.Fatal(err)
			}
		}
		last := o(fs, 11, n)
		last.Mode, last.incrementAlways = store.Append, increment
		check(fmt.Sprint("appended, increment ", increment), build(t, fs, last))
	}
}

// What a store holds does not depend on workers, memory, or how it came to be.
func TestSameHowever(t *testing.T) {
	for _, args := range variants {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			sameHowever(t, samples, func(fs vfs.FS, from, to int) Options {
				return options(t, fs, from, to-from, args...)
			}, resources{1, 0}, resources{8, 0}, resources{1, 1}, resources{3, 6_000}, resources{3, 60_000})
		})
	}
}

// A build that ends in an error leaves no store, and an append what was there.
func TestErrorsLeaveNothing(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cases := []struct {
		name string
		ctx  context.Context
		o    func(*Options)
		want error
	}{
		{"source", context.Background(), func(o *Options) {
			o.Source = func(s *index.Symbols) (index.Source, error) {
				src := newSource(s, 7, 0, 50)
				src.fail = broken
				return src, nil
			}
		}, broken},
		{"open", context.Background(), func(o *Options) {
			o.Source = func(*index.Symbols) (index.Source, error) { return nil, broken }
		}, broken},
		{"budget", context.Background(), func(o *Options) { o.MaxFragments = 3 }, ErrTooMany},
		{"cancelled", ctx, func(*Options) {}, context.Canceled},
		{"empty", context.Background(), func(o *Options) {
			o.Source = func(s *index.Symbols) (index.Source, error) { return newSource(s, 7, 0, 0), nil }
		}, ErrNoSamples},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fs := vfs.NewMem()
			o := options(t, fs, 0, 50, "stk", "st")
			c.o(&o)
			if _, err := Build(c.ctx, "s", o); !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			names, err := fs.List("")
			if err != nil || len(names) > 0 {
				t.Fatalf("left %v, %v", names, err)
			}
			s := build(t, fs, options(t, fs, 0, 20, "stk", "st"))
			before := dump(t, s)
			s.Close()
			o = options(t, fs, 20, 50, "stk", "st")
			o.Mode = store.Append
			c.o(&o)
			if _, err := Build(c.ctx, "s", o); !errors.Is(err, c.want) {
				t.Fatalf("append: %v, want %v", err, c.want)
			}
			if s, err = store.Open("s", store.Options{FS: fs}); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if d := cmp.Diff(before, dump(t, s)); d != "" {
				t.Fatal(d)
			}
			if p := verify(t, s, 0); len(p) > 0 {
				t.Fatal(p)
			}
		})
	}
}

// openFiles counts the files that are open.
type openFiles struct {
	vfs.FS
	mu        sync.Mutex
	now, most int
}

type countedFile struct {
	vfs.File
	fs *openFiles
}

func (f *openFiles) counted(file vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now++
	f.most = max(f.most, f.now)
	return &countedFile{file, f}, nil
}

func (f *openFiles) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.counted(f.FS.Create(name, c))
}

func (f *openFiles) Open(name string, o ...vfs.OpenOption) (vfs.File, error) {
	return f.counted(f.FS.Open(name, o...))
}

func (f *countedFile) Close() error {
	f.fs.mu.Lock()
	f.fs.now--
	f.fs.mu.Unlock()
	return f.File.Close()
}

// A tiny budget makes a range of each root, or a part of each sample: their files are
// not all open at once.
func TestManyRangesFewFiles(t *testing.T) {
	for _, space := range []string{"stk:min-support=1", "stk:min-support=1,closed"} {
		fs := &openFiles{FS: vfs.NewMem()}
		o := options(t, fs, 0, samples, space)
		o.Memory, o.Workers = 1, 1
		build(t, fs, o)
		if fs.most > 30 {
			t.Fatalf("%s: %d files open at once", space, fs.most)
		}
	}
}

// Long fragments are more than one in the budget.
func TestBudgetOfLongFragments(t *testing.T) {
	for order, want := range map[int]uint64{1: 1, 31: 1, 32: 2, 64: 3, 2000: 63} {
		if got := sizeOf(order); got != want {
			t.Errorf("order %d is %d, want %d", order, got, want)
		}
	}
}

// TestClockJumps: the time is for people only. A clock that goes back, or is wrong by an
// age, changes nothing but what the history says.
func TestClockJumps(t *testing.T) {
	at := func(o Options, seconds int64) Options {
		o.Event = func() store.Event { return store.Event{Command: "test", Time: seconds} }
		return o
	}
	fs := vfs.NewMem()
	want := dump(t, build(t, fs, options(t, fs, 0, 40, "stk")))
	fs = vfs.NewMem()
	times := []int64{1 << 40, 5, -1 << 62, math.MaxInt64}
	var s *store.Store
	for i, seconds := range times {
		o := at(options(t, fs, 10*i, 10, "stk"), seconds)
		if i > 0 {
			o.Mode, o.Spaces = store.Append, Choice{}
		}
		s = build(t, fs, o)
		if p := verify(t, s, 0); len(p) > 0 || s.Meta().History[i].Time != seconds {
			t.Fatal(p, s.Meta().History)
		}
	}
	if got := dump(t, s); got != want {
		t.Errorf("appended:\n%s\nbuilt at once:\n%s", got, want)
	}
}
