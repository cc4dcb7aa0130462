package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store"
	"fstore/store/runfile"
)

// The ranges of the tasks cover each place exactly once, whatever the weights.
func TestRangesHoldAll(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		weight := map[rangeStart]uint64{}
		for range r.IntN(40) {
			weight[rangeStart{uint64(1 + r.IntN(6)), uint64(r.IntN(8))}] = uint64(1 + r.IntN(100))
		}
		tasks := 1 + r.IntN(9)
		s := plannedSpace{Cuts: cut(weight, tasks, true)}
		for first := range uint64(9) {
			for second := range uint64(10) {
				n := 0
				for task := 1; task <= tasks; task++ {
					for _, g := range s.ranges(task) {
						if g.Contains(first) && (g.Hi2 == 0 || g.Lo2 <= second && second < g.Hi2) {
							n++
						}
					}
				}
				if n != 1 {
					t.Fatalf("seed %d: %d ranges hold %d, %d: %v", seed, n, first, second, s.Cuts)
				}
			}
		}
	}
}

// A first step that takes most of the time is divided.
func TestCutDividesHotSteps(t *testing.T) {
	weight := map[rangeStart]uint64{{1, 0}: 10, {3, 0}: 10}
	for second := range uint64(100) {
		weight[rangeStart{2, 1 + second}] = 10
	}
	got := cut(weight, 4, true)
	want := []rangeStart{{2, 25}, {2, 51}, {2, 76}}
	if !slices.Equal(got, want) {
		t.Errorf("cuts at %v, want %v", got, want)
	}
	if got := cut(weight, 4, false); got[2] != (rangeStart{3, 0}) && got[2] != (rangeStart{math.MaxUint64, 0}) {
		t.Errorf("a space that cannot be divided is cut at %v", got)
	}
}

