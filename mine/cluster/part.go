package cluster

import (
	"encoding/binary"
	"fmt"
	"math"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// PieceRead describes the bytes that a task has read from a piece.
type PieceRead struct {
	Path      string // path as the task names the input
	Bytes     int64  // size of its text
	Hash      uint64 // xxh3 of its text
	Raw       uint64 // xxh3 of its bytes, which may be compressed
	Sentences int    // sentences, including refused ones
}

// partMeta describes a part's file, which has these sections:
//   - the labels, in the order in which they are first seen
//   - the symbols, in one section for each class
//   - how often each production occurs
//   - the samples, in batches: a block of heads (samples without trees), then a block of the trees
type partMeta struct {
	Samples     uint32
	Kind        index.Kind
	OneAlphabet bool
	Inputs      []string // inputs of the samples, in order
	Pieces      []PieceRead
	Wide        []uint64 // for each space, the number of heads where an option leaves out fragments
	Documented  bool     // some sample has a document
	// MissingOption and Missing are the results of Reading.Missing.
	MissingOption, Missing string
}

var symbolSections = [index.NumClasses]string{"labels of nodes", "words", "productions", "features"}

const (
	labelSection      = "labels"
	sampleSection     = "samples"
	occurrenceSection = "occurrences" // occurrences of productions, by id from 1, as uvarints
)

// batchBytes is how many bytes of trees, or of the samples' other data, fill a batch.
const batchBytes = 64 << 10

// head is all that a part's file has about a sample, except its tree.
type head struct {
	flags byte
	num   uint64 // number in the name, if isNumbered
	input uint64 // the sample's input, an index into partMeta.Inputs
	t     index.Tree

	corrections []byte
}

const (
	isNovel    = 1 << iota // has features that no earlier sample of the part has
	isNumbered             // name ends in # and a number
	isFirst                // this number counts from the start of the part's first piece
	isListed               // is in a K-best list
)

func (h *head) appendTo(dst []byte) []byte {
	t := &h.t
	if t.Group != "" || t.Candidate != 0 || t.Score != 0 || t.Gold != index.NotGold {
		h.flags |= isListed
	}
	dst = append(dst, h.flags)
	dst = binary.AppendUvarint(dst, h.input)
	dst = binary.AppendUvarint(dst, h.num)
	for _, s := range [...]string{t.Name, t.Label, t.Document} {
		dst = runfile.AppendBlock(dst, []byte(s))
	}
	if h.flags&isListed == 0 {
		return dst
	}
	dst = runfile.AppendBlock(dst, []byte(t.Group))
	dst = binary.AppendVarint(dst, int64(t.Candidate))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(t.Score))
	dst = append(dst, byte(t.Gold))
	return index.AppendCorrections(dst, t.Corrections)
}

// read decodes b into h. It allocates only strings that differ from those in h.
func (h *head) read(b []byte) error {
	bad := len(b) == 0
	uvarint := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			bad, n = true, len(b)
		}
		b = b[n:]
		return v
	}
	text := func(s *string) {
		v, rest, ok := runfile.CutBlock(b)
		if b, bad = rest, bad || !ok; string(v) != *s {
			*s = string(v)
		}
	}
	if bad {
		return disk.Malformed("head of a sample")
	}
	h.flags, b = b[0], b[1:]
	h.input, h.num = uvarint(), uvarint()
	t := &h.t
	text(&t.Name)
	text(&t.Label)
	text(&t.Document)
	t.Candidate, t.Score, t.Gold, h.corrections = 0, 0, index.NotGold, nil
	if h.flags&isListed == 0 {
		t.Group = ""
	} else {
		text(&t.Group)
		c, n := binary.Varint(b)
		if n <= 0 || len(b) < n+9 {
			return disk.Malformed("head of a sample")
		}
		t.Candidate, t.Score, t.Gold = int(c), math.Float64frombits(binary.LittleEndian.Uint64(b[n:])), index.Gold(b[n+8])
		h.corrections, b = append(h.corrections[:0], b[n+9:]...), nil
	}
	if bad || len(b) > 0 {
		return disk.Malformed("head of a sample")
	}
	return nil
}

// partFile is the open file of a part.
type partFile struct {
	*file
	meta partMeta
}

// samples calls f for the head and the tree of each sample, in order. f must not keep its arguments.
func (p *partFile) samples(f func(head, tree []byte) error) error {
	n := uint32(0)
	err := p.pairs(sampleSection, func(heads, trees []byte) error {
		for ; len(heads)+len(trees) > 0; n++ {
			var head, tree []byte
			var ok, also bool
			head, heads, ok = runfile.CutBlock(heads)
			tree, trees, also = runfile.CutBlock(trees)
			if !ok || !also {
				return p.damaged("section " + sampleSection)
			}
			if err := f(head, tree); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && n != p.meta.Samples {
		err = p.damaged(fmt.Sprintf("section %s has %d samples in place of %d", sampleSection, n, p.meta.Samples))
	}
	return err
}

// appendOccurrences appends how often each id occurs, from id 1 on.
func appendOccurrences(dst []byte, n []uint64) []byte {
	for id := 1; id < len(n); id++ {
		dst = binary.AppendUvarint(dst, n[id])
	}
	return dst
}

// occurrences calls f for each id with the number that appendOccurrences wrote.
func (r *file) occurrences(f func(id int, n uint64) error) error {
	return r.blocks(occurrenceSection, func(b []byte) error {
		for id := 1; len(b) > 0; id++ {
			n, k := binary.Uvarint(b)
			if k <= 0 {
				return r.damaged("section " + occurrenceSection)
			}
			if err := f(id, n); err != nil {
				return err
			}
			b = b[k:]
		}
		return nil
	})
}

// writeSymbols writes a section for each class of symbols.
func writeSymbols(w *writer, s *index.Symbols) {
	for c := range index.NumClasses {
		w.begin(symbolSections[c])
		for id := 1; id <= s.Len(c); id++ {
			w.block(s.Bytes(c, uint32(id)))
		}
	}
}

func (r *file) symbols() (*index.Symbols, error) {
	s := index.NewSymbols()
	var block [][]byte
	for c := range index.NumClasses {
		add := func() error {
			err := s.AppendNew(c, block)
			if block = block[:0]; err != nil {
				return r.damaged(err.Error())
			}
			return nil
		}
		err := r.blocks(symbolSections[c], func(b []byte) error {
			block = append(block, append([]byte{}, b...)) // not nil, which AppendNew leaves out
			if len(block) < symbolBlock {
				return nil
			}
			return add()
		})
		if err == nil {
			err = add()
		}
		if err != nil {
			return nil, err
		}
		if c < index.Productions { // to check the ids of labels and words in productions
			s.Expect([index.NumClasses]uint32{index.Labels: uint32(s.Len(index.Labels)), index.Words: uint32(s.Len(index.Words))})
		}
	}
	return s, nil
}

const symbolBlock = 256
