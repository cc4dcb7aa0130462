package minetest

import (
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
	"fstore/store"
)

// Texts is what a store holds, but for the ids of symbols: what is named by them is named
// by text, and in the order of texts.
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
