// Package progress tells how far a long run is, on standard error: a bar with
// rate and time left on a terminal, a plain line now and then elsewhere, an object of
// JSON a line for programs, nothing when quiet; and in a log, where there is one. A [Reporter] is the index.Progress that the packages below are
// given, and the writer that every other line on standard error goes through, so
// that neither garbles the other.
package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"fstore/index"
)

var _ index.Progress = (*Reporter)(nil)

const (
	// patience is how long a run goes on before its first bar: short ones show none.
	patience = 500 * time.Millisecond
	// every is the time between two plain lines, and between two in a log.
	every = 10 * time.Second
	// everyJSON is the time between two objects of JSON.
	everyJSON = time.Second
)

// Options say where progress goes.
type Options struct {
	Terminal bool             // the writer is a terminal
	Quiet    bool             // no progress; other lines still pass
	JSON     bool             // progress for programs, see record
	Log      io.Writer        // gets all lines, and progress as plain lines, with the time; nil: none
	Now      func() time.Time // nil: time.Now
}

// Reporter reports on one run. Its methods may be called from any goroutine.
type Reporter struct {
	w io.Writer
	o Options

	mu      sync.Mutex
	created time.Time
	said    time.Time // when the last plain line, or JSON, went out
	logged  time.Time // when the last line of progress went into the log
	stage   stage
	bars    *mpb.Progress // nil while none is shown
	bar     *mpb.Bar
}

// stage is what Step announced, and how far it is.
type stage struct {
	name, unit  string
	done, total int64
	start       time.Time
}

// New returns a reporter that writes to w.
func New(w io.Writer, o Options) *Reporter {
	if o.Now == nil {
		o.Now = time.Now
	}
	now := o.Now()
	return &Reporter{w: w, o: o, created: now, said: now, logged: now}
}

// Step begins a stage.
func (r *Reporter) Step(name, unit string, total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
	r.stage = stage{name: name, unit: unit, total: total, start: r.o.Now()}
	r.log(name)
	r.show()
}

// Add counts n units of the stage.
func (r *Reporter) Add(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stage.done += n
	if total := r.stage.total; total > 0 { // units are told by the hundred
		r.stage.done = min(r.stage.done, total)
	}
	r.show()
	if r.bar != nil {
		r.bar.SetCurrent(r.stage.done)
	}
}

// Stage is how far the stage is that runs now: total is 0 where it is not known, and name "" where
// nothing was announced.
func (r *Reporter) Stage() (name, unit string, done, total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stage.name, r.stage.unit, r.stage.done, r.stage.total
}

// show makes what is on standard error agree with the stage.
func (r *Reporter) show() {
	if r.stage.name == "" {
		return
	}
	now := r.o.Now()
	if now.Sub(r.logged) >= every {
		r.log(r.stage.line(now))
	}
	if r.o.Quiet {
		return
	}
	if r.o.JSON {
		if now.Sub(r.said) >= everyJSON {
			r.said = now
			_, _ = r.w.Write(r.stage.record(now))
		}
		return
	}
	if !r.o.Terminal {
		if now.Sub(r.said) >= every {
			r.said = now
			_, _ = io.WriteString(r.w, r.stage.line(now)+"\n")
		}
		return
	}
	if r.bar != nil || now.Sub(r.created) < patience {
		return
	}
	if r.bars == nil {
		r.bars = mpb.New(mpb.WithOutput(r.w), mpb.ForceTTY(), mpb.WithAutoRefresh())
	}
	s := r.stage
	r.bar = r.bars.New(max(s.total, 0), barStyle(s.total),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(s.name+" ")),
		mpb.AppendDecorators(decor.Any(func(st decor.Statistics) string {
			s.done = st.Current
			return " " + s.numbers(r.o.Now())
		})))
}

func barStyle(total int64) mpb.BarFillerBuilder {
	if total > 0 {
		return mpb.BarStyle()
	}
	return mpb.NopStyle()
}

// log writes a line into the log.
func (r *Reporter) log(line string) {
	if r.o.Log == nil {
		return
	}
	r.logged = r.o.Now()
	_, _ = fmt.Fprintf(r.o.Log, "%s %s\n", r.logged.UTC().Format(time.RFC3339), strings.TrimRight(line, "\n"))
}

// drop ends the stage: it takes its bar off the terminal, and tells the log and programs
// how far it came.
func (r *Reporter) drop() {
	if now := r.o.Now(); r.stage.done > 0 {
		r.log(r.stage.line(now))
		if r.o.JSON && !r.o.Quiet && now.Sub(r.created) >= patience {
			r.said = now
			_, _ = r.w.Write(r.stage.record(now))
		}
	}
	if r.bar != nil {
		r.bar.Abort(true)
		r.bar = nil
	}
}

// Write passes on a line for standard error, above the bar where there is one.
func (r *Reporter) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log(string(p))
	if r.bars != nil {
		return r.bars.Write(p)
	}
	return r.w.Write(p)
}

// Close takes the bar away; what is written from then on goes straight through.
func (r *Reporter) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
	r.stage = stage{}
	if r.bars != nil {
		r.bars.Wait()
		r.bars = nil
	}
}
