package minetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/maintain"
	"fstore/mine/selection"
	"fstore/store"
)

// Texts returns the contents of a store as text that does not depend on the ids of symbols.
func Texts(t *testing.T, s *store.Store) string {
	t.Helper()
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	m := s.Meta()
	var out strings.Builder
	fmt.Fprintln(&out, m.Kind, m.OneAlphabet, m.Samples, m.Sentences, m.Words, m.Documents, m.Lists, m.Labels, m.Inputs)
	fresh := index.NewSymbols()
	err = s.Samples(0, m.Samples, func(id uint32, tr *index.Tree) error {
		index.Translate(tr, syms, fresh)
		fmt.Fprintf(&out, "%d %q %q %q %q %v %v %x\n", id, tr.Name, tr.Label, tr.Document, tr.Group, tr.Gold, tr.Corrections, index.AppendTree(nil, tr))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	labels, err := s.LabelBitmaps()
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		fmt.Fprintln(&out, label, labels[label].ToArray())
	}
	for _, info := range m.Spaces {
		req, err := spaces.Parse(info.ID)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %v %v %d\n", info.ID, info.Fragments, info.Templates, info.Features)
		unordered := strings.Contains(info.ID, "ordered=false") || strings.HasPrefix(info.ID, "poly")
		if !unordered {
			fmt.Fprintln(&out, info.Candidates, info.Below)
		}
		var lines []string
		eachFragment(t, s, &info, func(c index.Code, list string) {
			text := req.Space.AppendText(nil, c, syms)
			if unordered { // siblings are in the order of their symbols
				slices.Sort(text)
			}
			lines = append(lines, fmt.Sprintf("%s %s", text, list))
		})
		slices.Sort(lines)
		fmt.Fprintln(&out, strings.Join(lines, "\n"))
	}
	return out.String()
}

func RemoveOptions(fs vfs.FS) maintain.RemoveOptions {
	return maintain.RemoveOptions{RebuildOptions: builder.RebuildOptions{Options: store.Options{FS: fs}, Event: store.Event{Command: "remove"}}}
}

func RepairOptions(fs vfs.FS) maintain.RepairOptions {
	return maintain.RepairOptions{RebuildOptions: builder.RebuildOptions{Options: store.Options{FS: fs}, Event: store.Event{Command: "repair"}}}
}

// Everything returns the contents of a store as text, including selections.
func Everything(t *testing.T, s *store.Store) string {
	t.Helper()
	out := Dump(t, s) + Texts(t, s)
	for _, info := range s.Meta().Selections {
		out += fmt.Sprint(info.Name, info.Features, info.VocabularyHash, info.Settings, "\n")
		err := s.Entries(info.Name, 1, info.Features+1, func(id uint32, e *store.Entry) error {
			out += fmt.Sprintln(id, e.Code, e.Score, e.Weight, e.Stats)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, info := range s.Meta().Models {
		b, err := s.Model(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		out += fmt.Sprintf("%s %s\n", info.Name, b)
	}
	return out
}

// InterruptAfter cancels a run when a certain amount of one stage is done.
type InterruptAfter struct {
	index.NoProgress
	Stage  string
	After  int // number of calls of Add; 0 cancels at the beginning
	Cancel func()

	in    bool
	calls int
}

func (p *InterruptAfter) Step(stage, _ string, _ int64) {
	p.in, p.calls = stage == p.Stage, 0
	if p.in && p.After == 0 {
		p.Cancel()
	}
}

func (p *InterruptAfter) Add(int64) {
	if p.calls++; p.in && p.calls == p.After {
		p.Cancel()
	}
}

// Same returns the contents of a store as text, including generations and the files beside the database.
func Same(t *testing.T, s *store.Store) string {
	t.Helper()
	m := s.Meta()
	return Everything(t, s) + fmt.Sprintf("%+v", *m)
}

// ChangeStore commits the changes that f makes to the store "s" of fs.
func ChangeStore(t *testing.T, fs vfs.FS, f func(*store.Writer) error) error {
	t.Helper()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	if err := f(w); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Commit()
}

// Change is like ChangeStore, for changes that must succeed.
func Change(t *testing.T, fs vfs.FS, f func(*store.Writer) error) {
	t.Helper()
	if err := ChangeStore(t, fs, f); err != nil {
		t.Fatal(err)
	}
}

func OpenStore(t testing.TB, fs vfs.FS) *store.Store {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// AddSelections makes a selection in each space of the store "s". It uses chi2 if there are labels.
func AddSelections(t *testing.T, fs vfs.FS) {
	t.Helper()
	s := OpenStore(t, fs)
	infos, by := s.Meta().Spaces, "support"
	if s.Meta().Labels > 0 {
		by = "chi2"
	}
	s.Close()
	for _, info := range infos {
		if _, err := SelectIn(t, fs, selection.Options{Name: "of " + info.ID, Space: info.ID, By: by, Top: 10}); err != nil {
			t.Fatal(err)
		}
	}
}
