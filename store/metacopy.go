package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"
)

// Without meta nothing in a store can be found, so that one flipped byte of it would cost
// all trees. Each commit therefore leaves a copy beside the database, in a file whose name
// has the generation: the xxh3 of meta in big-endian order, then meta. Salvage falls back
// on it, and nothing else reads it.
const metaCopyPrefix = "META-"

func metaCopyName(generation uint32) string { return fmt.Sprintf("%s%d", metaCopyPrefix, generation) }

// isMetaCopyName says whether name is one that metaCopyName gives.
func isMetaCopyName(name string) bool {
	generation, ok := strings.CutPrefix(name, metaCopyPrefix)
	return ok && isNumber(generation)
}

// writeMetaCopy writes the copy of the pending meta, which takes the place of the one before.
func (w *Writer) writeMetaCopy() error {
	b, err := encodeMeta(w.meta)
	if err != nil {
		return err
	}
	name := metaCopyName(w.meta.Generation)
	b = append(binary.BigEndian.AppendUint64(nil, xxh3.Hash(b)), b...)
	if err := writeFile(w.view, w.fs.PathJoin(w.dir, name), b); err != nil {
		return err
	}
	for _, old := range w.view.names() {
		if isMetaCopyName(old) && old != name {
			if err := w.view.Remove(w.fs.PathJoin(w.dir, old)); err != nil {
				return err
			}
		}
	}
	return nil
}

// metaFromCopy reads the newest copy of meta in dir that is whole, of those that sealed
// names where it says which files count; false where there is none.
func metaFromCopy(f vfs.FS, dir string, sealed *seal) (newest *Meta, ok bool) {
	names, err := f.List(dir)
	if err != nil {
		return nil, false
	}
	if sealed != nil && sealed.sealed {
		names = slices.DeleteFunc(names, func(name string) bool { _, named := sealed.file(name); return !named })
	}
	for _, name := range names {
		if !isMetaCopyName(name) {
			continue
		}
		b, err := readFile(f, f.PathJoin(dir, name))
		if err != nil || len(b) < 8 || binary.BigEndian.Uint64(b) != xxh3.Hash(b[8:]) {
			continue
		}
		if m, err := decodeMeta(dir, b[8:]); err == nil && (newest == nil || m.Generation > newest.Generation) {
			newest = m
		}
	}
	return newest, newest != nil
}
