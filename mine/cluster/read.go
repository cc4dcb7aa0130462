package cluster

import (
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store/runfile"
)

// Reading says how a task reads the samples of a part.
type Reading struct {
	// Open opens the pieces of the part. It interns new symbols into s.
	Open func(j *Job, part int, s *index.Symbols) (Source, error)
	// Missing says whether an error of the source only means that an option found no labels or documents in
	// the part. If so, it returns the option, and the message to show if all parts lack them. Else `text` is
	// "", and the task ends.
	Missing func(err error) (option, text string)
}

// Source is a source of the samples of a part.
type Source interface {
	index.Source
	index.Placed
	// Named says whether the last sample has its name from the input. Otherwise the name ends in # and a
	// number.
	Named() bool
	// Pieces describes what was read: one record for each piece, in order, then one for the gold file.
	Pieces() []PieceRead
}

// Read does the task for part i: it reads the part's inputs and writes the part's file. It returns the number
// of samples, and whether it wrote the file. It does nothing if the file exists.
func (t *Task) Read(ctx context.Context, i int, o Reading) (samples uint32, wrote bool, err error) {
	if err := numbered("part", i, len(t.Job.Parts)); err != nil {
		return 0, false, err
	}
	name := PartName(i)
	wrote, err = t.once(name, func() (bool, error) { return t.isDone(name, nil) }, func() (err error) {
		samples, err = t.read(ctx, i, o)
		return err
	})
	return samples, wrote, err
}

func (t *Task) read(ctx context.Context, i int, o Reading) (samples uint32, err error) {
	w, err := create(t.FS, t.Dir, PartName(i), t.sum)
	if err != nil {
		return 0, err
	}
	r := &partReader{t: t, ctx: ctx, w: w, syms: index.NewSymbols(), labels: map[string]bool{}}
	w.begin(sampleSection)
	if len(t.Job.Parts[i-1]) > 0 {
		err = r.read(i, o)
	}
	if err != nil {
		return 0, errors.Join(err, w.abort())
	}
	r.flush()
	w.begin(occurrenceSection)
	w.block(appendOccurrences(nil, r.occurrences))
	w.begin(labelSection)
	for _, label := range r.ordered {
		w.block([]byte(label))
	}
	writeSymbols(w, r.syms)
	return r.meta.Samples, w.finish(&r.meta)
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
	last    string // labels of the last sample
	pieces  int    // number of pieces begun
	number  int    // number of the last sentence
	buf     []byte

	heads, trees []byte   // of the current batch
	occurrences  []uint64 // occurrences of productions
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
		if err := r.addSample(&t, src); err != nil {
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
	for k, p := range r.t.Job.Parts[i-1] {
		if k >= len(r.meta.Pieces) || r.meta.Pieces[k].Raw != p.Hash {
			return r.t.Job.Inputs[p.Input].Changed()
		}
	}
	return nil
}

// addSample writes a sample.
func (r *partReader) addSample(t *index.Tree, src Source) (err error) {
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
	r.recordPlace(t, src)
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
	r.recordLabels(t.Label)
	r.buf = h.appendTo(r.buf[:0])
	r.heads = runfile.AppendBlock(r.heads, r.buf)
	r.buf = index.AppendTree(r.buf[:0], t)
	r.trees = runfile.AppendBlock(r.trees, r.buf)
	if max(len(r.heads), len(r.trees)) >= batchBytes {
		r.flush()
	}
	r.countProductions(t)
	return r.w.err
}

func (r *partReader) flush() {
	if len(r.heads) > 0 {
		r.w.block(r.heads)
		r.w.block(r.trees)
		r.heads, r.trees = r.heads[:0], r.trees[:0]
	}
}

func (r *partReader) countProductions(t *index.Tree) {
	if n := r.syms.Len(index.Productions) + 1; n > len(r.occurrences) {
		r.occurrences = append(r.occurrences, make([]uint64, n-len(r.occurrences))...)
	}
	for i := range t.Nodes {
		r.occurrences[t.Nodes[i].Prod]++ // index 0 counts nodes without a production
	}
}

// recordPlace records the piece and the input of a sample, except for a gold tree that was added to a list.
func (r *partReader) recordPlace(t *index.Tree, src Source) {
	if t.Gold == index.GoldAdded {
		return
	}
	input, number := src.Where()
	last := len(r.meta.Inputs) - 1
	switch {
	case last < 0 || r.meta.Inputs[last] != input:
		r.meta.Inputs = append(r.meta.Inputs, input)
		r.pieces++
	case number < r.number || number == r.number && t.Group == "": // the same input begins again
		r.pieces++
	}
	r.number = number
}

func (r *partReader) recordLabels(joined string) {
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
