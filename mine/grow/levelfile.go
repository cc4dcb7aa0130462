package grow

import (
	"errors"
	"fmt"

	"fstore/index"
	"fstore/store/runfile"
)

// A record is a fragment: its code, a block (runfile.AppendBlock), and its posting list.

func appendRecord(dst []byte, c index.Code, occ Occurrences) []byte {
	return occ.AppendPosting(runfile.AppendBlock(dst, c))
}

// codeOf is the key that records are sorted by.
func codeOf(record []byte) []byte {
	c, _, _ := runfile.CutBlock(record)
	return c
}

// levelFile is the frequent fragments of one order, in code order: their codes in one file, which
// growth follows time and again, and their records in another.
type levelFile struct {
	codes, records *runfile.File
	n              uint64 // fragments
	buf            []byte
}

func createLevel(s *runfile.Dir, order int) (*levelFile, error) {
	codes, err := s.CreateBuffered(fmt.Sprintf("codes-%d", order))
	if err != nil {
		return nil, err
	}
	records, err := s.CreateBuffered(fmt.Sprintf("lists-%d", order))
	if err != nil {
		codes.Abort()
		return nil, err
	}
	return &levelFile{codes: codes, records: records}, nil
}

// add writes the next fragment.
func (f *levelFile) add(c index.Code, occ Occurrences) error {
	f.n++
	f.buf = appendRecord(f.buf[:0], c, occ)
	return errors.Join(runfile.WriteBlock(f.codes.Writer, c), runfile.WriteBlock(f.records.Writer, f.buf))
}

// close ends adding.
func (f *levelFile) close() error { return errors.Join(f.codes.Finish(), f.records.Finish()) }
