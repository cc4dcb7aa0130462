package optimum

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/zeebo/xxh3"

	"fstore/store"
	"fstore/store/runfile"
)

// walk is the progress of one machine along its path. It contains all that is needed to continue the path.
type walk struct {
	Fold, Machine int // fold −1 means that all samples are trained on
	Points        []Point
	Scores        [][]float64 // by price: the scores of the fold's samples
	Columns       []column    // the working set
	W             []float64
}

// stateVersion must change if the struct `walk`, the solvers, or the data for savedWalks.Key change.
const stateVersion = 4

// stateNumber is the number under which the store keeps the state.
const stateNumber = 0

// state contains the progress of a run's machines. It is saved from time to time, and when the run is
// interrupted. A writer that begins with store.WriteOptions.Resume goes on from the saved state and makes the
// same model.
type state struct {
	w     *store.Writer
	saved time.Time
	kept  savedWalks
}

type savedWalks struct {
	Key   uint64
	Walks []*walk
}

// openState reads the state that an interrupted run with the same options has left, or returns an empty one.
func openState(w *store.Writer, o *Options) (*state, error) {
	same := *o
	same.Workers, same.Memory, same.Progress = 0, 0, nil
	text, err := json.Marshal(struct {
		Options             Options
		Generation, Samples uint32
	}{same, w.Meta().Generation, w.Meta().Samples})
	if err != nil {
		return nil, err
	}
	s := &state{w: w, saved: time.Now()}
	s.kept, err = runfile.ReadState[savedWalks](w.Scratch(), stateNumber, stateVersion)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	if key := xxh3.Hash(text); err != nil || s.kept.Key != key {
		s.kept = savedWalks{Key: key}
	}
	return s, nil
}

// walk returns the saved walk of a machine, or a new walk if there is none.
func (s *state) walk(fold, machine int) *walk {
	for _, x := range s.kept.Walks {
		if x.Fold == fold && x.Machine == machine {
			return x
		}
	}
	x := &walk{Fold: fold, Machine: machine}
	s.kept.Walks = append(s.kept.Walks, x)
	return x
}

// save saves the state when forced to, or if the last save was at least runfile.SaveEvery ago.
func (s *state) save(force bool) error {
	if !force && time.Since(s.saved) < runfile.SaveEvery {
		return nil
	}
	s.saved = time.Now()
	return runfile.PutState(s.w.Scratch(), stateNumber, stateVersion, s.kept)
}

// run continues the walk x to the last of the prices (values of C). For each price, it adds a Point and the
// scores of the held-out samples.
func (x *walk) run(m *machine, st *state, prices []float64, heldOut []int) error {
	m.restore(x)
	for _, c := range prices[len(x.Points):] {
		p, err := m.solve(c)
		if err != nil {
			if m.ctx.Err() != nil {
				err = errors.Join(err, st.save(true))
			}
			return err
		}
		if heldOut != nil {
			all := m.scores()
			row := make([]float64, len(heldOut))
			for i, s := range heldOut {
				row[i] = all[s]
			}
			x.Scores = append(x.Scores, row)
		}
		x.Points = append(x.Points, p)
		m.keep(x)
		if err := st.save(false); err != nil {
			return err
		}
		m.o.Progress.Add(1)
	}
	if heldOut != nil {
		x.Columns, x.W = nil, nil // from here on only the scores are needed
	}
	return nil
}

// keep saves the machine's columns and weights in x, for restore.
func (m *machine) keep(x *walk) {
	x.Columns = x.Columns[:0]
	for _, c := range m.working {
		x.Columns = append(x.Columns, *c)
	}
	x.W = append(x.W[:0], m.problem.weights()...)
}

// restore gives the machine the columns and the weights of a saved walk.
func (m *machine) restore(x *walk) {
	m.o.Progress.Add(int64(len(x.Points)))
	m.working = nil
	bias := 0.0
	if len(x.W) > 0 {
		bias = x.W[0]
	}
	m.problem.truncate(bias)
	for k := range x.Columns {
		c := x.Columns[k]
		m.problem.identify(&c)
		m.append(&c, x.W[k+1])
	}
}
