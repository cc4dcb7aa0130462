package store

import "slices"

// Usage is how many bytes on disk one kind of data takes.
type Usage struct {
	Kind  string // "samples", "fragments", …; "expansion" for files beside the database
	Bytes int64
}

// Usage returns the bytes on disk of each kind that is there, in the order of the
// kinds; the sizes of data blocks as the database knows them, without its own
// files.
func (s *Store) Usage() (all []Usage, err error) {
	for k := Kind(1); k < kindEnd; k++ {
		p := kindSpan(k)
		some, err := s.db.Some(p.lo, p.hi)
		if err != nil {
			return nil, err
		}
		if !some {
			continue
		}
		n, err := s.db.Usage(p.lo, p.hi)
		if err != nil {
			return nil, err
		}
		all = append(all, Usage{k.String(), n})
	}
	var files int64
	for _, name := range s.meta.files() {
		info, err := s.db.FS.Stat(s.Path(name))
		if err != nil {
			return nil, s.db.ReadError(name, err)
		}
		files += info.Size()
	}
	if files > 0 {
		all = append(all, Usage{"expansion", files})
	}
	return slices.Clip(all), nil
}

// Waiting returns how many files wait for readers of older states, and their bytes: a writer
// deletes them when it ends, or the next one, as far as nobody needs them.
func (s *Store) Waiting() (files int, bytes int64) { return s.db.Waiting() }
