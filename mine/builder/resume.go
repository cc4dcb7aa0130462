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

// grownRanges is what a build that is resumed goes on from: its samples, which are in the
// store that it makes, and the fragments of each range that is grown, in a kept file. Which
// these are is saved now and then, and when the run is interrupted. Samples far beyond
// memory, which grow by levels, are gone on from their samples only.
type grownRanges struct {
	b     *builder
	mu    sync.Mutex
	state buildState
	saved time.Time
}

// buildState is the state of a run that builds.
type buildState struct {
	Key    string
	Event  store.Event // of the history
	Ranges []grownRange
}

// buildStateVersion is the version of buildState, and of the fragments' form.
const buildStateVersion = 4

// buildStateNumber is that of the state in the store that is built.
const buildStateNumber = 1

// grownRange is a range of a space that is grown.
type grownRange struct {
	Space     uint32
	Range     index.Range
	Fragments uint64
	Sum       uint64 // of the file's bytes
	Counts    index.Counts
}

// beginRanges begins the state of a run that has read its samples.
func (b *builder) beginRanges(event store.Event) error {
	b.ranges = &grownRanges{b: b, state: buildState{Key: b.O.ResumeKey, Event: event}}
	if b.O.Mode == store.Append {
		return nil
	}
	// The state first: without the checkpoint there is nothing that it is the state of.
	return errors.Join(b.ranges.save(), b.W.Checkpoint())
}

// beginBuild begins a writer, and reads the state of the run that it goes on with, which must have the
// same key; nil where it begins anew. An unfinished store without a state that this version reads
// cannot be gone on from.
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

// resume goes on with the samples and ranges of an earlier run, whose entry of the history
// it returns.
func (b *builder) resume() (event store.Event, err error) {
	chosen, err := b.O.Spaces.ForNew(b.Meta.Kind)
	if err != nil {
		return event, err
	}
	b.begin(chosen)
	b.added = b.Meta.Samples
	return b.ranges.state.Event, b.tallyOld()
}

// save saves the state.
func (g *grownRanges) save() error {
	g.saved = time.Now()
	return runfile.PutState(g.b.W.Scratch(), buildStateNumber, buildStateVersion, g.state)
}

// interrupted saves the state for a run that is resumed.
func (g *grownRanges) interrupted() error {
	if !g.b.O.Resume {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.save()
}

// task returns the task that puts the fragments of a range into l and into a file that keeps them. If an
// earlier run has grown the range, task takes its fragments from there, tells counts what that run saw,
// and returns grow.ErrGrown.
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

// takeOver adds the fragments of a kept file.
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

// keptRange is a sink that also keeps what it is given.
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
