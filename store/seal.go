package store

import (
	"bufio"
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
//	fstore 1
//	sealed
//	000005.sst 1398231 9d0fdc9c1b2f0aa1
//	…
//	end 4e5f61ad7c2c9b11
//
// The last line is the xxh3 of the lines before. No file that is named is ever written
// to. A writer makes new ones beside them, and when they are whole and closed puts a
// new FSTORE in the place of the old one: that is the commit point, see view. Files
// that it does not name any more are deleted when nobody reads (sweep).
//
// In a new store that is being built it is "open" instead of "sealed", and names
// nothing: all files count. So it is in a store whose files a program changed in place
// and was killed.
//
// Why not rely on the database's own checksums: its block checksums do not cover
// all of a table, it reads a damaged tail of its manifest as the state before the
// last change, and it takes any number in its options file for what was meant.
const (
	sealName  = "FSTORE"
	sealMagic = "fstore "
	sealTemp  = sealName + tempSuffix
)

type seal struct {
	version uint32
	sealed  bool // false: all files count
	files   []sealedFile
}

type sealedFile struct {
	name string
	size int64
	sum  uint64
}

// file returns the entry of a name.
func (s *seal) file(name string) (f sealedFile, ok bool) {
	for _, f := range s.files {
		if f.name == name {
			return f, true
		}
	}
	return f, false
}

// leftOver says whether a file of this name is of an older state, or of a writer that was
// killed or is at work.
func (s *seal) leftOver(name string) bool {
	_, named := s.file(name)
	return !named && (isDataName(name) || isTempName(name))
}

func (s *seal) encode() []byte {
	b := fmt.Appendf(nil, "%s%d\n", sealMagic, s.version)
	if s.sealed {
		b = append(b, "sealed\n"...)
	} else {
		b = append(b, "open\n"...)
	}
	for _, f := range s.files {
		b = fmt.Appendf(b, "%s %d %016x\n", f.name, f.size, f.sum)
	}
	return fmt.Appendf(b, "end %016x\n", xxh3.Hash(b))
}

// readSeal reads FSTORE: ErrNotStore where it is missing, ErrVersion where another
// version wrote it, ErrDamaged where it does not match itself.
func readSeal(f vfs.FS, dir string) (*seal, error) {
	var b []byte
	err := whileBusy(func() (err error) {
		b, err = readFile(f, f.PathJoin(dir, sealName))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Dir: dir, Kind: ErrNotStore}
	}
	if err != nil {
		if info, serr := f.Stat(dir); serr == nil && !info.IsDir() {
			return nil, &Error{Dir: dir, Kind: ErrNotStore, Detail: "it is a file"}
		}
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	s := new(seal)
	first, rest, _ := bytes.Cut(b, []byte("\n"))
	if n, err := fmt.Sscanf(string(first), sealMagic+"%d", &s.version); n != 1 || err != nil {
		return nil, damaged(dir, sealName+" does not begin as it should", nil)
	}
	if err := checkVersion(dir, s.version); err != nil {
		if s.version < FormatVersion {
			if again := commandsAgain(f, dir); again != "" {
				err = olderVersion(dir, s.version, again)
			}
		}
		return nil, err
	}
	end := bytes.LastIndex(b, []byte("end "))
	if end < 0 || string(b[end:]) != fmt.Sprintf("end %016x\n", xxh3.Hash(b[:end])) {
		return nil, damaged(dir, sealName+" is not what was written", nil)
	}
	rest = rest[:len(rest)-len(b[end:])]
	lines := bufio.NewScanner(bytes.NewReader(rest))
	for i := 0; lines.Scan(); i++ {
		if i == 0 {
			s.sealed = lines.Text() == "sealed"
			continue
		}
		var e sealedFile
		if err := e.parse(lines.Text()); err != nil {
			return nil, damaged(dir, sealName, err)
		}
		if isDataName(e.name) { // programs of this format may name others
			s.files = append(s.files, e)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, damaged(dir, sealName, err)
	}
	return s, nil
}

// parse reads the line of a file: its name is all before the last two spaces.
func (e *sealedFile) parse(line string) error {
	sum := strings.LastIndexByte(line, ' ')
	size := strings.LastIndexByte(line[:max(sum, 0)], ' ')
	if size <= 0 {
		return malformed("line %q", line)
	}
	var err1, err2 error
	e.name = line[:size]
	e.size, err1 = strconv.ParseInt(line[size+1:sum], 10, 64)
	e.sum, err2 = strconv.ParseUint(line[sum+1:], 16, 64)
	return errors.Join(err1, err2)
}

// writeSeal replaces FSTORE as a whole, when the names of all files are on disk.
func writeSeal(f vfs.FS, dir string, s *seal) error {
	return replaceFile(f, dir, sealName, s.encode())
}

// isSealedBy says whether FSTORE is s.
func isSealedBy(f vfs.FS, dir string, s *seal) (bool, error) {
	b, err := readFile(f, f.PathJoin(dir, sealName))
	return bytes.Equal(b, s.encode()), err
}

// makeSeal sums up the files of these names, which must not change any more. Tables and
// expansion indexes never change once written: what before knows of them is taken over,
// so that appending to a large store does not read all of it.
func makeSeal(ctx context.Context, f vfs.FS, dir string, names []string, before *seal) (*seal, error) {
	s := &seal{version: FormatVersion, sealed: true}
	for _, name := range names {
		path := f.PathJoin(dir, name)
		info, err := f.Stat(path)
		if err != nil {
			return nil, err
		}
		if before != nil && immutable(name) {
			if e, ok := before.file(name); ok && e.size == info.Size() {
				s.files = append(s.files, e)
				continue
			}
		}
		e := sealedFile{name: name}
		if e.size, e.sum, err = hashFile(ctx, f, path); err != nil {
			return nil, err
		}
		s.files = append(s.files, e)
	}
	return s, nil
}

// immutable says whether a file of this name never changes once written, and may
// be large.
func immutable(name string) bool { return strings.HasSuffix(name, ".sst") || isExpansionName(name) }

// verifySmall compares the files that say what belongs to the database, a few
// kilobytes, with the seal, and of the tables the sizes. Otherwise a damaged manifest
// could be read as an older state of the store, and a writer would delete what that
// state does not know.
func (s *seal) verifySmall(f vfs.FS, dir string) error {
	for _, e := range s.files {
		switch {
		case isExpansionName(e.name), isMetaCopyName(e.name): // without it much can be done
			continue
		case immutable(e.name):
			info, err := f.Stat(f.PathJoin(dir, e.name))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return damaged(dir, e.name+" is missing", nil)
			case err != nil:
				return fmt.Errorf("%s: %w", dir, err)
			case info.Size() != e.size:
				return damaged(dir, fmt.Sprintf("%s has %d bytes, and %d were written", e.name, info.Size(), e.size), nil)
			}
			continue
		}
		size, sum, err := hashFile(context.Background(), f, f.PathJoin(dir, e.name))
		if err != nil {
			return readError(dir, e.name, err)
		}
		if size != e.size || sum != e.sum {
			return damaged(dir, e.name+" is not what was written", nil)
		}
	}
	return nil
}

// verifySeal compares the files of dir with its seal: each difference goes to bad,
// files that it does not name to leftover.
func verifySeal(ctx context.Context, f vfs.FS, dir string, s *seal, bad func(name, what string), leftover func(string)) error {
	names, err := f.List(dir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	there := map[string]bool{}
	var unused []string
	for _, name := range names {
		there[name] = true
		e, ok := s.file(name)
		if !ok {
			if s.leftOver(name) {
				unused = append(unused, name)
			}
			continue
		}
		size, sum, err := hashFile(ctx, f, f.PathJoin(dir, name))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case isOfProcess(err):
			return err
		case err != nil:
			bad(name, err.Error())
		case size != e.size:
			bad(name, fmt.Sprintf("%d bytes, and %d were written", size, e.size))
		case sum != e.sum:
			bad(name, "not the bytes that were written")
		}
	}
	for _, e := range s.files {
		if !there[e.name] {
			bad(e.name, "missing")
		}
	}
	if n := len(unused); n > 0 {
		text := unused[0]
		if n > 1 {
			text = fmt.Sprintf("%s to %s, %d names", unused[0], unused[n-1], n)
		}
		leftover(text + ": of an older state, or of a writer that was killed or is at work")
	}
	return nil
}
