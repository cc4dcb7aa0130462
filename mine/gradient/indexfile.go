package gradient

import (
	"bufio"
	"errors"
	"io"

	"fstore/index"
	"fstore/index/expansion"
)

// indexFile is an expansion index in a scratch file. If Index is nil, there is no file.
type indexFile struct {
	*expansion.Index
	path string
}

// index makes an index of codes. The function `putAll` must call put with every code, in ascending order.
func (s *streamFiles) index(space index.Space, syms *index.Symbols, putAll func(put func(index.Code) error) error) (x indexFile, err error) {
	blocks, blocksPath, err := s.create()
	if err != nil {
		return x, err
	}
	buf := bufio.NewWriterSize(blocks, blockSize)
	t := expansion.NewBuilderOf(buf, space, syms)
	err = putAll(t.Add)
	part, err2 := t.Finish()
	if err := errors.Join(err, err2, buf.Flush(), blocks.Close()); err != nil {
		return x, errors.Join(err, s.fs.Remove(blocksPath))
	}
	in, err := s.fs.Open(blocksPath)
	if err != nil {
		return x, err
	}
	f, path, err := s.create()
	if err != nil {
		return x, errors.Join(err, in.Close())
	}
	err = expansion.Join(f, []expansion.Part{part}, []io.Reader{in})
	if err := errors.Join(err, f.Close(), in.Close(), s.fs.Remove(blocksPath)); err != nil {
		return x, errors.Join(err, s.fs.Remove(path))
	}
	x.path = path
	x.Index, err = expansion.Open(s.fs, path)
	return x, err
}

func (x *indexFile) close(s *streamFiles) error {
	if x.Index == nil {
		return nil
	}
	err := errors.Join(x.Close(), s.fs.Remove(x.path))
	x.Index = nil
	return err
}

// find returns the record of a code in an index. If the index has no such code, ok is false.
func find(x *expansion.Index, c index.Code) (rec expansion.Record, ok bool) {
	rec, ok = x.Root(), true
	for len(c) > 0 && ok {
		var step index.Step
		step, c, _ = c.Next()
		rec, ok = x.Step(&rec, step)
	}
	return rec, ok
}
