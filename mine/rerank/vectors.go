package rerank

import (
	"bufio"
	"errors"
	"math/bits"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/scratchdir"
)

// Scratch is where vectors go that memory does not hold.
type Scratch struct {
	scratchdir.Dir
	Memory int64 // what is held, in bytes
}

// vectorsFile is the name of their file.
const vectorsFile = "vectors"

// Vectors are the vectors of the trees of Lists, see ListVectors. Lists are added one by one,
// then Seal is called, and then they are read by any number of goroutines.
type Vectors struct {
	Features uint32 // the largest feature id there is

	scratch Scratch
	places  []place
	held    int64
	written int64
	file    vfs.File // nil: all are held
	out     *bufio.Writer
}

// place is where the vectors of a list are: held, or in the file.
type place struct {
	held     []byte
	at, size int64
}

// NewVectors returns vectors of no lists, over features up to the largest.
func NewVectors(features uint32, s Scratch) *Vectors {
	return &Vectors{Features: features, scratch: s}
}

// Add appends the vectors of the trees of one more list, as ListVectors.Bytes has them.
func (v *Vectors) Add(list []byte) error {
	n := int64(len(list))
	if v.held+n <= v.scratch.Memory {
		v.held += n
		v.places = append(v.places, place{held: list})
		return nil
	}
	if v.file == nil {
		if err := v.create(); err != nil {
			return err
		}
	}
	v.places = append(v.places, place{at: v.written, size: n})
	v.written += n
	_, err := v.out.Write(list)
	return err
}

func (v *Vectors) create() (err error) {
	if v.file, err = v.scratch.Create(vectorsFile); err == nil {
		v.out = bufio.NewWriterSize(v.file, 1<<20)
	}
	return err
}

// Seal ends adding. The file needs no sync: it does not outlive the process.
func (v *Vectors) Seal() error {
	if v.file == nil {
		return nil
	}
	err := errors.Join(v.out.Flush(), v.file.Close())
	v.file, v.out = nil, nil
	if err != nil {
		return err
	}
	v.file, err = v.scratch.Open(vectorsFile, vfs.RandomReadsOption)
	return err
}

// Close removes what was made. It may be called at any time, and again.
func (v *Vectors) Close() (err error) {
	if v.file != nil {
		err = v.file.Close()
		v.file = nil
	}
	return errors.Join(err, v.scratch.Remove())
}

// vectorReader reads vectors, for one goroutine.
type vectorReader struct {
	v *Vectors
	b []byte
	groups
}

func (v *Vectors) reader() *vectorReader { return &vectorReader{v: v} }

// open begins to read the groups of list i.
func (r *vectorReader) open(i int) error {
	p := &r.v.places[i]
	r.rest = p.held
	if p.size == 0 {
		return nil
	}
	r.b = slices.Grow(r.b[:0], int(p.size))[:p.size]
	r.rest = r.b
	_, err := r.v.file.ReadAt(r.b, p.at)
	return err
}

// scores sets dst to the products of the vectors of list i, by tree, with dense weights by
// feature id.
func (r *vectorReader) scores(dst []float64, i int, w []float64) error {
	clear(dst)
	if err := r.open(i); err != nil {
		return err
	}
	for {
		ok, err := r.next()
		if !ok || err != nil {
			return err
		}
		if int(r.first)+bits.Len64(r.mask) > len(dst) {
			return errScratch
		}
		if err := r.decode(r.v.Features); err != nil {
			return err
		}
		sum := 0.0
		for _, id := range r.ids {
			sum += w[id]
		}
		sum = float64(sum * r.value)
		for mask := r.mask; mask != 0; mask &= mask - 1 {
			dst[int(r.first)+bits.TrailingZeros64(mask)] += sum
		}
	}
}

// difference calls f with features in which two trees of list i differ, and by how much the
// value of tree a is above that of tree b. What is said of a feature by several calls adds up.
func (r *vectorReader) difference(i, a, b int, f func(ids []uint32, x float64)) error {
	if err := r.open(i); err != nil {
		return err
	}
	for {
		ok, err := r.next()
		if !ok || err != nil {
			return err
		}
		x := r.of(a) - r.of(b)
		if x == 0 {
			continue
		}
		if err := r.decode(r.v.Features); err != nil {
			return err
		}
		f(r.ids, x)
	}
}
