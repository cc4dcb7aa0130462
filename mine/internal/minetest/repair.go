package minetest

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/mine/builder"
	"fstore/mine/maintain"
	"fstore/store"
)

func RepairOptions(fs vfs.FS) maintain.RepairOptions {
	return maintain.RepairOptions{RebuildOptions: builder.RebuildOptions{Options: store.Options{FS: fs}, Event: store.Event{Command: "repair"}}}
}

// Everything is all that a store holds, selections included.
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
