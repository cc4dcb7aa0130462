package disk

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// STORE/FSTORE is the seal. It has the format version, and the name, size and xxh3 of every file that holds
// data of the store (isDataName):
//
//	fstore 3
//	next 12
//	000005.sst 1398231 9d0fdc9c1b2f0aa1
//	…
//	old 000003.sst 5120 9
//	end 4e5f61ad7c2c9b11
//
// The last line is the xxh3 of the lines before. This is state 12, and the next change gives its files
// numbers from 12 on. An "old" line names a file that is kept for readers of earlier states. State 9 was the
// last one with this file.
//
// In format 1, states have no numbers. The second line is "sealed", or "open" if a program was killed while
// it changed files in place. If it is "open", all files in the directory are part of the store.
//
// STORE/UNFINISHED has the same form, and says that a new store is being made in the directory. The files of
// the new store have numbers from "next" on. "made" says that the directory was made for the store.
//
// The seal has checksums because those of the database do not suffice. The block checksums do not cover all
// of a table. The database reads a manifest with a damaged tail as the state before the last change. It does
// not check its options file.

const sealMagic = "fstore "

// FormatVersion is the version of the layout that this package writes. It is in FSTORE, and in the meta of
// package store. This package reads all versions from oldestVersion on. store/README.md says what to do
// before this constant is raised.
const (
	FormatVersion = 3
	oldestVersion = 1
)

// CheckVersion returns an error if this package does not read version v. The error says what to do.
func (d Dir) CheckVersion(v uint32) error {
	switch {
	case v > FormatVersion:
		return d.otherVersion(v, "use a newer fstore")
	case v < oldestVersion:
		return d.otherVersion(v, makeAgain+"fstore build "+d.Path+" INPUT… --overwrite")
	}
	return nil
}

// makeAgain begins the advice for a store that is too old. A command line follows.
const makeAgain = "make it again with: "

func (d Dir) otherVersion(v uint32, do string) error {
	return d.fail(ErrVersion, fmt.Sprintf("format %d, and this program reads formats %d to %d: %s", v, oldestVersion, FormatVersion, do))
}

type seal struct {
	version uint32
	next    uint64 // first number for files of the next change, and number of the state; 0 in format 1
	files   []File // sorted by name
	old     []oldFile
	open    bool // all files in the directory are part of the store
	made    bool // only in UNFINISHED: the directory was made for the store
	text    []byte
}

// oldFile is a file that stays for readers of older states.
type oldFile struct {
	name string
	size int64
	last uint64 // number of the last state that has the file
}

func (s *seal) entry(name string) (f File, ok bool) {
	i, ok := slices.BinarySearchFunc(s.files, name, func(f File, name string) int { return strings.Compare(f.Name, name) })
	if ok {
		f = s.files[i]
	}
	return f, ok
}

// waitingFile returns the entry of a file that stays for readers of older states.
func (s *seal) waitingFile(name string) (f oldFile, ok bool) {
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
		b = fmt.Appendf(b, "%s %d %016x\n", f.Name, f.Size, f.Sum)
	}
	for _, f := range s.old {
		b = fmt.Appendf(b, "old %s %d %d\n", f.name, f.size, f.last)
	}
	return fmt.Appendf(b, "end %016x\n", xxh3.Hash(b))
}

// readSealFile reads FSTORE or UNFINISHED. With an ErrVersion, the seal has the version that was read.
func (d Dir) readSealFile(name string) (*seal, error) {
	var b []byte
	err := whileBusy(func() (err error) {
		b, err = d.read(name)
		return err
	})
	if info, serr := d.FS.Stat(d.Path); errors.Is(err, fs.ErrNotExist) || err != nil && serr == nil && !info.IsDir() {
		return nil, d.fail(ErrNotStore, "")
	}
	if err != nil {
		return nil, d.ReadError(name, err)
	}
	s := &seal{text: b}
	first, rest, _ := bytes.Cut(b, []byte("\n"))
	if n, err := fmt.Sscanf(string(first), sealMagic+"%d", &s.version); n != 1 || err != nil {
		return nil, d.Damaged(name+" does not begin as it should", nil)
	}
	if err := d.CheckVersion(s.version); err != nil {
		return s, err
	}
	end := bytes.LastIndex(b, []byte("end "))
	if end < 0 || string(b[end:]) != fmt.Sprintf("end %016x\n", xxh3.Hash(b[:end])) {
		return nil, d.Damaged(name+" is not what was written", nil)
	}
	for line := range strings.Lines(string(rest[:len(rest)-len(b[end:])])) {
		if err := s.parse(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, d.Damaged(name, err)
		}
	}
	slices.SortFunc(s.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return s, nil
}

// parse reads one line of a seal into s.
func (s *seal) parse(line string) (err error) {
	var e File
	switch {
	case line == "sealed":
	case line == "open":
		s.open = true
	case line == "made":
		s.made = true
	case strings.HasPrefix(line, "next "):
		s.next, err = strconv.ParseUint(line[len("next "):], 10, 63)
	case strings.HasPrefix(line, "old "):
		if e, err = parseFile(line[len("old "):], 10); err == nil && isDataName(e.Name) {
			s.old = append(s.old, oldFile{e.Name, e.Size, e.Sum})
		}
	default:
		if e, err = parseFile(line, 16); err == nil && isDataName(e.Name) { // older programs named other files too
			s.files = append(s.files, e)
		}
	}
	return err
}

// parseFile reads the line of a file: name, size, and a number in this base. The name may have spaces.
func parseFile(line string, base int) (e File, err error) {
	sum := strings.LastIndexByte(line, ' ')
	size := strings.LastIndexByte(line[:max(sum, 0)], ' ')
	if size <= 0 {
		return e, Malformed("line %q", line)
	}
	var err1, err2 error
	e.Name = line[:size]
	e.Size, err1 = strconv.ParseInt(line[size+1:sum], 10, 64)
	e.Sum, err2 = strconv.ParseUint(line[sum+1:], base, 64)
	return e, errors.Join(err1, err2)
}

// isSealedBy says whether the file FSTORE still has the same bytes as the seal s.
func (d Dir) isSealedBy(s *seal) (bool, error) {
	b, err := d.read(sealName)
	return bytes.Equal(b, s.text), err
}

// copies returns the undamaged copies of meta in the directory, newest first. With a seal, it returns only
// copies that the seal lists.
func (d Dir) copies(sealed *seal) (copies [][]byte) {
	names, err := d.list(func(name string) bool {
		if sealed != nil && !sealed.open {
			if _, named := sealed.entry(name); !named {
				return false
			}
		}
		return IsCopyName(name)
	})
	if err != nil {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int { // the numbers have no leading zeros
		return cmp.Or(len(b)-len(a), strings.Compare(b, a))
	})
	for _, name := range names {
		if b, err := d.ReadSummed(name); err == nil {
			copies = append(copies, b)
		}
	}
	return copies
}
