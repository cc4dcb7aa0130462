package store

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/disk"
)

// TestMetaCopyNamesTables: the copy of meta names all tables of the store, and no tables that a change has
// dropped. So Salvage does not report dropped tables as lost if only the copy is left.
func TestMetaCopyNamesTables(t *testing.T) {
	fs := vfs.NewMem()
	for _, mode := range []Mode{Create, Append, Append, Overwrite} {
		if err := build(fs, "db", mode, 40, 50); err != nil {
			t.Fatal(err)
		}
		var tables []string
		var m *Meta
		for name, b := range dirFiles(t, fs, "db") {
			switch {
			case strings.HasSuffix(name, ".sst"):
				tables = append(tables, name)
			case disk.IsCopyName(name):
				m = newestMeta(disk.Dir{Path: "db"}, [][]byte{b[binary.Size(uint64(0)):]})
			}
		}
		slices.Sort(tables)
		if m == nil || !slices.Equal(m.Tables, tables) {
			t.Errorf("mode %d: %+v, want tables %q", mode, m, tables)
		}
	}
}
