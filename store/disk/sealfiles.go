package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// makeSeal makes the seal of these files, which must not change any more. It takes the checksums of tables
// and expansion indexes from the earlier seal before, if that seal names them, because such files never
// change.
func (d Dir) makeSeal(ctx context.Context, names []string, before *seal) (*seal, error) {
	s := &seal{version: FormatVersion}
	for _, name := range names {
		s.next = max(s.next, numberOf(name)+1)
		path := d.Join(name)
		info, err := d.FS.Stat(path)
		if err != nil {
			return nil, err
		}
		if before != nil && !before.open && immutable(name) {
			if e, ok := before.file(name); ok && e.Size == info.Size() {
				s.files = append(s.files, e)
				continue
			}
		}
		e := File{Name: name}
		if e.Size, e.Sum, err = hashFile(ctx, d.FS, path, -1); err != nil {
			return nil, err
		}
		s.files = append(s.files, e)
	}
	return s, nil
}

// immutable says whether a file of this name never changes once it is written. Such a file may be large.
func immutable(name string) bool { return isTable(name) || IsExpansionName(name) }

// compare says how a file on disk differs from its entry e. It returns "" if the file does not differ.
func (e *File) compare(ctx context.Context, d Dir) (differs string, err error) {
	size, sum, err := hashFile(ctx, d.FS, d.Join(e.Name), e.Size)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "missing", nil
	case err != nil:
		return "", err
	case size != e.Size:
		return fmt.Sprintf("%d bytes, and %d were written", size, e.Size), nil
	case sum != e.Sum:
		return "not the bytes that were written", nil
	}
	return "", nil
}

// verifySmall compares some files with the seal: the small files that say what belongs to the database, and
// the sizes of the tables. Without this check, a damaged manifest could be read as an older state, and a
// writer would delete the files that the older state does not know.
func (s *seal) verifySmall(d Dir) error {
	for _, e := range s.files {
		if s.open || IsExpansionName(e.Name) || IsCopyName(e.Name) { // much can be done without this file
			continue
		}
		if immutable(e.Name) {
			info, err := d.FS.Stat(d.Join(e.Name))
			if err == nil && info.Size() == e.Size && info.Mode().IsRegular() {
				continue
			}
		}
		differs, err := e.compare(context.Background(), d)
		switch {
		case err != nil:
			return d.ReadError(e.Name, err)
		case differs != "":
			return d.Damaged(e.Name+": "+differs, nil)
		}
	}
	return nil
}

// unused returns the names of files that a killed or running writer has made, in order.
func (s *seal) unused(d Dir) ([]string, error) {
	return d.list(func(name string) bool {
		_, named := s.file(name)
		_, waits := s.waits(name)
		return !named && !waits && (isDataName(name) || isTempName(name))
	})
}

// CheckFiles compares the files of the state, and the additional files in the parameter more, with their
// records. It calls problem for each file that differs, and leftover for each file of a killed or running
// writer. It returns an error if it could not go on.
func (b *Database) CheckFiles(ctx context.Context, more []File, problem func(name, what string), leftover func(string)) error {
	files := slices.Clone(b.seal.files)
	if b.seal.open {
		files = nil
		leftover("FSTORE has no sums: a program of an older version was killed")
	}
	for _, e := range more {
		if !slices.Contains(files, e) {
			files = append(files, e)
		}
	}
	for _, e := range files {
		differs, err := e.compare(ctx, b.Dir)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case IsOfProcess(err):
			return err
		case err != nil:
			problem(e.Name, err.Error())
		case differs != "":
			problem(e.Name, differs)
		}
	}
	unused, err := b.seal.unused(b.Dir)
	if n := len(unused); n > 0 {
		text := unused[0]
		if n > 1 {
			text = fmt.Sprintf("%s to %s, %d names", unused[0], unused[n-1], n)
		}
		leftover(text + ": of a writer that was killed or is at work")
	}
	return err
}

// CheckOrder checks that the tables of each level follow each other, since the database takes their order
// from the manifest without a check.
func (b *Database) CheckOrder(problem func(string)) error {
	levels, err := b.db.SSTables()
	if err != nil {
		return Plain(err)
	}
	for n, level := range levels {
		for i := 1; n > 0 && i < len(level); i++ {
			if bytes.Compare(level[i-1].Largest.UserKey, level[i].Smallest.UserKey) >= 0 {
				problem(fmt.Sprintf("tables %s and %s overlap", level[i-1].FileNum, level[i].FileNum))
			}
		}
	}
	return nil
}
