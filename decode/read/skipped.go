package read

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"fstore/decode/format"
	"fstore/index"
)

// firstSkipped is the number of skipped sentences that are kept.
const firstSkipped = 20

// Refusals collects the bad sentences that are skipped: their number, and the first 20 of them. Log, if set,
// gets a line for each. Errors of these writes are ignored, so closing Log must return them.
type Refusals struct {
	Log io.Writer

	n     int
	first []*index.InputError
}

// Add adds a skipped sentence, with its error.
func (r *Refusals) Add(e *index.InputError) {
	r.n++
	if len(r.first) < firstSkipped {
		r.first = append(r.first, e)
	}
	if r.Log != nil {
		_, _ = fmt.Fprintln(r.Log, e) // closing Log returns its error
	}
}

// TakeBack undoes Add(e), for an error that ends the reading. If e is nil, it does nothing.
func (r *Refusals) TakeBack(e *index.InputError) {
	i := slices.IndexFunc(r.first, func(x *index.InputError) bool { return e != nil && x.File == e.File && x.Line == e.Line })
	if i >= 0 {
		r.n, r.first = r.n-1, slices.Delete(r.first, i, i+1)
	}
}

// Skipped returns the number of skipped sentences, and the first 20 of them.
func (r *Refusals) Skipped() (n int, first []*index.InputError) { return r.n, r.first }

// progress counts the bytes read from all files.
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

// notices has, for each kind of oddity, how often it was found and the first message about it.
type notices [format.NumNotices]struct {
	n     int
	first string
}

// add adds an oddity of the sample that starts on this line of the file.
func (all *notices) add(kind format.Notice, file string, line int, text string) {
	n := &all[kind]
	if n.n++; n.n == 1 {
		n.first = fmt.Sprintf("%s:%d: %s", file, line, text)
	}
}

// tell reports each kind of oddity that was found, once.
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
