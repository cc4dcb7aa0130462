package grow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"fstore/index"
	"fstore/store/runfile"
)

// levelVisitor sees the growth of a part of the samples: it writes what is of the
// orders from to to, and descends into what is frequent in all samples.
type levelVisitor struct {
	ctx      context.Context
	l        *levels
	from, to int
	out      *sharedSorter
	records  []byte            // not in out yet, a block each
	frequent []*runfile.Reader // codes of order r at r-2
	visits   uint
	code     index.Code
	record   []byte
}

// Visit implements index.Visitor.
func (v *levelVisitor) Visit(b *index.Batch) error {
	if v.visits++; v.visits&0xFF == 0 {
		if err := v.ctx.Err(); err != nil {
			return err
		}
	}
	order := b.Parent.Len() + 1
	for i := range b.Len() {
		v.code = append(append(v.code[:0], b.Parent...), b.SuffixOf(i)...)
		if order >= v.from {
			v.record = appendRecord(v.record[:0], v.code, Occurrences{b.SamplesOf(i), b.CountsOf(i), b.PlacesOf(i)})
			v.records = runfile.AppendBlock(v.records, v.record)
			if len(v.records) >= recordBatch {
				if err := v.flush(); err != nil {
					return err
				}
			}
		}
		if order == v.to {
			continue
		}
		var err error
		if b.Descend[i], err = v.isFrequent(order); err != nil {
			return err
		}
	}
	return nil
}

// isFrequent says whether v.code is frequent in all samples. Of an order codes are
// asked for in ascending order, as growth has them.
func (v *levelVisitor) isFrequent(order int) (bool, error) {
	if order == 1 {
		roots := v.l.g.roots()
		step, _, _ := v.code.Next()
		i, ok := findRoot(roots, step.Packed())
		return ok && roots[i].support >= v.l.g.Limits.MinSupport, nil
	}
	for len(v.frequent) < order-1 {
		r, err := v.l.files[len(v.frequent)+1].codes.Blocks()
		if err != nil {
			return false, err
		}
		v.frequent = append(v.frequent, r)
	}
	r := v.frequent[order-2]
	for !r.End && bytes.Compare(r.Value, v.code) < 0 {
		if err := r.Next(); err != nil && err != io.EOF {
			return false, err
		}
	}
	return bytes.Equal(r.Value, v.code), nil
}

// recordBatch is how many bytes of records are put into the sorter at once.
const recordBatch = 64 << 10

// flush puts the records into the sorter.
func (v *levelVisitor) flush() error {
	v.out.mu.Lock()
	defer v.out.mu.Unlock()
	for b := v.records; len(b) > 0; {
		var record []byte
		record, b, _ = runfile.CutBlock(b)
		if err := v.out.s.Add(record); err != nil {
			return err
		}
	}
	v.records = v.records[:0]
	return nil
}

// sharedSorter is a sorter for several goroutines.
type sharedSorter struct {
	mu sync.Mutex
	s  *runfile.Sorter
}

func (v *levelVisitor) close() (err error) {
	err = v.flush()
	for _, r := range v.frequent {
		err = errors.Join(err, r.Close())
	}
	return err
}
