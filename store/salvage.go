package store

import (
	"errors"
	"slices"
	"strings"

	"fstore/store/disk"
)

// Old opens the store that an Overwrite replaces, to read from. It is ErrNotStore where there
// is none.
func (w *Writer) Old() (*Store, error) {
	db, err := w.change.Old()
	if err != nil {
		return nil, err
	}
	return w.opts.over(db).withMeta()
}

// Salvage is Old for a store that is damaged. It reads the tables alone, without the database's own
// files. lost is told of tables that are missing or cannot be read at all. If meta is lost, its copy is
// used. Whatever lies in a damaged block is ErrDamaged when it is read. What the store returned says of
// its directory is not to be used.
//
// The seal says which tables count. If it is damaged, the newest copy of meta does; if there is none of
// format 2, all tables count, those made last first.
func (w *Writer) Salvage(lost func(error)) (*Store, error) {
	m := newestMeta(w.change.Dir, w.change.Copies())
	var known []string
	if m != nil {
		known = m.Tables
	}
	db, err := w.change.Salvage(known, lost)
	if err != nil {
		return nil, err
	}
	s := w.opts.over(db)
	if s.meta, err = s.readMeta(); errors.Is(err, ErrDamaged) && m != nil {
		s.meta, err = m, nil
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// metaCopy is the copy of meta that is left beside the database, with the names of the tables.
// Salvage falls back on it. Of a store of another version, how it was made is taken from it.
func (w *Writer) metaCopy(names []string) ([]byte, error) {
	m := *w.meta
	m.Tables = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".sst") })
	return encodeMeta(&m)
}

// newestMeta is the newest of some copies that can be read, nil where there is none.
func newestMeta(d disk.Dir, copies [][]byte) *Meta {
	for _, b := range copies {
		if m, err := decodeMeta(d, b); err == nil {
			return m
		}
	}
	return nil
}

// commandsAgain are the command lines that make a store of another version again, from the history in
// the newest copy of meta; "" if that cannot be read.
func commandsAgain(copies [][]byte) string {
	for _, b := range copies {
		var m struct{ History []Event }
		if disk.Unmarshal(b, &m) != nil || len(m.History) == 0 {
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
