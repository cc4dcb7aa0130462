package linearize

import (
	"errors"

	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/store"
)

// RunStored writes the vectors of the samples of the store: what Run writes of
// store.NewSource. They come from the posting lists of the features, with at most this many
// bytes of vectors at a time (0 is 1 GiB), but for what those do not tell; then the trees
// are read:
//   - NormalizeKernel, which needs K(t, t);
//   - KernelValue in spaces where matches decay (index.Decaying);
//   - selections with fragments that are not stored, below the support or above the order
//     of their space.
func (s *Stream) RunStored(memory int64, progress index.Progress) error {
	x, err := s.l.Transpose(s.ctx, memory, progress)
	if errors.Is(err, ErrNotStored) {
		progress.Step("linearize", "samples", int64(s.l.S.Meta().Samples))
		return s.Run(&Counting{store.NewSource(s.l.S), progress})
	}
	if err != nil {
		return err
	}
	defer s.cancel(nil)
	var name []byte
	err = x.Each(func(t *index.Tree, v *vector.Vector) (err error) {
		if v.Label, err = s.l.label(t.Label); err != nil {
			return read.BadTree(read.Place{File: t.Name}, 0, err)
		}
		if s.sums != nil {
			s.sums.add(t, v)
			return nil
		}
		if err := s.w.Write(v); err != nil {
			return err
		}
		s.wrote(v)
		name = append(append(name[:0], v.Sample...), '\n')
		return errors.Join(writeTo(s.o.IDs, name), writeTo(s.o.Lines, unknownLine))
	})
	if err == nil && s.sums != nil {
		err = s.writeSums()
	}
	return errors.Join(err, s.w.Flush())
}

// unknownLine is the line of a sample of which nobody knows it.
var unknownLine = []byte("0\n")

// Counting tells how many samples were read.
type Counting struct {
	index.Source
	Progress index.Progress
}

// Next is index.Source's.
func (c *Counting) Next(t *index.Tree) error {
	err := c.Source.Next(t)
	if err == nil {
		c.Progress.Add(1)
	}
	return err
}
