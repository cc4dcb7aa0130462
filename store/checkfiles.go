package store

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2/sstable"

	"fstore/index"
)

// files compares the files with the seal, or, where a writer was killed and left
// none, the tables with their own checksums.
func (c *checker) files(leftover func(string)) error {
	s, bad := c.s, c.badFile()
	if !s.seal.open {
		if err := verifySeal(c.ctx, s.fs, s.dir, s.seal, bad, leftover); err != nil {
			return err
		}
	} else {
		leftover("no seal: the last writer was killed")
		if err := c.tables(bad); err != nil {
			return err
		}
	}
	if n, bytes := s.Waiting(); n > 0 {
		leftover(fmt.Sprintf("%s bytes in %s wait for readers of older states", index.Thousands(bytes), index.Plural(n, "file")))
	}
	for _, name := range foreign(s.fs, s.dir) {
		leftover(fmt.Sprintf("%q: no part of a store", name))
	}
	for _, f := range s.meta.Files {
		e := sealedFile{f.Name, f.Size, f.Sum}
		if sealed, ok := s.seal.file(f.Name); ok && e == sealed {
			continue // compared with the seal, which says the same
		}
		differs, err := e.compare(c.ctx, s.fs, s.dir)
		switch {
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		case isOfProcess(err):
			return err
		case err != nil:
			bad(f.Name, err.Error())
		case differs != "":
			bad(f.Name, differs)
		}
	}
	return deadFiles(s.view.names(), s.meta, func(name string) error {
		leftover(name + ": an expansion index that is not in use")
		return nil
	})
}

// tables verifies the checksum of every block of every table.
func (c *checker) tables(bad func(name, what string)) error {
	levels, err := c.s.db.SSTables()
	if err != nil {
		return err
	}
	opts := databaseOptions(c.s.fs, c.s.fatal, true)
	opts.EnsureDefaults()
	for _, level := range levels {
		for _, t := range level {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			name := tableName(uint64(t.BackingSSTNum))
			err := c.table(c.s.Path(name), opts.MakeReaderOptions())
			if isOfProcess(err) {
				return err
			}
			if err != nil {
				bad(name, plain(err).Error())
			}
		}
	}
	return nil
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

func (c *checker) table(path string, o sstable.ReaderOptions) error {
	f, err := c.s.fs.Open(path)
	if err != nil {
		return err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	r, err := sstable.NewReader(c.ctx, readable, o)
	if err != nil {
		return errors.Join(err, readable.Close())
	}
	return errors.Join(r.ValidateBlockChecksums(), r.Close())
}
