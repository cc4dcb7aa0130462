// Package progress shows the progress of a long run on standard error. On a terminal the progress is a bar
// with rate and time left. Otherwise it is a line of text at intervals, or with --progress json a line of
// JSON. With --quiet no progress is shown. If there is a log, the log gets lines of text too.
//
// A [Reporter] is the index.Progress that is passed to other packages. Everything else that goes to standard
// error is written through it too, so that messages and the bar do not overwrite each other.
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
	// patience is how long a run must take before a bar is shown.
	patience = 500 * time.Millisecond
	// every is the time between two lines of text, on standard error or in the log.
	every = 10 * time.Second
	// everyJSON is the time between two lines of JSON.
	everyJSON = time.Second
)

// Options say how progress is shown.
type Options struct {
	Terminal bool             // w is a terminal
	Quiet    bool             // no progress; other lines are still written
	JSON     bool             // progress as lines of JSON, see record
	Log      io.Writer        // gets all lines and the progress, with the time; nil: no log
	Now      func() time.Time // nil: time.Now
}

// Reporter shows the progress of one run. Its methods can be called from any goroutine.
type Reporter struct {
	w io.Writer
	o Options

	mu      sync.Mutex
	created time.Time
	said    time.Time // time of the last line of text or JSON
	logged  time.Time // time of the last line of progress in the log
	stage   stage
	bars    *mpb.Progress // nil if there is no bar
	bar     *mpb.Bar
}

// New returns a reporter that writes to w.
func New(w io.Writer, o Options) *Reporter {
	if o.Now == nil {
		o.Now = time.Now
	}
	now := o.Now()
	return &Reporter{w: w, o: o, created: now, said: now, logged: now}
}

// Step begins a stage. A total of 0 means that it is unknown.
func (r *Reporter) Step(name, unit string, total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
	r.stage = stage{name: name, unit: unit, total: total, start: r.o.Now()}
	r.log(name)
	r.show()
}

// Add adds n units to those done in the stage.
func (r *Reporter) Add(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stage.done += n
	if total := r.stage.total; total > 0 { // callers may count by the hundred, and beyond the total
		r.stage.done = min(r.stage.done, total)
	}
	r.show()
	if r.bar != nil {
		r.bar.SetCurrent(r.stage.done)
	}
}

// Stage returns the progress of the current stage. An unknown total is 0. Before the first stage, the name is
// "".
func (r *Reporter) Stage() (name, unit string, done, total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stage.name, r.stage.unit, r.stage.done, r.stage.total
}

// show prints the progress of the stage if enough time has passed since the last time.
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

// log writes a line with the time to the log, if there is a log.
func (r *Reporter) log(line string) {
	if r.o.Log == nil {
		return
	}
	r.logged = r.o.Now()
	_, _ = fmt.Fprintf(r.o.Log, "%s %s\n", r.logged.UTC().Format(time.RFC3339), strings.TrimRight(line, "\n"))
}

// drop ends the stage: it removes the bar, and writes the last progress to the log.
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

// Write writes a line to standard error, above the bar if there is one.
func (r *Reporter) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log(string(p))
	if r.bars != nil {
		return r.bars.Write(p)
	}
	return r.w.Write(p)
}

// Close removes the bar. Later lines are written directly.
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
