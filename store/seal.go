package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"
)

// STORE/FSTORE says that a directory is a store, its format version, and the name,
// size and xxh3 of every file that holds something of it (isDataName):
//
//	fstore 2
//	next 12
//	000005.sst 1398231 9d0fdc9c1b2f0aa1
//	…
//	old 000003.sst 5120 9
//	end 4e5f61ad7c2c9b11
//
// The last line is the xxh3 of the lines before. No file that is named is ever written
// to. A writer makes new ones beside them, whose numbers are 12 or more, and when they are
// whole and closed puts a new FSTORE in the place of the old one: that is the commit point,
// see view. 12 is also the number of this state, by which readers say what they read. A
// file that a state before had waits for the readers of those up to the state 9, which was
// the last to have it; it is deleted when there are none (sweep).
//
// In format 1 there are no numbers of states, and "sealed" stands in the second line; "open"
// where files were changed in place by a program that was killed: then all files count.
//
// STORE/UNFINISHED has the same form: a new store is made there, of files with numbers from
// next on, and "made" says that the directory was made for it.
//
// Why not rely on the database's own checksums: its block checksums do not cover
// all of a table, it reads a damaged tail of its manifest as the state before the
// last change, and it takes any number in its options file for what was meant.
const (
	sealName  = "FSTORE"
	markName  = "UNFINISHED"
	sealMagic = "fstore "
)

type seal struct {
	version uint32
	next    uint64       // 0 in format 1
	files   []sealedFile // by name
	old     []oldFile
	open    bool // all files count
	made    bool // of UNFINISHED
	text    []byte
}

type sealedFile struct {
	name string
	size int64
	sum  uint64
}

// oldFile is a file that waits for readers.
type oldFile struct {
	name string
	size int64
	last uint64 // number of the last state that has it
}

// file returns the entry of a name.
func (s *seal) file(name string) (f sealedFile, ok bool) {
	i, ok := slices.BinarySearchFunc(s.files, name, func(f sealedFile, name string) int { return strings.Compare(f.name, name) })
	if ok {
		f = s.files[i]
	}
	return f, ok
}

// waits returns the entry of a file that waits for readers.
func (s *seal) waits(name string) (f oldFile, ok bool) {
	i := slices.IndexFunc(s.old, func(f oldFile) bool { return f.name == name })
	if i >= 0 {
		f = s.old[i]
	}
	return f, i >= 0
}

func (s *seal) encode() []byte {
	b := fmt.Appendf(nil, "%s%d\nnext %d\n", sealMagic, s.version, s.next)
	if s.made {
		b = append(b, "made\n"...)
	}
	for _, f := range s.files {
		b = fmt.Appendf(b, "%s %d %016x\n", f.name, f.size, f.sum)
	}
	for _, f := range s.old {
		b = fmt.Appendf(b, "old %s %d %d\n", f.name, f.size, f.last)
	}
	return fmt.Appendf(b, "end %016x\n", xxh3.Hash(b))
}

// readSeal reads FSTORE: ErrNotStore where it is missing, ErrVersion where another
// version wrote it, ErrDamaged where it does not match itself.
func readSeal(f vfs.FS, dir string) (*seal, error) {
	s, err := readSealFile(f, dir, sealName)
	switch {
	case errors.Is(err, ErrNotStore):
		if what, lerr := look(f, dir); lerr == nil && what != somethingElse {
			err = &Error{Dir: dir, Kind: ErrNotStore, Detail: whatElse(f, dir, what)}
		}
	case errors.Is(err, ErrVersion) && s.version < FormatVersion:
		if again := commandsAgain(f, dir); again != "" {
			err = olderVersion(dir, s.version, again)
		}
	case err == nil && s.open:
		err = s.takeAll(f, dir)
	}
	return s, err
}

// takeAll makes all data files in dir those of the state.
func (s *seal) takeAll(f vfs.FS, dir string) error {
	names, err := f.List(dir)
	for _, name := range names {
		if isDataName(name) {
			s.files = append(s.files, sealedFile{name: name})
		}
	}
	s.sort()
	return err
}

func (s *seal) sort() {
	slices.SortFunc(s.files, func(a, b sealedFile) int { return strings.Compare(a.name, b.name) })
}

// readSealFile reads FSTORE or UNFINISHED. With an ErrVersion, the version is returned.
func readSealFile(f vfs.FS, dir, name string) (*seal, error) {
	var b []byte
	err := whileBusy(func() (err error) {
		b, err = readFile(f, f.PathJoin(dir, name))
		return err
	})
	if info, serr := f.Stat(dir); errors.Is(err, fs.ErrNotExist) || err != nil && serr == nil && !info.IsDir() {
		return nil, &Error{Dir: dir, Kind: ErrNotStore}
	}
	if err != nil {
		return nil, readError(dir, name, err)
	}
	s := &seal{text: b}
	first, rest, _ := bytes.Cut(b, []byte("\n"))
	if n, err := fmt.Sscanf(string(first), sealMagic+"%d", &s.version); n != 1 || err != nil {
		return nil, damaged(dir, name+" does not begin as it should", nil)
	}
	if err := checkVersion(dir, s.version); err != nil {
		return s, err
	}
	end := bytes.LastIndex(b, []byte("end "))
	if end < 0 || string(b[end:]) != fmt.Sprintf("end %016x\n", xxh3.Hash(b[:end])) {
		return nil, damaged(dir, name+" is not what was written", nil)
	}
	for line := range strings.Lines(string(rest[:len(rest)-len(b[end:])])) {
		if err := s.parse(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, damaged(dir, name, err)
		}
	}
	s.sort()
	return s, nil
}

