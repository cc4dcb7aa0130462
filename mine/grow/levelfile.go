package grow

import (
	"errors"
	"fmt"

	"fstore/index"
	"fstore/store/posting"
	"fstore/store/runfile"
)

// levelFile holds the frequent fragments of one order, in code order. The codes have their own file, because
// growth reads them many times.
type levelFile struct {
	codes, records *runfile.File
	n              uint64 // number of fragments
	buf            []byte
}

func createLevel(s *runfile.Dir, order int) (*levelFile, error) {
	codes, err := s.CreateFile(fmt.Sprintf("codes-%d", order))
	if err != nil {
		return nil, err
	}
	records, err := s.CreateFile(fmt.Sprintf("lists-%d", order))
	if err != nil {
		codes.Abort()
		return nil, err
	}
	return &levelFile{codes: codes, records: records}, nil
}

func (f *levelFile) add(c index.Code, samples, counts, places []uint32) error {
	f.n++
	f.buf = appendRecord(f.buf[:0], c, samples, counts, places)
	return errors.Join(runfile.WriteBlock(f.codes.Writer, c), runfile.WriteBlock(f.records.Writer, f.buf))
}

func (f *levelFile) close() error { return errors.Join(f.codes.Finish(), f.records.Finish()) }

// appendRecord appends a fragment's code as a block (runfile.AppendBlock), then its posting list.
func appendRecord(dst []byte, c index.Code, samples, counts, places []uint32) []byte {
	return posting.Append(runfile.AppendBlock(dst, c), samples, counts, places)
}

// codeOf returns the code of a record. Records are sorted by their codes.
func codeOf(record []byte) []byte {
	c, _, _ := runfile.CutBlock(record)
	return c
}
