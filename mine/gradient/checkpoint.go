package gradient

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fstore/index"
	"fstore/store"
	"fstore/store/runfile"
)

// Checkpoint says where a run keeps what a later one goes on from: the model after an
// iteration, and, of the next one, the parts of S that are whole. A part is a range of first
// steps; of Bloom and Bitmap it is an order. The later run ends as one that was never
// stopped.
//
// Nothing is kept until the run has gone on for Every; from then on the parts of S are on disk
// once more. Where a run of another Key begins, of the runs before it only their models stay.
type Checkpoint struct {
	Writer *store.Writer
	Key    uint64 // of all that the result depends on
	// Every is how long a run goes on from one save to the next, and before its first.
	Every time.Duration

	clock func() time.Time // in tests; nil is time.Now
}

// stateNumber is that of the runs' state in the store: of one run or, where folds are mined
// apart, of several.
const stateNumber = 2

// stateVersion is the version of run, and of what is in the files.
const stateVersion = 5

// run is what is kept of one.
type run struct {
	Key       uint64
	Iteration int    // whose model is kept; 0 is none
	Ended     bool   // with that
	Sum       uint64 // of its file
	Parts     []part // of S of the iteration after that
}

// part is features of S that are whole, in a file.
type part struct {
	Class, Number int
	Sum           uint64
	Counts        index.Counts
	Features      uint64
	Bytes         int64
}

// keeper keeps a run. Nil, it does nothing.
type keeper struct {
	Checkpoint
	mu    sync.Mutex
	runs  []run     // the state
	at    int       // in runs
	saved time.Time // or begun
	begun bool      // the first Every is over
	// The iteration that runs: what it began with, which stays until it ends.
	m    *miner
	done []Iteration
}

