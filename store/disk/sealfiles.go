package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// makeSeal makes the list of these files with their sizes and checksums. The files must not change any more.
// For tables and expansion indexes, which never change, it takes the checksums of the earlier seal.
func (d Dir) makeSeal(ctx context.Context, names []string, prev *seal) (*seal, error) {
	s := &seal{version: FormatVersion}
	for _, name := range names {
		s.next = max(s.next, numberOf(name)+1)
		path := d.Join(name)
		info, err := d.FS.Stat(path)
		if err != nil {
			return nil, err
		}
		if prev != nil && !prev.open && immutable(name) {
			if e, ok := prev.entry(name); ok && e.Size == info.Size() {
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

// immutable says whether a file of this name never changes once it is written. Its checksum is then reused.
func immutable(name string) bool { return isTable(name) || IsExpansionName(name) }

// compare says in words how a file on disk differs from its entry e, or returns "" if it does not differ.
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

// verifySmall compares the small files of the database with the seal. Without this check, the database could
// read a damaged manifest as an older state, and a writer would then delete newer files.
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
		_, named := s.entry(name)
		_, waits := s.waitingFile(name)
		return !named && !waits && (isDataName(name) || isTempName(name))
	})
}
