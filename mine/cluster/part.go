package cluster

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// Reading is how a task reads the samples of a part.
type Reading struct {
	// Open opens the pieces of the part, interning into symbols.
	Open func(j *Job, part int, s *index.Symbols) (Source, error)
	// Missing looks at an error at the end of the samples. If it says that no sample has a label or a
	// document, another part may have one: Missing then returns the option that asked for them, and
	// what to say if no part has any. It returns "" for other errors.
	Missing func(err error) (option, text string)
}

// Source is the samples of a part.
type Source interface {
	index.Source
	// Where is the path of the input of the last sample, and the number of its sentence there.
	Where() (input string, sentence int)
	// Named says whether the input names the last sample. If not, the name ends in # and a number.
	Named() bool
	// Pieces are what was read of each piece, in order.
	Pieces() []PieceRead
}

// PieceRead is what was read of a piece.
type PieceRead struct {
	Format    string
	Bytes     int64  // of text
	Hash      uint64 // xxh3 of it
	Sentences int    // refused ones too
}

// partMeta describes a part's file: sections labels, one a block, as they are first seen; for each
// class of symbols one with the strings, one a block; and samples, a head and a tree each.
type partMeta struct {
	Samples     uint32
	Kind        index.Kind
	OneAlphabet bool
	Inputs      []string // that samples are from, in their order
	Pieces      []PieceRead
	Wide        []uint64 // of each space: heads, as index.Spanned counts them
	Documented  bool     // a sample has a document
	// MissingOption and Missing are what Reading.Missing returned.
	MissingOption, Missing string
}

// symbolSections name the sections of symbols.
var symbolSections = [index.NumClasses]string{"labels of nodes", "words", "productions", "features"}

const (
	labelSection  = "labels"
	sampleSection = "samples"
)

// head is a sample without its tree.
type head struct {
	flags byte
	num   uint64 // of a numbered sample
	input uint64 // the sample's input, an index into partMeta.Inputs
	t     index.Tree

	corrections []byte
}

const (
	isNovel    = 1 << iota // it has features that no earlier sample of the part has
	isNumbered             // its name ends in # and a number
	isFirst                // this number counts from the start of the part's first piece
	isListed               // it is of a K-best list
)

// Read does task i of those that read parts. wrote is false where the part is there already.
func (t *Task) Read(ctx context.Context, i int, o Reading) (wrote bool, err error) {
	if err := numbered("part", i, len(t.Job.Parts)); err != nil {
		return false, err
	}
	if is, err := t.isDone(PartName(i), nil); is || err != nil {
		return false, err
	}
	w, err := create(t.FS, t.Dir, PartName(i), t.sum)
	if err != nil {
		return false, err
	}
	r := &partReader{t: t, ctx: ctx, w: w, syms: index.NewSymbols(), labels: map[string]bool{}}
	w.begin(sampleSection)
	if len(t.Job.Parts[i-1]) > 0 {
		err = r.read(i, o)
	}
	if err != nil {
		return false, errors.Join(err, w.abort())
	}
	w.begin(labelSection)
	for _, label := range r.ordered {
		w.block([]byte(label))
	}
	writeSymbols(w, r.syms)
	return true, w.finish(&r.meta)
}

// writeSymbols writes a section for each class.
func writeSymbols(w *writer, s *index.Symbols) {
	for c := range index.NumClasses {
		w.begin(symbolSections[c])
		for id := 1; id <= s.Len(c); id++ {
			w.block(s.Bytes(c, uint32(id)))
		}
	}
}

