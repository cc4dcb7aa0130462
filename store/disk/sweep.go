package disk

import (
	"errors"
	"slices"
)

// sweep deletes temporary files, old files, and data files with numbers [from, to). It keeps every file that
// a reader needs, or that the committed state s names. Only the writer may call sweep.
func (d Dir) sweep(s *seal, from, to uint64) error {
	names, err := d.list(func(name string) bool {
		if _, named := s.entry(name); named || name == loadName || name == markName {
			return false
		}
		_, waits := s.waitingFile(name)
		n := numberOf(name)
		return waits || isTempName(name) || isDataName(name) && n >= from && n < to
	})
	if err != nil {
		return err
	}
	if names, err = s.withoutReaders(d, names); err != nil || len(names) == 0 {
		return err
	}
	if err := d.Sync(); err != nil { // so that a power failure cannot bring back an older FSTORE
		return err
	}
	for _, name := range names {
		_ = d.FS.Remove(d.Join(name))
	}
	return nil
}

// withoutReaders returns the files that no reader needs. A reader needs all files of the state that it reads.
func (s *seal) withoutReaders(d Dir, names []string) ([]string, error) {
	if !slices.ContainsFunc(names, func(name string) bool { _, ok := s.waitingFile(name); return ok }) {
		return names, nil
	}
	if none, err := d.unread(0, max(s.next, 1)-1); err != nil || none {
		return names, err
	}
	var failed error
	names = slices.DeleteFunc(names, func(name string) bool {
		e, waits := s.waitingFile(name)
		if !waits {
			return false
		}
		none, err := d.unread(min(numberOf(name)+1, e.last), e.last)
		failed = errors.Join(failed, err)
		return !none
	})
	return names, failed
}

// findWaiting adds every file that s does not name to s.old, the list of files for readers of earlier states.
// `prev` is the seal before s, or empty if it could not be read.
func (s *seal) findWaiting(d Dir, prev *seal, last uint64) error {
	names, err := d.list(isDataName)
	for _, name := range names {
		if _, named := s.entry(name); named {
			continue
		}
		info, serr := d.FS.Stat(d.Join(name))
		if serr != nil {
			return serr
		}
		e, waits := prev.waitingFile(name)
		if !waits {
			e = oldFile{name: name, last: last}
			if _, named := prev.entry(name); named {
				e.last = prev.next
			}
		}
		e.size = info.Size()
		s.old = append(s.old, e)
	}
	return err
}
