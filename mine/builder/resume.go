package builder

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
	"fstore/store/runfile"
)

// grownRanges is the saved work of an interrupted build: it lists the ranges whose fragments are in kept
// files (runfile.File). If fragments grow by levels, only the samples are saved.
type grownRanges struct {
	b     *builder
	mu    sync.Mutex
	state buildState
	saved time.Time
}

// buildState is the saved state of a build.
type buildState struct {
	Key    string
	Event  store.Event // history entry
	Ranges []grownRange
}

// buildStateVersion is the version of buildState, and of the encoding of the fragments in kept files.
const buildStateVersion = 4

// buildStateNumber is the number under which runfile.PutState saves the state.
const buildStateNumber = 1

// grownRange is a range of a space whose fragments are in a kept file.
type grownRange struct {
	Space     uint32
	Range     index.Range
	Fragments uint64
	Sum       uint64 // checksum of the file
	Counts    index.Counts
}

// beginBuild begins a writer. It also returns the saved state of the run that is resumed, if any. If that run
// had another key, the error is ErrNotResumable.
func beginBuild(dir string, o store.WriteOptions, key string) (*store.Writer, *buildState, error) {
	w, err := store.Begin(dir, o)
	if err != nil || !w.Resumed() {
		return w, nil, err
	}
	state, err := runfile.ReadState[buildState](w.Scratch(), buildStateNumber, buildStateVersion)
	if err == nil && state.Key == key {
		return w, &state, nil
	}
	if err == nil {
		err = fmt.Errorf("%w: its inputs or options were others", ErrNotResumable)
	}
	if ended := w.Abort(); ended != nil || !errors.Is(err, store.ErrNotFound) {
		return nil, nil, errors.Join(err, ended)
	}
	o.Resume, o.Keep = false, true
	w, err = store.Begin(dir, o)
	return w, nil, err
}

// resume continues with the samples of an earlier run. It returns the history entry of that run.
func (b *builder) resume() (event store.Event, err error) {
	chosen, err := b.O.Spaces.ForNew(b.Meta.Kind)
	if err != nil {
		return event, err
	}
	b.begin(chosen)
	b.added = b.Meta.Samples
	return b.ranges.state.Event, b.tallyOld()
}

func (g *grownRanges) save() error {
	g.saved = time.Now()
	return runfile.PutState(g.b.W.Scratch(), buildStateNumber, buildStateVersion, g.state)
}

// interrupted saves the state if a later run can resume this run.
func (g *grownRanges) interrupted() error {
	if !g.b.O.Resume {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.save()
}

// task returns a grow.Task that writes the fragments of a range to l and to a kept file. If an earlier run
// has grown the range, task reads the kept file into l, and returns grow.ErrGrown.
func (g *grownRanges) task(space uint32, r index.Range, l *rangeLoad, counts func(index.Counts)) (grow.Task, error) {
	name := fmt.Sprintf("range-%d-%x-%x", space, r.Lo, r.Hi)
	g.mu.Lock()
	defer g.mu.Unlock()
	is := func(p grownRange) bool { return p.Space == space && p.Range == r }
	if i := slices.IndexFunc(g.state.Ranges, is); i >= 0 {
		old := g.state.Ranges[i]
		if f := g.b.W.Scratch().Kept(name); f.Holds(old.Sum) {
			if err := errors.Join(l.takeOver(f, old.Fragments), l.Finish()); err != nil {
				return nil, err
			}
			counts(old.Counts)
			return nil, grow.ErrGrown
		}
		g.state.Ranges = slices.DeleteFunc(g.state.Ranges, is)
	}
	f, err := g.b.W.Scratch().CreateKept(name)
	if err != nil {
		l.Abort()
		return nil, err
	}
	k := &keptRange{rangeLoad: l, file: f, of: g, grown: grownRange{Space: space, Range: r}}
	return grow.Into(k, k.grown.Counts.Add), nil
}

// takeOver adds the fragments that an earlier run has written to f.
func (l *rangeLoad) takeOver(f *runfile.File, fragments uint64) error {
	return f.Read(func(r *bufio.Reader) error {
		var c index.Code
		var value []byte
		for n := range fragments {
			if n&0xFFF == 0xFFF && l.b.Ctx.Err() != nil {
				return l.b.Ctx.Err()
			}
			var err error
			if c, err = runfile.ReadBlock(r, c); err == nil {
				value, err = runfile.ReadBlock(r, value)
			}
			if err == nil {
				err = l.run.Space.Check(c, l.b.Syms)
			}
			if err == nil {
				err = l.add(c, c.Len(), value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// keptRange is a sink that also writes each fragment to a kept file (runfile.File).
type keptRange struct {
	*rangeLoad
	file  *runfile.File
	of    *grownRanges
	grown grownRange
}

func (k *keptRange) Put(c index.Code, order int, list []byte) error {
	if err := k.rangeLoad.Put(c, order, list); err != nil {
		return err
	}
	k.grown.Fragments++
	return errors.Join(runfile.WriteBlock(k.file.Writer, c), runfile.WriteBlock(k.file.Writer, list))
}

func (k *keptRange) Finish() error {
	if err := errors.Join(k.rangeLoad.Finish(), k.file.Finish()); err != nil {
		return err
	}
	g := k.of
	g.mu.Lock()
	defer g.mu.Unlock()
	k.grown.Sum = k.file.Sum()
	g.state.Ranges = append(g.state.Ranges, k.grown)
	if time.Since(g.saved) < runfile.SaveEvery {
		return nil
	}
	return g.save()
}

func (k *keptRange) Abort() {
	k.rangeLoad.Abort()
	k.file.Abort()
}