// symbols reads the sections of symbols.
func (r *file) symbols() (*index.Symbols, error) {
	s := index.NewSymbols()
	for c := range index.NumClasses {
		if err := r.blocks(symbolSections[c], func(b []byte) error { s.Intern(c, b); return nil }); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// partReader reads one part.
type partReader struct {
	t       *Task
	ctx     context.Context
	w       *writer
	syms    *index.Symbols
	spaces  []grow.SpaceLimits
	meta    partMeta
	labels  map[string]bool
	ordered []string
	last    string // labels of the sample before
	pieces  int    // begun
	number  int    // of the sentence before
	buf     []byte
	tree    []byte
}

func (r *partReader) read(i int, o Reading) (err error) {
	src, err := o.Open(r.t.Job, i, r.syms)
	if err != nil {
		return err
	}
	defer func() {
		if c, ok := src.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}()
	var told []index.Space
	for _, s := range r.t.Choice.Spaces {
		told = append(told, s.Space)
	}
	index.Tell(src, told...)
	r.t.Progress.Step("read", "samples", 0)
	var t index.Tree
	for {
		err := src.Next(&t)
		if err == io.EOF {
			break
		}
		if err != nil {
			if r.meta.MissingOption, r.meta.Missing = o.Missing(err); r.meta.Missing == "" {
				return err
			}
			break
		}
		if err := r.add(&t, src); err != nil {
			return err
		}
		if r.meta.Samples&0xFF == 0 {
			r.t.Progress.Add(0x100)
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
	}
	r.meta.Pieces = src.Pieces()
	return nil
}

// add writes a sample.
func (r *partReader) add(t *index.Tree, src Source) (err error) {
	if r.meta.Samples == 0 {
		r.meta.Kind, r.meta.OneAlphabet = t.Kind, t.OneAlphabet
		if r.spaces, err = r.t.Choice.ForNew(t.Kind); err != nil {
			return err
		}
		r.meta.Wide = make([]uint64, len(r.spaces))
	}
	if err := index.CheckSame(r.meta.Kind, r.meta.OneAlphabet, t); err != nil {
		return index.BadSample(src, t, err)
	}
	if r.meta.Samples == math.MaxUint32 {
		return errors.New("too many samples in a part")
	}
	r.meta.Samples++
	before := r.syms.Len(index.Features)
	for i, s := range r.spaces {
		index.Prepare(s.Space, t, r.syms)
		if x, ok := s.Space.(index.Spanned); ok {
			r.meta.Wide[i] += uint64(x.Wide(t, s.Limits))
		}
	}
	r.place(t, src)
	h := head{input: uint64(max(len(r.meta.Inputs), 1) - 1), t: *t}
	if r.syms.Len(index.Features) > before {
		h.flags |= isNovel
	}
	if at := strings.LastIndexByte(t.Name, '#'); at >= 0 && !src.Named() {
		if n, err := strconv.ParseUint(t.Name[at+1:], 10, 64); err == nil {
			h.flags |= isNumbered
			h.num, h.t.Name = n, t.Name[:at]
			if r.pieces == 1 {
				h.flags |= isFirst
			}
		}
	}
	r.meta.Documented = r.meta.Documented || t.Document != ""
	r.label(t.Label)
	r.buf = h.append(r.buf[:0])
	r.w.block(r.buf)
	r.tree = index.AppendTree(r.tree[:0], t)
	r.w.block(r.tree)
	return r.w.err
}

// place notes which piece and which input a sample is from. One that was added to a list is from
// neither.
func (r *partReader) place(t *index.Tree, src Source) {
	if t.Gold == index.GoldAdded {
		return
	}
	input, number := src.Where()
	last := len(r.meta.Inputs) - 1
	switch {
	case last < 0 || r.meta.Inputs[last] != input:
		r.meta.Inputs = append(r.meta.Inputs, input)
		r.pieces++
	case number < r.number || number == r.number && t.Group == "": // the same input once more
		r.pieces++
	}
	r.number = number
}

// label notes the labels of a sample.
func (r *partReader) label(joined string) {
	if joined == r.last {
		return
	}
	r.last = strings.Clone(joined)
	index.SplitLabels(r.last, func(label string) {
		if !r.labels[label] {
			r.labels[label] = true
			r.ordered = append(r.ordered, label)
		}
	})
}

// append appends the bytes of a head.
func (h *head) append(dst []byte) []byte {
	t := &h.t
	if t.Group != "" || t.Candidate != 0 || t.Score != 0 || t.Gold != index.NotGold {
		h.flags |= isListed
	}
	dst = append(dst, h.flags)
	dst = binary.AppendUvarint(dst, h.input)
	dst = binary.AppendUvarint(dst, h.num)
	text := func(s string) {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
		dst = append(dst, s...)
	}
	text(t.Name)
	text(t.Label)
	text(t.Document)
	if h.flags&isListed == 0 {
		return dst
	}
	text(t.Group)
	dst = binary.AppendVarint(dst, int64(t.Candidate))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(t.Score))
	dst = append(dst, byte(t.Gold))
	return index.AppendCorrections(dst, t.Corrections)
}

// read sets a head to what append wrote. Strings that are the same as before are not made anew.
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
		n := uvarint()
		if n > uint64(len(b)) {
			bad, n = true, uint64(len(b))
		}
		if string(b[:n]) != *s {
			*s = string(b[:n])
		}
		b = b[n:]
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

// samples calls f for the heads and the trees of a part, in order. f must keep neither.
func (r *file) samples(f func(head, tree []byte) error) error {
	s, err := r.section(sampleSection)
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(s, 1<<18)
	var head, tree []byte
	for {
		if head, err = runfile.ReadBlock(in, head); err == io.EOF {
			return nil
		}
		if err == nil {
			if tree, err = runfile.ReadBlock(in, tree); err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
		}
		if err == nil {
			err = f(head, tree)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return r.damaged("samples")
		}
		if err != nil {
			return err
		}
	}
}