// Init accepts a directory that is empty, or in which an earlier Init was killed. It refuses any other
// directory.
func TestInitWantsItsOwnDirectory(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  error
	}{
		{nil, nil},
		{[]string{"JOB.0001.tmp"}, nil},
		{[]string{"notes"}, ErrOther},
		{[]string{"notes.tmp"}, ErrOther},
		{[]string{"JOB.0001.tmp", "notes"}, ErrOther},
	} {
		fs := vfs.NewMem()
		if err := fs.MkdirAll("work", 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range c.names {
			f, err := fs.Create("work/"+name, vfs.WriteCategoryUnspecified)
			if err == nil {
				err = f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := Init(fs, "work", &Job{}); !errors.Is(err, c.want) {
			t.Errorf("in a directory with %q: %v, want %v", c.names, err, c.want)
		}
	}
}

// If two jobs begin in one directory at once, one of them begins, and the other gets an error.
func TestInitAtOnce(t *testing.T) {
	for _, fs := range []vfs.FS{vfs.NewMem(), vfs.Default} {
		for round := range 20 {
			dir := fs.PathJoin(t.TempDir(), "work", strconv.Itoa(round))
			var wait sync.WaitGroup
			var errs [8]error
			for i := range errs {
				wait.Go(func() { errs[i] = Init(fs, dir, &Job{Ranges: 1 + i/4}) })
			}
			wait.Wait()
			j, _, err := readJob(fs, dir)
			if err != nil {
				t.Fatal(err)
			}
			for i, err := range errs {
				if mine := j.Ranges == 1+i/4; mine && err != nil || !mine && !errors.Is(err, ErrOther) {
					t.Errorf("round %d: init %d: %v, and the job has %d ranges", round, i, err, j.Ranges)
				}
			}
			if names, err := fs.List(dir); err != nil || len(names) != 1 {
				t.Errorf("round %d: %v, %v", round, names, err)
			}
		}
	}
}

// A task removes the files that killed copies of it have left, and no other files.
func TestClean(t *testing.T) {
	for _, c := range []struct{ file, left string }{
		{"part-00001", "[JOB.3.tmp grow-00001.0a.tmp notes.tmp part-00001 part-000011.5.tmp]"},
		{"", "[notes.tmp part-00001]"},
	} {
		fs := vfs.NewMem()
		for _, name := range []string{"part-00001", "part-00001.7.tmp", "part-00001.8.tmp/run/x", "part-000011.5.tmp", "grow-00001.0a.tmp", "JOB.3.tmp", "notes.tmp"} {
			err := fs.MkdirAll("work/"+name, 0o777)
			if err != nil {
				t.Fatal(err)
			}
		}
		clean(fs, "work", c.file)
		names, err := fs.List("work")
		slices.Sort(names)
		if got := fmt.Sprint(names); err != nil || got != c.left {
			t.Errorf("%q: %s, want %s: %v", c.file, got, c.left, err)
		}
	}
}

// written returns the bytes of a file of WORK.
func written(t testing.TB, fs vfs.FS) []byte {
	t.Helper()
	w, err := create(fs, "", "part-00001", 7)
	if err != nil {
		t.Fatal(err)
	}
	w.begin("a")
	w.block([]byte("one"))
	w.block(nil)
	w.begin("empty")
	w.begin("b")
	_, _ = w.Write([]byte("raw"))
	if err := w.finish(&partMeta{Samples: 3}); err != nil {
		t.Fatal(err)
	}
	f, err := fs.Open("part-00001")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(struct{ io.Reader }{f})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Any changed byte is found: when the file is opened, or when its section is read.
func TestDamageIsSeen(t *testing.T) {
	fs := vfs.NewMem()
	raw := written(t, fs)
	if is, err := (&Task{FS: fs, sum: 7}).isDone("part-00001", &partMeta{}); !is || err != nil {
		t.Fatalf("a whole file: %v, %v", is, err)
	}
	if is, err := (&Task{FS: fs, sum: 8}).isDone("part-00001", nil); is || err != nil {
		t.Errorf("the file of another job: %v, %v", is, err)
	}
	for at := range raw {
		b := slices.Clone(raw)
		b[at] ^= 0x10
		put(t, fs, b)
		if is, err := (&Task{FS: fs, sum: 7}).isDone("part-00001", nil); is || err != nil {
			t.Fatalf("byte %d changed: %v, %v", at, is, err)
		}
	}
	for n := range raw {
		put(t, fs, raw[:n])
		if is, err := (&Task{FS: fs, sum: 7}).isDone("part-00001", nil); is || err != nil {
			t.Fatalf("%d of %d bytes: %v, %v", n, len(raw), is, err)
		}
	}
}

func put(t testing.TB, fs vfs.FS, b []byte) {
	t.Helper()
	f, err := fs.Create("part-00001", vfs.WriteCategoryUnspecified)
	if err == nil {
		_, err = f.Write(slices.Clone(b))
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// FuzzFile opens any bytes as a file of WORK. The result is a file or an *Error, never a panic.
func FuzzFile(f *testing.F) {
	f.Add(written(f, vfs.NewMem()))
	f.Fuzz(func(t *testing.T, b []byte) {
		fs := vfs.NewMem()
		put(t, fs, b)
		p := &partFile{}
		r, err := openFile(fs, "", "part-00001", 7, &p.meta)
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrVersion) && !errors.Is(err, ErrOther) {
				t.Error(err)
			}
			return
		}
		_ = r.verify()
		p.file = r
		_ = p.samples(func(_, _ []byte) error { return nil })
		_ = r.close()
	})
}

// A part file is damaged if it has more or fewer sample heads or trees than it records.
func TestSamplesAreCounted(t *testing.T) {
	for _, c := range []struct {
		heads, trees int
		samples      uint32
		ok           bool
	}{{2, 2, 2, true}, {0, 0, 0, true}, {2, 3, 2, false}, {3, 2, 2, false}, {2, 2, 3, false}, {2, 2, 1, false}} {
		fs := vfs.NewMem()
		w, err := create(fs, "", "part-00001", 7)
		if err != nil {
			t.Fatal(err)
		}
		w.begin(sampleSection)
		for _, n := range []int{c.heads, c.trees} {
			w.block(bytes.Repeat(runfile.AppendBlock(nil, []byte("x")), n))
		}
		p := &partFile{}
		err = w.finish(&partMeta{Samples: c.samples})
		if err == nil {
			p.file, err = openFile(fs, "", "part-00001", 7, &p.meta)
		}
		if err != nil {
			t.Fatal(err)
		}
		err = p.samples(func(_, _ []byte) error { return nil })
		if c.ok && err != nil || !c.ok && !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%+v: %v", c, err)
		}
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}
}

// FuzzHead reads any bytes as the head of a sample. The result is a head or an error, never a panic.
func FuzzHead(f *testing.F) {
	h := head{flags: isNumbered, num: 7, input: 1, t: index.Tree{Name: "n", Label: "x,y", Document: "d", Group: "g", Candidate: 2, Score: 0.5, Gold: index.GoldFound}}
	f.Add(h.appendTo(nil))
	f.Add((&head{input: 3}).appendTo(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		var h, again head
		if h.read(b) != nil || len(h.corrections) > 0 {
			return
		}
		if err := again.read(h.appendTo(nil)); err != nil || !bytes.Equal(h.appendTo(nil), again.appendTo(nil)) {
			t.Errorf("another head: %v", err)
		}
	})
}
