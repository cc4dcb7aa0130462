package rerank

import (
	"bufio"
	"errors"
	"math/bits"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/runfile"
)

// Scratch is where vectors go that memory does not hold.
type Scratch struct {
	runfile.Dir
	Memory int64 // what is held, in bytes
}

// vectorsFile is the name of their file.
const vectorsFile = "vectors"

// Vectors are the vectors of the trees of Lists, see ListVectors. Lists are put one by one and
// added in their order, then Seal is called, and then they are read by any number of goroutines.
type Vectors struct {
	Features uint32 // the largest feature id there is

	scratch Scratch
	places  []Place
	putting sync.Mutex
	held    int64
	written int64
	file    vfs.File // nil: all are held
	out     *bufio.Writer
}

// Place is where Vectors have the vectors of a list: held, or in their file.
type Place struct {
	held     []byte
	at, size int64
}

// Bytes is how many bytes they take.
func (p *Place) Bytes() int64 { return int64(len(p.held)) + p.size }

// NewVectors returns vectors of no lists, over features up to the largest.
func NewVectors(features uint32, s Scratch) *Vectors {
	return &Vectors{Features: features, scratch: s}
}

// Put keeps the vectors of the trees of a list, for Add. Any number of goroutines may call it.
func (v *Vectors) Put(list *ListVectors) (Place, error) {
	n := list.size()
	v.putting.Lock()
	defer v.putting.Unlock()
	if v.held+n <= v.scratch.Memory {
		v.held += n
		p := Place{held: make([]byte, 0, n)}
		return p, list.each(func(piece []byte) error {
			p.held = append(p.held, piece...)
			return nil
		})
	}
	if v.file == nil {
		var err error
		if v.file, err = v.scratch.Create(vectorsFile); err != nil {
			return Place{}, err
		}
		v.out = bufio.NewWriterSize(v.file, 1<<20)
	}
	p := Place{at: v.written, size: n}
	v.written += n
	return p, list.each(func(piece []byte) error {
		_, err := v.out.Write(piece)
		return err
	})
}

// Add appends one more list, whose vectors Put has kept.
func (v *Vectors) Add(list Place) { v.places = append(v.places, list) }

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
	groups
}

func (v *Vectors) reader() *vectorReader { return &vectorReader{v: v} }

// open begins to read the groups of list i.
func (r *vectorReader) open(i int) {
	p := &r.v.places[i]
	r.rest, r.file, r.at, r.left, r.size = p.held, r.v.file, p.at, p.size, 0
}

// scores sets dst to the products of the vectors of list i, by tree, with dense weights by
// feature id.
func (r *vectorReader) scores(dst []float64, i int, w []float64) error {
	clear(dst)
	r.open(i)
	for {
		ok, err := r.next()
		if !ok || err != nil {
			return err
		}
		if int(r.first)+bits.Len64(r.mask) > len(dst) {
			return errScratch
		}
		sum := 0.0
		err = r.each(func(ids []uint32) {
			for _, id := range ids {
				sum += w[id]
			}
		})
		if err != nil {
			return err
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
	r.open(i)
	for {
		ok, err := r.next()
		if !ok || err != nil {
			return err
		}
		x := r.of(a) - r.of(b)
		if x == 0 {
			continue
		}
		if err := r.each(func(ids []uint32) { f(ids, x) }); err != nil {
			return err
		}
	}
}

// each calls f with the ids of the group, piece by piece.
func (r *vectorReader) each(f func(ids []uint32)) error {
	for {
		ok, err := r.more(r.v.Features)
		if !ok || err != nil {
			return err
		}
		f(r.ids)
	}
}
