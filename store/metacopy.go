package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Without meta nothing in a store can be found, so that one flipped byte of it would cost
// all trees. Each commit therefore leaves a copy beside the database, in a file whose name
// has the generation: meta with the names of the tables, summed. Salvage falls back on it. Of a
// store of another version readSeal takes from it how it was made.
const metaCopyPrefix = "META-"

func metaCopyName(generation uint32) string { return fmt.Sprintf("%s%d", metaCopyPrefix, generation) }

// isMetaCopyName says whether name is one that metaCopyName gives.
func isMetaCopyName(name string) bool {
	generation, ok := strings.CutPrefix(name, metaCopyPrefix)
	return ok && isNumber(generation)
}

// writeMetaCopy writes the copy of the pending meta, which takes the place of the one before.
func (w *Writer) writeMetaCopy() error {
	m := *w.meta
	m.Tables = slices.DeleteFunc(w.view.names(), func(name string) bool { return !strings.HasSuffix(name, ".sst") })
	b, err := encodeMeta(&m)
	if err != nil {
		return err
	}
	name := metaCopyName(w.meta.Generation)
	if err := writeFile(w.view, w.fs.PathJoin(w.dir, name), summed(b)); err != nil {
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

// metaCopies reads the copies in dir that are whole, the newest first; but for those, where
// sealed says which files count, that it does not name.
func metaCopies(f vfs.FS, dir string, sealed *seal) (copies [][]byte) {
	names, err := f.List(dir)
	if err != nil {
		return nil
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		if sealed != nil && !sealed.open {
			if _, named := sealed.file(name); !named {
				return true
			}
		}
		return !isMetaCopyName(name)
	})
	slices.SortFunc(names, func(a, b string) int { // numbers without leading zeros
		return cmp.Or(len(b)-len(a), strings.Compare(b, a))
	})
	for _, name := range names {
		b, err := readFile(f, f.PathJoin(dir, name))
		if err != nil {
			continue
		}
		if b, ok := unsum(b); ok {
			copies = append(copies, b)
		}
	}
	return copies
}

// metaFromCopy is the newest of metaCopies, nil where there is none.
func metaFromCopy(f vfs.FS, dir string, sealed *seal) *Meta {
	for _, b := range metaCopies(f, dir, sealed) {
		if m, err := decodeMeta(dir, b); err == nil {
			return m
		}
	}
	return nil
}

// commandsAgain are the command lines that make a store again, as its history has them, ""
// where that cannot be read: all that is looked at of a store of another version.
func commandsAgain(f vfs.FS, dir string) string {
	for _, b := range metaCopies(f, dir, nil) {
		var m struct{ History []Event }
		if Unmarshal(b, &m) != nil || len(m.History) == 0 {
			continue
		}
		var commands []string
		for i, e := range m.History {
			switch {
			case i == 0 && !strings.Contains(e.Command, " --overwrite"):
				commands = append(commands, e.Command+" --overwrite")
			case !strings.HasPrefix(e.Command, "fstore verify ") && !strings.HasPrefix(e.Command, "fstore reindex "):
				commands = append(commands, e.Command)
			}
		}
		return strings.Join(commands, "; ")
	}
	return ""
}
