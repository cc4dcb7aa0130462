// Package ask runs commands for the explorer. A [Question] is a command line about a store. Its [Answer] is
// what the command prints. If many browsers ask the same question at the same time, its command runs once. It
// is stopped when nobody waits any more. Answers are kept in memory, up to a budget in bytes.
//
// Start reading at Asker.Ask. The file shelf.go has the stores.
package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/dgraph-io/ristretto/v2"

	"fstore/cli/command"
	"fstore/cli/progress"
)

const (
	// Patience is how long a question continues to run after the last request for it.
	Patience = 10 * time.Second
	// longest is the time after which a question is stopped.
	longest = 10 * time.Minute
	// mostText is the largest size of an answer, in bytes.
	mostText = 16 << 20
	// mostWaiting is the largest number of running and waiting questions. Downloads are not counted.
	mostWaiting = 64
)

// The largest numbers of commands, contrasts and downloads that run at the same time. A contrast of a million
// fragments takes some 200 MB.
const (
	mostRunning   = 3
	mostContrasts = 1
	mostStreams   = 2
)

// Errors that any question can end with.
var (
	ErrBusy = errors.New("too many questions at once: ask again in a moment")
	ErrTime = fmt.Errorf("stopped after %v", longest)
	ErrLong = errors.New("the answer is too long for a page: download it, or ask for less")
)

// Question is a command line. Its first argument is the command.
type Question struct {
	Args  []string
	Input string // the standard input of the command
}

// Answer is what a command printed.
type Answer struct {
	Text    []byte
	Picture []byte   // drawing of the rows, if the command makes one
	Notes   []string // lines of standard error, without the program's name
	Err     error    // the command's error
}

// Progress says how far a running question is.
type Progress struct {
	Stage, Unit string
	Done, Total int64 // Total is 0 if it is unknown
}

// Asker runs the commands of questions and keeps their answers.
type Asker struct {
	again func(context.Context, *command.Env, []string) error
	fs    vfs.FS
	base  context.Context // when it ends, all questions are stopped
	kept  *ristretto.Cache[string, *Answer]
	// The sizes of these channels limit how many contrasts, other questions and streams run simultaneously.
	contrasts, slots, streams chan struct{}

	patience time.Duration // Patience, except in tests

	mu      sync.Mutex
	running map[string]*flight
	all     sync.WaitGroup
}

// New returns an asker that keeps answers of up to budget bytes. When ctx ends, all questions are stopped.
func New(ctx context.Context, env *command.Env, budget int64) (*Asker, error) {
	kept, err := ristretto.NewCache(&ristretto.Config[string, *Answer]{
		NumCounters: max(1000, budget/1000), MaxCost: max(1, budget), BufferItems: 64, IgnoreInternalCost: true,
	})
	return &Asker{
		again: env.Again, fs: env.FS, base: ctx, kept: kept,
		contrasts: make(chan struct{}, mostContrasts), slots: make(chan struct{}, mostRunning), streams: make(chan struct{}, mostStreams),
		patience: Patience, running: map[string]*flight{},
	}, err
}

// flight is a running question, with the number of those who wait for its answer.
type flight struct {
	done    chan struct{}
	answer  *Answer // set before done is closed
	cancel  context.CancelFunc
	report  *progress.Reporter
	waiters int
	alone   *time.Timer // stops the question some time after the last waiter has left
}

// Ask returns the answer to a question, or the progress if the answer takes longer than maxWait. The
// command's error is in the answer. Ask itself fails only if too many questions run (ErrBusy) or ctx is done.
func (a *Asker) Ask(ctx context.Context, s *State, q Question, maxWait time.Duration) (*Answer, *Progress, error) {
	key := s.key + "\x00" + strings.Join(q.Args, "\x00") + "\x00\x00" + q.Input
	if answer, ok := a.kept.Get(key); ok {
		return answer, nil, nil
	}
	f, err := a.join(key, s, q)
	if err != nil {
		return nil, nil, err
	}
	defer a.leave(key, f)
	timer := time.NewTimer(max(0, maxWait))
	defer timer.Stop()
	select {
	case <-f.done:
		return f.answer, nil, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case <-timer.C:
	}
	p := &Progress{}
	p.Stage, p.Unit, p.Done, p.Total = f.report.Stage()
	return nil, p, nil
}

