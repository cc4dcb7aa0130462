package gradient

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"fstore/index"
	"fstore/store"
	"fstore/store/runfile"
)

// stateNumber is the number under which this package, and no other, saves its state.
const stateNumber = 2

// stateVersion is the version of the type `run` and of the contents of the files.
const stateVersion = 5

type run struct {
	Key       uint64
	Iteration int         // the iteration whose model is saved; 0 if no model is
	Ended     bool        // whether the run ended with that iteration
	Sum       uint64      // the checksum of the model's file
	Parts     []savedPart // the saved parts of the next iteration
}

// savedPart describes the file of a finished part of the features.
type savedPart struct {
	Class, Number int
	Sum           uint64
	Counts        index.Counts
	Features      uint64
	Bytes         int64
}

// keeper saves the state of a run. A nil keeper does nothing.
type keeper struct {
	Checkpoint
	mu    sync.Mutex
	runs  []run     // all saved runs
	at    int       // the place of this run in runs
	saved time.Time // the time of the last save, or of the beginning
	begun bool      // whether the run has taken the time Every
	// writeModel writes the model that the current iteration began with, and the earlier iterations.
	writeModel func(*bufio.Writer, []Iteration) error
	done       []Iteration
}

// newKeeper returns the keeper of a run that begins or continues, or nil if c is nil.
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

// dropParts removes the parts of a run from the state, and removes their files.
func (k *keeper) dropParts(r *run) (err error) {
	for _, p := range r.Parts {
		err = errors.Join(err, k.Writer.Scratch().Kept(partName(r.Key, p.Class, p.Number)).Remove())
	}
	r.Parts = nil
	return err
}

func (k *keeper) current() *run { return &k.runs[k.at] }

func (k *keeper) save() error {
	k.saved = k.clock()
	return runfile.PutState(k.Writer.Scratch(), stateNumber, stateVersion, k.runs)
}

// interrupted saves the state of a stopped run at once.
func (k *keeper) interrupted() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.save()
}

// due says whether the last save was at least Every ago.
func (k *keeper) due() bool { return k.clock().Sub(k.saved) >= k.Every }

// modelName returns the file name of the model after an iteration.
func modelName(key uint64, iteration int) string {
	return fmt.Sprintf("gradient-%016x-model-%d", key, iteration)
}

func partName(key uint64, class, number int) string {
	return fmt.Sprintf("gradient-%016x-%d-%d", key, class, number)
}

// loadPart loads a part into a stream, calls visit for each feature, and reports whether the part was saved.
func (k *keeper) loadPart(class, number int, to *stream, visit func(*feature)) (counts index.Counts, ok bool, err error) {
	if k == nil {
		return counts, false, nil
	}
	k.mu.Lock()
	r := k.current()
	i := slices.IndexFunc(r.Parts, func(p savedPart) bool { return p.Class == class && p.Number == number })
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
	err = f.Read(func(in *bufio.Reader) error { return to.load(in, p.Bytes, p.Features, visit) })
	return p.Counts, true, err
}

// savePart saves a part if the method `ready` says that this is needed now. The stream must be finished.
func (k *keeper) savePart(class, number int, s *stream, counts index.Counts) error {
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
	r := k.current()
	r.Parts = slices.DeleteFunc(r.Parts, func(p savedPart) bool { return p.Class == class && p.Number == number })
	r.Parts = append(r.Parts, savedPart{class, number, sum, counts, s.n, s.size})
	if !k.due() {
		return nil
	}
	return k.save()
}

// write writes a file that stays after the process ends, and returns the file's checksum.
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

// ready says whether a part of the present iteration must be saved. Before the first part, it also saves the
// model with which the iteration began.
func (k *keeper) ready() (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	has := k.current().Iteration == len(k.done)
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

// begin is called at the start of an iteration, and saves the model if a save is due. While it runs, no other
// goroutine may save a part.
func (k *keeper) begin(writeModel func(*bufio.Writer, []Iteration) error, done []Iteration) error {
	if k == nil {
		return nil
	}
	k.writeModel, k.done = writeModel, done
	if k.current().Iteration == len(done) || !k.due() {
		return nil
	}
	return k.saveModel(false)
}

// end saves the last model of the run, unless the run was too short to save anything. With KeepFeatures, the
// model lacks features and is not saved.
func (k *keeper) end(writeModel func(*bufio.Writer, []Iteration) error, keep Keep, done []Iteration) error {
	if k == nil {
		return nil
	}
	k.writeModel, k.done = writeModel, done
	r := k.current()
	if keep == KeepFeatures || r.Ended || r.Iteration == 0 && len(r.Parts) == 0 && !k.due() {
		return nil
	}
	return k.saveModel(true)
}

// saveModel saves the model that the iteration began with, or that the run ended with. It removes the old
// model only after the state names the new model.
func (k *keeper) saveModel(ended bool) error {
	sum, err := k.write(modelName(k.Key, len(k.done)), func(w *bufio.Writer) error { return k.writeModel(w, k.done) })
	if err != nil {
		return err
	}
	r := k.current()
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

// resume reads the last saved model, if there is one. It returns the iterations up to this model, and whether
// the run had ended.
func (k *keeper) resume(read func(io.Reader) ([]Iteration, error)) (done []Iteration, ended bool, err error) {
	if k == nil || k.current().Iteration == 0 {
		return nil, false, nil
	}
	r := k.current()
	f := k.Writer.Scratch().Kept(modelName(k.Key, r.Iteration))
	if !f.Holds(r.Sum) {
		*r = run{Key: k.Key}
		return nil, false, nil
	}
	err = f.Read(func(in *bufio.Reader) error {
		done, err = read(in)
		if err == nil && len(done) != r.Iteration {
			err = errStream
		}
		return err
	})
	return done, r.Ended, err
}
