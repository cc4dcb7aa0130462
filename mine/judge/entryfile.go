package judge

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"

	"fstore/store"
	"fstore/store/runfile"
)

// entryFile holds the entries of one range, grown by a worker of its own, until those
// of the ranges before are written, as Entry.Append has them.
type entryFile struct {
	*runfile.File
	columns int // statistics
	n       uint64
	buf     []byte
}

// Put adds an entry; codes ascend.
func (f *entryFile) Put(e *store.Entry) error {
	f.n++
	f.buf = e.Append(f.buf[:0])
	_, err := f.Write(f.buf)
	return err
}

// Each calls g for the entries, with one that is refilled, and closes the file.
func (f *entryFile) Each(g func(*store.Entry) error) error {
	return f.Read(func(r *bufio.Reader) error {
		var e store.Entry
		numbers := make([]byte, 8*(2+f.columns))
		for range f.n {
			if err := f.next(r, &e, numbers); err != nil {
				return err
			}
			if err := g(&e); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *entryFile) next(r *bufio.Reader, e *store.Entry, numbers []byte) error {
	var err error
	if e.Code, err = runfile.ReadBlock(r, e.Code); err != nil {
		return err
	}
	if _, err := io.ReadFull(r, numbers); err != nil {
		return err
	}
	number := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:])) }
	e.Score, e.Weight, e.Stats = number(0), number(1), e.Stats[:0]
	for i := range f.columns {
		e.Stats = append(e.Stats, number(2+i))
	}
	return nil
}
