package read

import (
	"fmt"
	"io"
	"sync/atomic"

	"fstore/decode/format"
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

// progress counts the bytes read of all files.
type progress struct {
	total int64
	ended atomic.Int64
	cur   atomic.Pointer[prefetch]
}

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

// notices are the oddities that were found, by kind.
type notices [format.NumNotices]struct {
	n     int
	first string
}

// add takes in an oddity of a sample that starts on a line of a file.
func (all *notices) add(kind format.Notice, file string, line int, text string) {
	n := &all[kind]
	if n.n++; n.n == 1 {
		n.first = fmt.Sprintf("%s:%d: %s", file, line, text)
	}
}

// tell says what was odd, once; warn is nil where nobody is told.
func (all *notices) tell(warn func(line string)) {
	for kind := range all {
		n := &all[kind]
		if n.n == 0 || warn == nil {
			continue
		}
		line := n.first
		if n.n > 1 {
			line += fmt.Sprintf(" (%s like it)", index.Plural(n.n, format.Notice(kind).Noun()))
		}
		warn(line)
		n.n = 0
	}
}
