package rerank

import (
	"bufio"
	"errors"
	"math/bits"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/runfile"
)

// Scratch is the directory for the vectors that do not fit into memory.
type Scratch struct {
	runfile.Dir
	Memory int64 // how many bytes of vectors stay in memory
}

const vectorsFile = "vectors"

// Vectors are the vectors of the trees of Lists. Put stores the vectors of a list. Add takes the results of
// Put, in the order of the lists. After Seal, any number of goroutines can read the vectors.
type Vectors struct {
	Features uint32 // the largest feature id

	scratch Scratch
	places  []Place
	putting sync.Mutex
	held    int64
	written int64
	file    vfs.File // nil while all vectors are in memory
	out     *bufio.Writer
}

// Place is where the vectors of one list are: in memory, or in the scratch file.
type Place struct {
	held     []byte
	at, size int64
}

// Bytes returns how many bytes the vectors of the list take.
func (p *Place) Bytes() int64 { return int64(len(p.held)) + p.size }

// NewVectors returns an empty Vectors. No feature id may be above `features`.
func NewVectors(features uint32, s Scratch) *Vectors {
	return &Vectors{Features: features, scratch: s}
}

// Put stores the vectors of one list, in memory or in the scratch file. Its result must be passed to Add.
// Several goroutines can call Put at the same time.
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

// Add appends the next list, whose vectors Put has stored.
func (v *Vectors) Add(list Place) { v.places = append(v.places, list) }

// Seal ends the writing of vectors. Call it after the last Add. The file is not synced, because it does not
// outlive the process.
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

// Close removes the scratch directory. It can be called at any time, and more than once.
func (v *Vectors) Close() (err error) {
	if v.file != nil {
		err = v.file.Close()
		v.file = nil
	}
	return errors.Join(err, v.scratch.Remove())
}

// vectorReader reads the vectors of lists, for one goroutine.
type vectorReader struct {
	v *Vectors
	groups
}

func (v *Vectors) reader() *vectorReader { return &vectorReader{v: v} }

func (r *vectorReader) open(i int) {
	p := &r.v.places[i]
	r.rest, r.file, r.at, r.left, r.size = p.held, r.v.file, p.at, p.size, 0
}

// scores sets dst to the products of the vectors of list i with the weights w[id].
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

// difference subtracts the vector of tree b of list i from the vector of tree a. The result is a sum: each
// call f(ids, x) adds x to the features `ids`.
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
