package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Expansion indexes lie beside the database, in files that are mapped into
// memory. SpaceInfo.Expansion and SelectionInfo.Expansion name them; a file of
// such a name that meta does not name is left over.
const expansionPrefix = "expansion-"

// File is a file beside the database under construction. Close syncs it.
type File struct {
	vfs.File
	name string
}

// Name is what SpaceInfo.Expansion or SelectionInfo.Expansion must be.
func (f *File) Name() string { return f.name }

// Close syncs and closes the file.
func (f *File) Close() error { return errors.Join(f.Sync(), f.File.Close()) }

// CreateExpansion creates the file for an expansion index. What is the number of
// it within this run: any, each once.
func (w *Writer) CreateExpansion(what int) (*File, error) {
	name := fmt.Sprintf("%s%d-%d", expansionPrefix, w.meta.Generation, what)
	f, err := w.fs.Create(w.fs.PathJoin(w.dir, name), vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	return &File{f, name}, nil
}

// isExpansionName says whether name is one that CreateExpansion gives.
func isExpansionName(name string) bool {
	rest, ok := strings.CutPrefix(name, expansionPrefix)
	return ok && rest != "" && strings.Trim(rest, "0123456789-") == ""
}

// deadFiles calls f for the expansion indexes in dir that m does not name.
func deadFiles(fs vfs.FS, dir string, m *Meta, f func(name string) error) error {
	names, err := fs.List(dir)
	if err != nil {
		return err
	}
	live := m.files()
	for _, name := range names {
		if isExpansionName(name) && !slices.Contains(live, name) {
			if err := f(name); err != nil {
				return err
			}
		}
	}
	return nil
}