// join adds a waiter to a question that is running already, or starts the question.
func (a *Asker) join(key string, s *State, q Question) (*flight, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f := a.running[key]; f != nil {
		f.waiters++
		f.alone.Stop()
		return f, nil
	}
	if len(a.running) >= mostWaiting {
		return nil, ErrBusy
	}
	ctx, cancel := context.WithCancel(a.base)
	said := &lines{}
	f := &flight{done: make(chan struct{}), cancel: cancel, waiters: 1}
	f.report = progress.New(said, progress.Options{Quiet: true})
	f.alone = time.AfterFunc(a.patience, func() { a.abandon(key, f) })
	f.alone.Stop()
	a.running[key] = f
	s.share()
	a.all.Add(1)
	go func() {
		defer a.all.Done()
		defer s.Return()
		defer cancel()
		answer := a.answer(ctx, s, q, f.report, said)
		if answer.Err == nil || errors.Is(answer.Err, ErrLong) { // an answer that was too long would be too long again
			a.kept.Set(key, answer, int64(len(key)+cap(answer.Text)+cap(answer.Picture)+200))
		}
		a.mu.Lock()
		f.answer = answer
		close(f.done)
		if f.waiters > 0 {
			a.drop(key, f) // the waiters have the answer; others find it in a.kept or ask again
		}
		a.mu.Unlock()
	}()
	return f, nil
}

// leave says that one caller no longer waits for the answer to a question.
func (a *Asker) leave(key string, f *flight) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f.waiters--; f.waiters > 0 {
		return
	}
	select {
	case <-f.done:
		a.drop(key, f)
	default:
		f.alone.Reset(a.patience)
	}
}

// abandon stops a question and forgets its answer. While somebody waits for the answer, it does nothing.
func (a *Asker) abandon(key string, f *flight) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f.waiters == 0 {
		f.cancel()
		a.drop(key, f)
	}
}

func (a *Asker) drop(key string, f *flight) {
	if a.running[key] == f {
		delete(a.running, key)
	}
}

// answer runs the command of a question and returns what it printed.
func (a *Asker) answer(ctx context.Context, s *State, q Question, report *progress.Reporter, said *lines) *Answer {
	ctx, end := context.WithTimeoutCause(ctx, longest, ErrTime)
	defer end()
	text, picture := &bounded{}, &bounded{}
	room := a.slots
	if q.Args[0] == "contrast" {
		room = a.contrasts
	}
	err := a.run(ctx, room, s, q, text, picture, report)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = cause
	}
	if err != nil { // the text so far is incomplete, and may be long
		return &Answer{Notes: said.all(), Err: err}
	}
	return &Answer{Text: text.Bytes(), Picture: picture.Bytes(), Notes: said.all()}
}

// Stream runs a question and writes its answer to w while the command prints it. No copy is kept.
func (a *Asker) Stream(ctx context.Context, s *State, q Question, w io.Writer) error {
	ctx, end := context.WithTimeoutCause(ctx, longest, ErrTime)
	defer end()
	defer context.AfterFunc(a.base, end)()
	a.all.Add(1)
	defer a.all.Done()
	return a.run(ctx, a.streams, s, q, w, nil, progress.New(io.Discard, progress.Options{Quiet: true}))
}

// run waits until there is a free place in the channel `room`, then runs the command of a question.
func (a *Asker) run(ctx context.Context, room chan struct{}, s *State, q Question, w, picture io.Writer, report *progress.Reporter) (err error) {
	select {
	case room <- struct{}{}:
		defer func() { <-room }()
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		if r := recover(); r != nil {
			debug.PrintStack()
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	env := &command.Env{
		Stdin: strings.NewReader(q.Input), Stdout: w, Progress: report, FS: a.fs,
		Messages: command.Messenger{W: report}, Lent: s.Store, Picture: picture,
	}
	return a.again(ctx, env, q.Args)
}

// Close waits until all questions have ended, but not longer than the timeout. It reports whether all have
// ended.
func (a *Asker) Close(timeout time.Duration) bool {
	done := make(chan struct{})
	go func() { a.all.Wait(); close(done) }()
	select {
	case <-done:
		a.kept.Close()
		return true
	case <-time.After(timeout):
		return false
	}
}

// bounded collects what a command prints. Beyond mostText bytes, Write returns ErrLong.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > mostText {
		return 0, ErrLong
	}
	return b.Buffer.Write(p)
}

// lines collects what a command prints on standard error.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) all() (all []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		all = append(all, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "fstore: "))
	}
	return all
}
