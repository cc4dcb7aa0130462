package read

import (
	"fmt"
	"io"
	"sync/atomic"

	"fstore/index"
)

// firstSkipped is how many skipped sentences are kept.
const firstSkipped = 20

// Refusals collects the bad sentences that are passed over: their number, the
// first 20, and all of them in Log, a line each, where it is set. An error of Log is for whoever
// closes it to find, as bufio.Writer has it.
type Refusals struct {
	Log io.Writer

	n     int
	first []*index.InputError
}

// Add notes a bad sentence.
func (r *Refusals) Add(e *index.InputError) {
	r.n++
	if len(r.first) < firstSkipped {
		r.first = append(r.first, e)
	}
	if r.Log != nil {
		_, _ = fmt.Fprintln(r.Log, e) // a Log that fails says so when it is closed
	}
}

// Skipped returns how many sentences were passed over, and the first of them.
func (r *Refusals) Skipped() (n int, first []*index.InputError) { return r.n, r.first }

// Refuse makes a bad sentence of t, which Next returned last, for a reason that no reader
// knows. With InputOptions.Skip it is passed over, and counted; else it is the error
// returned.
func (in *Inputs) Refuse(t *index.Tree, msg string) error {
	bad := &index.InputError{File: in.last.File, Line: t.Line, Sentence: in.last.sentence, Msg: msg}
	if !in.o.Skip {
		return bad
	}
	in.good--
	in.last.record.Samples--
	in.last.record.Refused++
	in.Add(bad)
	return nil
}

// progress counts the bytes read of all files.
type progress struct {
	total int64
	ended atomic.Int64
	cur   atomic.Pointer[prefetch]
}

func (p *progress) start(f *prefetch) { p.cur.Store(f) }

func (p *progress) end(f *prefetch) {
	p.cur.Store(nil)
	p.ended.Add(f.raw.Load())
}

func (p *progress) done() int64 {
	n := p.ended.Load()
	if f := p.cur.Load(); f != nil {
		n += f.raw.Load()
	}
	return n
}