// parse reads a line.
func (s *seal) parse(line string) (err error) {
	var e sealedFile
	switch {
	case line == "sealed":
	case line == "open":
		s.open = true
	case line == "made":
		s.made = true
	case strings.HasPrefix(line, "next "):
		s.next, err = strconv.ParseUint(line[len("next "):], 10, 63)
	case strings.HasPrefix(line, "old "):
		if e, err = parseFile(line[len("old "):], 10); err == nil && isDataName(e.name) {
			s.old = append(s.old, oldFile{e.name, e.size, e.sum})
		}
	default:
		if e, err = parseFile(line, 16); err == nil && isDataName(e.name) { // older programs named others too
			s.files = append(s.files, e)
		}
	}
	return err
}

// parseFile reads the line of a file, whose name is all before the last two spaces; base is that
// of the last number.
func parseFile(line string, base int) (e sealedFile, err error) {
	sum := strings.LastIndexByte(line, ' ')
	size := strings.LastIndexByte(line[:max(sum, 0)], ' ')
	if size <= 0 {
		return e, malformed("line %q", line)
	}
	var err1, err2 error
	e.name = line[:size]
	e.size, err1 = strconv.ParseInt(line[size+1:sum], 10, 64)
	e.sum, err2 = strconv.ParseUint(line[sum+1:], base, 64)
	return e, errors.Join(err1, err2)
}

// writeSeal replaces FSTORE as a whole, when the names of all files are on disk.
func writeSeal(f vfs.FS, dir string, s *seal) error {
	s.text = s.encode()
	return replaceFile(f, dir, sealName, s.text)
}

// isSealedBy says whether FSTORE is s.
func isSealedBy(f vfs.FS, dir string, s *seal) (bool, error) {
	b, err := readFile(f, f.PathJoin(dir, sealName))
	return bytes.Equal(b, s.text), err
}

// makeSeal sums up the files of these names, which must not change any more. Tables and
// expansion indexes never change once written: what before knows of them is taken over,
// so that appending to a large store does not read all of it.
func makeSeal(ctx context.Context, f vfs.FS, dir string, names []string, before *seal) (*seal, error) {
	s := &seal{version: FormatVersion}
	for _, name := range names {
		s.next = max(s.next, numberOf(name)+1)
		path := f.PathJoin(dir, name)
		info, err := f.Stat(path)
		if err != nil {
			return nil, err
		}
		if before != nil && !before.open && immutable(name) {
			if e, ok := before.file(name); ok && e.size == info.Size() {
				s.files = append(s.files, e)
				continue
			}
		}
		e := sealedFile{name: name}
		if e.size, e.sum, err = hashFile(ctx, f, path, -1); err != nil {
			return nil, err
		}
		s.files = append(s.files, e)
	}
	return s, nil
}

// immutable says whether a file of this name never changes once written, and may
// be large.
func immutable(name string) bool { return strings.HasSuffix(name, ".sst") || isExpansionName(name) }

// compare says how a file is another than it was written, "" where it is not.
func (e *sealedFile) compare(ctx context.Context, f vfs.FS, dir string) (differs string, err error) {
	size, sum, err := hashFile(ctx, f, f.PathJoin(dir, e.name), e.size)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "missing", nil
	case err != nil:
		return "", err
	case size != e.size:
		return fmt.Sprintf("%d bytes, and %d were written", size, e.size), nil
	case sum != e.sum:
		return "not the bytes that were written", nil
	}
	return "", nil
}

// verifySmall compares the files that say what belongs to the database, a few
// kilobytes, with the seal, and of the tables the sizes. Otherwise a damaged manifest
// could be read as an older state of the store, and a writer would delete what that
// state does not know.
func (s *seal) verifySmall(f vfs.FS, dir string) error {
	for _, e := range s.files {
		if s.open || isExpansionName(e.name) || isMetaCopyName(e.name) { // without it much can be done
			continue
		}
		if immutable(e.name) {
			info, err := f.Stat(f.PathJoin(dir, e.name))
			if err == nil && info.Size() == e.size && info.Mode().IsRegular() {
				continue
			}
		}
		differs, err := e.compare(context.Background(), f, dir)
		switch {
		case err != nil:
			return readError(dir, e.name, err)
		case differs != "":
			return damaged(dir, e.name+": "+differs, nil)
		}
	}
	return nil
}

// unused returns the names in dir, in order, of a writer that was killed or is at work.
func (s *seal) unused(f vfs.FS, dir string) ([]string, error) {
	names, err := f.List(dir)
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool {
		_, named := s.file(name)
		_, waits := s.waits(name)
		return named || waits || !isDataName(name) && !isTempName(name)
	}), err
}

// waiting returns the number of files that wait for readers, and their bytes.
func (s *seal) waiting(f vfs.FS, dir string) (files int, bytes int64) {
	for _, e := range s.old {
		if info, err := f.Stat(f.PathJoin(dir, e.name)); err == nil {
			files++
			bytes += info.Size()
		}
	}
	return files, bytes
}
