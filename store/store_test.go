package store

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store/posting"
	"fstore/store/runfile"
)

// Names in the directory of a store, see package disk.
const (
	sealName       = "FSTORE"
	tempSuffix     = ".tmp"
	lockName       = "LOCK"
	writerLockName = "WRITER"
	loadName       = "load"
)

func isLockName(name string) bool { return name == lockName || name == writerLockName }

// putState and state write and read the state of a running miner, as text.
func putState(w *Writer, number uint32, text string) error {
	return runfile.PutState(w.Scratch(), number, 1, text)
}

func state(w *Writer, number uint32) (string, error) {
	return runfile.ReadState[string](w.Scratch(), number, 1)
}

// testTree fills t with the i-th of a family of small trees.
func testTree(w *Writer, t *index.Tree, i int) {
	b := index.Builder{Symbols: w.Symbols()}
	b.Start(t, false)
	b.Open([]byte("S"))
	for j := range i%3 + 1 {
		b.Open(fmt.Append(nil, "N", (i+j)%5))
		b.Word(fmt.Append(nil, "w", i%11))
		b.Close()
	}
	b.Close()
	t.Name = fmt.Sprint("s", i)
	t.Document = fmt.Sprint("d", i/4)
	if i%2 == 0 {
		t.Label = []string{"x", "y,x", "z"}[i%3]
	}
	t.Score = float64(i) / 2
	if i%5 == 1 {
		t.Gold, t.Corrections = index.GoldFound, append(t.Corrections, index.Correction{At: 1, Text: fmt.Sprint("gold", i)})
	}
}

// testCode returns the i-th of an ascending list of codes.
func testCode(i int) index.Code {
	return index.EncodeSteps(nil, []index.Step{{Off: 0, Sym: uint32(i / 10)}, {Off: uint32(i % 10), Sym: 1}})
}

func testValue(i int) []byte {
	return posting.Append(nil, []uint32{uint32(i % 2), uint32(i%2) + 1}, nil, nil)
}

// addSamples adds the samples `from` to `to`-1.
func addSamples(w *Writer, from, to int) error {
	sw, err := w.Samples()
	if err != nil {
		return err
	}
	var t index.Tree
	for i := from; i < to; i++ {
		testTree(w, &t, i)
		if _, err := sw.Add(&t); err != nil {
			return err
		}
	}
	return sw.Close()
}

// addFragments loads the fragments `from` to `to`-1. Each range has its own loader.
func addFragments(w *Writer, from, to, ranges int) error {
	space := w.SetSpace(SpaceInfo{ID: "stk", MinSupport: 2, MaxOrder: 5})
	for r := range ranges {
		l, err := w.Fragments(space)
		if err != nil {
			return err
		}
		n := to - from
		for i := from + r*n/ranges; i < from+(r+1)*n/ranges; i++ {
			if err := l.Put(testCode(i), testValue(i)); err != nil {
				return err
			}
		}
		if err := l.Close(); err != nil {
			return err
		}
	}
	f, err := w.CreateExpansion()
	if err != nil {
		return err
	}
	if _, err := f.Write([]byte("expansion index")); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	w.Meta().Spaces[space].Expansion = f.Name()
	_, err = w.FinishFragments(space)
	return err
}

func build(fs vfs.FS, dir string, mode Mode, samples, fragments int) (err error) {
	w, err := Begin(dir, WriteOptions{Options: Options{FS: fs}, Mode: mode})
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := addSamples(w, int(w.Meta().Samples), samples); err != nil {
		return err
	}
	if err := addFragments(w, 0, fragments, 3); err != nil {
		return err
	}
	w.Meta().History = append(w.Meta().History, Event{Command: "build", Time: 1})
	return w.Commit()
}

func TestBuildAndRead(t *testing.T) {
	fs := vfs.NewMem()
	if err := build(fs, "db", Create, 100, 5000); err != nil {
		t.Fatal(err)
	}
	s, err := Open("db", Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	t.Logf("%+v", s.Meta())
	n := 0
	err = s.Samples(0, 1000, func(id uint32, tr *index.Tree) error {
		if tr.Name != fmt.Sprint("s", id) {
			t.Fatalf("sample %d is %q", id, tr.Name)
		}
		n++
		return nil
	})
	if err != nil || n != 100 {
		t.Fatal(n, err)
	}
	for i := 0; i < 5000; i += 7 {
		id, err := s.Rank(0, testCode(i))
		if err != nil || id != uint32(i)+1 {
			t.Fatalf("Rank(%d) = %d, %v", i, id, err)
		}
		c, err := s.ByRank(0, uint32(i)+1, nil)
		if err != nil || string(c) != string(testCode(i)) {
			t.Fatal(c, err)
		}
		v, err := s.Get(0, testCode(i))
		if err != nil || string(v) != string(testValue(i)) {
			t.Fatal(v, err)
		}
	}
	names, _ := fs.List("db")
	t.Log(names)
	if err := s.Check(t.Context(), func(p string) { t.Error(p) }, func(l string) { t.Error("leftover", l) }); err != nil {
		t.Fatal(err)
	}
	u, err := s.Usage()
	t.Log(u, err)
}