// newKeeper begins a run, or goes on with it.
func newKeeper(c *Checkpoint) (*keeper, error) {
	if c == nil {
		return nil, nil
	}
	k := &keeper{Checkpoint: *c}
	if k.clock == nil {
		k.clock = time.Now
	}
	k.saved = k.clock()
	var err error
	k.runs, err = runfile.ReadState[[]run](c.Writer.Scratch(), stateNumber, stateVersion)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	k.at = slices.IndexFunc(k.runs, func(r run) bool { return r.Key == c.Key })
	if k.at < 0 {
		k.at = len(k.runs)
		k.runs = append(k.runs, run{Key: c.Key})
	}
	for i := range k.runs {
		if i == k.at {
			continue
		}
		if err := k.dropParts(&k.runs[i]); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// dropParts forgets the parts of a run, and removes their files.
func (k *keeper) dropParts(r *run) (err error) {
	for _, p := range r.Parts {
		err = errors.Join(err, k.Writer.Scratch().Kept(partName(r.Key, p.Class, p.Number)).Remove())
	}
	r.Parts = nil
	return err
}

func (k *keeper) run() *run { return &k.runs[k.at] }

// save saves the state.
func (k *keeper) save() error {
	k.saved = k.clock()
	return runfile.PutState(k.Writer.Scratch(), stateNumber, stateVersion, k.runs)
}

// interrupted saves the state of a run that was stopped.
func (k *keeper) interrupted() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.save()
}

// due says whether it is time to save.
func (k *keeper) due() bool { return k.clock().Sub(k.saved) >= k.Every }

// modelName is the file of the model after an iteration.
func modelName(key uint64, iteration int) string {
	return fmt.Sprintf("gradient-%016x-model-%d", key, iteration)
}

func partName(key uint64, class, number int) string {
	return fmt.Sprintf("gradient-%016x-%d-%d", key, class, number)
}

// part puts the features of a part that is kept into a stream, calls see with each, and says
// whether there is one.
func (k *keeper) part(class, number int, to *stream, see func(*feature)) (counts index.Counts, ok bool, err error) {
	if k == nil {
		return counts, false, nil
	}
	k.mu.Lock()
	r := k.run()
	i := slices.IndexFunc(r.Parts, func(p part) bool { return p.Class == class && p.Number == number })
	if r.Iteration != len(k.done) || i < 0 {
		k.mu.Unlock()
		return counts, false, nil
	}
	p := r.Parts[i]
	k.mu.Unlock()
	f := k.Writer.Scratch().Kept(partName(k.Key, class, number))
	if !f.Holds(p.Sum) {
		return counts, false, nil
	}
	err = f.Read(func(in *bufio.Reader) error { return to.load(in, p.Bytes, p.Features, see) })
	return p.Counts, true, err
}

// keep keeps a part, a stream that is finished, if it is time to.
func (k *keeper) keep(class, number int, s *stream, counts index.Counts) error {
	if k == nil {
		return nil
	}
	if ready, err := k.ready(); !ready || err != nil {
		return err
	}
	sum, err := k.write(partName(k.Key, class, number), s.copy)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	r := k.run()
	r.Parts = slices.DeleteFunc(r.Parts, func(p part) bool { return p.Class == class && p.Number == number })
	r.Parts = append(r.Parts, part{class, number, sum, counts, s.n, s.size})
	if !k.due() {
		return nil
	}
	return k.save()
}

// write writes a file that stays, and returns its sum.
func (k *keeper) write(name string, content func(*bufio.Writer) error) (sum uint64, err error) {
	f, err := k.Writer.Scratch().CreateKept(name)
	if err != nil {
		return 0, err
	}
	if err := content(f.Writer); err != nil {
		f.Abort()
		return 0, err
	}
	err = f.Finish()
	return f.Sum(), err
}

// ready says whether parts of the iteration are to be kept: once they are, each of them is. The
// model that the iteration began with is kept before the first.
func (k *keeper) ready() (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	has := k.run().Iteration == len(k.done)
	switch {
	case k.begun && has:
		return true, nil
	case !k.due():
		return false, nil
	}
	k.begun = true
	if has {
		return true, nil
	}
	return true, k.saveModel(false)
}

// begin begins the iteration after those that are done, and keeps what it begins with if it is
// time to. No part is being kept meanwhile.
func (k *keeper) begin(m *miner, done []Iteration) error {
	if k == nil {
		return nil
	}
	k.m, k.done = m, done
	if k.run().Iteration == len(done) || !k.due() {
		return nil
	}
	return k.saveModel(false)
}

// end keeps the last model of a run that has kept anything, or gone on for as long. A result of
// all features is not in the model: then the parts of the last iteration stay.
func (k *keeper) end(m *miner, done []Iteration) error {
	if k == nil {
		return nil
	}
	k.m, k.done = m, done
	r := k.run()
	if m.o.Keep == KeepFeatures || r.Ended || r.Iteration == 0 && len(r.Parts) == 0 && !k.due() {
		return nil
	}
	return k.saveModel(true)
}

// saveModel keeps the model that the iteration began with, or the run ended with, in place of
// what the state names. That stays until the state names the new one.
func (k *keeper) saveModel(ended bool) error {
	sum, err := k.write(modelName(k.Key, len(k.done)), func(w *bufio.Writer) error { return k.m.write(w, k.done) })
	if err != nil {
		return err
	}
	r := k.run()
	old := *r
	*r = run{Key: k.Key, Iteration: len(k.done), Ended: ended, Sum: sum}
	if err := k.save(); err != nil {
		return err
	}
	if old.Iteration > 0 {
		if err := k.Writer.Scratch().Kept(modelName(k.Key, old.Iteration)).Remove(); err != nil {
			return err
		}
	}
	return k.dropParts(&old)
}

// resume takes over the state after the last iteration that is kept, and returns what the
// iterations did, none where none is kept, and whether the run ended with them.
func (k *keeper) resume(m *miner) (done []Iteration, ended bool, err error) {
	if k == nil || k.run().Iteration == 0 {
		return nil, false, nil
	}
	r := k.run()
	f := k.Writer.Scratch().Kept(modelName(k.Key, r.Iteration))
	if !f.Holds(r.Sum) {
		*r = run{Key: k.Key}
		return nil, false, nil
	}
	err = f.Read(func(in *bufio.Reader) error {
		done, err = m.read(in)
		if err == nil && len(done) != r.Iteration {
			err = errStream
		}
		return err
	})
	return done, r.Ended, err
}
