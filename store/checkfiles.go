package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"fstore/index"
)

// files compares the files with what the seal and meta say of them, and tells of all others.
func (c *checker) files(leftover func(string)) error {
	s, bad := c.s, c.badFile()
	files := slices.Clone(s.seal.files)
	if s.seal.open {
		files = nil
		leftover("FSTORE has no sums: a program of an older version was killed")
	}
	for _, f := range s.meta.Files {
		if e := (sealedFile{f.Name, f.Size, f.Sum}); !slices.Contains(files, e) {
			files = append(files, e)
		}
	}
	for _, e := range files {
		differs, err := e.compare(c.ctx, s.fs, s.dir)
		switch {
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		case isOfProcess(err):
			return err
		case err != nil:
			bad(e.name, err.Error())
		case differs != "":
			bad(e.name, differs)
		}
	}
	unused, err := s.seal.unused(s.fs, s.dir)
	if n := len(unused); n > 0 {
		text := unused[0]
		if n > 1 {
			text = fmt.Sprintf("%s to %s, %d names", unused[0], unused[n-1], n)
		}
		leftover(text + ": of a writer that was killed or is at work")
	}
	if n, bytes := s.Waiting(); n > 0 {
		leftover(fmt.Sprintf("%s bytes in %s wait for readers of older states", index.Thousands(bytes), index.Plural(n, "file")))
	}
	for _, name := range foreign(s.fs, s.dir) {
		leftover(fmt.Sprintf("%q: no part of a store", name))
	}
	return errors.Join(err, deadFiles(s.view.names(), s.meta, func(name string) error {
		leftover(name + ": an expansion index that is not in use")
		return nil
	}))
}

// order checks that the tables of each level follow each other: the database takes
// their order from the manifest.
func (c *checker) order() error {
	levels, err := c.s.db.SSTables()
	if err != nil {
		return err
	}
	for n, level := range levels {
		for i := 1; n > 0 && i < len(level); i++ {
			if bytes.Compare(level[i-1].Largest.UserKey, level[i].Smallest.UserKey) >= 0 {
				c.badf("tables %s and %s overlap", level[i-1].FileNum, level[i].FileNum)
			}
		}
	}
	return nil
}
