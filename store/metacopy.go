package store

import (
	"slices"
	"strings"

	"fstore/store/disk"
)

// copyMeta leaves a copy of the pending meta beside the database, with the names of the tables:
// without meta nothing in a store can be found, so that one flipped byte of it would cost all
// trees. Salvage falls back on it. Of a store of another version, how it was made is taken from it.
func (w *Writer) copyMeta() error {
	m := *w.meta
	m.Tables = slices.DeleteFunc(w.store.db.Names(), func(name string) bool { return !strings.HasSuffix(name, ".sst") })
	b, err := encodeMeta(&m)
	if err != nil {
		return err
	}
	return w.change.Copy(b)
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

// commandsAgain are the command lines that make a store again, as the newest copy of meta has
// them in its history, "" where that cannot be read: all that is looked at of a store of another
// version.
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
