package gradient

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"fstore/index"
	"fstore/mine/internal/kept"
	"fstore/store"
)

// Checkpoint says where a run keeps what a later one goes on from: the model after an
// iteration, and, of the next one, the parts of S that are whole. A part is a range of first
// steps; of Bloom and Bitmap it is an order. The later run ends as one that was never
// stopped.
type Checkpoint struct {
	Writer *store.Writer
	Key    uint64 // of all that the result depends on
	Every  time.Duration
}

// stateNumber is that of the runs' state in the store.
const stateNumber = 2

// stateVersion is the version of runs, and of what is in the files.
const stateVersion = 1

// runs is the state: of one run or, where folds are mined apart, of several.
type runs struct {
	Version int
	Runs    []run
}

// run is what is kept of one.
type run struct {
	Key       uint64
	Iteration int    // whose model is kept; 0 is none
	Sum       uint64 // of its file
	Parts     []part // of S of the iteration after that
}

// part is features of S that are whole, in a file: those of the orders of which there are
// any, one after another.
type part struct {
	Class, Number int
	Sum           uint64
	Counts        index.Counts
	Features      []uint64 // by order
	Bytes         []int64
}

// keeper keeps a run. Nil, it does nothing.
type keeper struct {
	Checkpoint
	mu    sync.Mutex
	state runs
	at    int // in state.Runs
	saved time.Time
	now   int // the iteration that runs
}

// newKeeper begins a run, or goes on with it.
func newKeeper(c *Checkpoint) (*keeper, error) {
	if c == nil {
		return nil, nil
	}
	k := &keeper{Checkpoint: *c, state: runs{Version: stateVersion}, saved: time.Now()}
	b, err := c.Writer.State(stateNumber)
	var old runs
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return nil, err
	case store.Unmarshal(b, &old) == nil && old.Version == stateVersion: // else it is another's
		k.state = old
	}
	k.at = slices.IndexFunc(k.state.Runs, func(r run) bool { return r.Key == c.Key })
	if k.at < 0 {
		k.at = len(k.state.Runs)
		k.state.Runs = append(k.state.Runs, run{Key: c.Key})
	}
	return k, nil
}

func (k *keeper) run() *run { return &k.state.Runs[k.at] }

// save saves the state.
func (k *keeper) save() error {
	b, err := msgpack.Marshal(&k.state)
	if err != nil {
		return err
	}
	k.saved = time.Now()
	return k.Writer.PutState(stateNumber, b)
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

// modelName is the file of a model: that before it stays until the state names this one.
func (k *keeper) modelName(iteration int) string {
	return fmt.Sprintf("gradient-%016x-model-%d", k.Key, iteration%2)
}

func (k *keeper) partName(class, number int) string {
	return fmt.Sprintf("gradient-%016x-%d-%d", k.Key, class, number)
}

// part puts the features of a part that is kept into streams, by order, and says whether
// there is one.
func (k *keeper) part(class, number int, stream func(order int) *stream) (counts index.Counts, ok bool, err error) {
	if k == nil {
		return counts, false, nil
	}
	k.mu.Lock()
	r := k.run()
	i := slices.IndexFunc(r.Parts, func(p part) bool { return p.Class == class && p.Number == number })
	if r.Iteration+1 != k.now || i < 0 {
		k.mu.Unlock()
		return counts, false, nil
	}
	p := r.Parts[i]
	k.mu.Unlock()
	f := kept.At(k.Writer, k.partName(class, number))
	if !f.Holds(p.Sum) {
		return counts, false, nil
	}
	err = f.Read(func(in *bufio.Reader) error {
		for order, n := range p.Features {
			if n == 0 {
				continue
			}
			if err := stream(order).load(in, p.Bytes[order], n); err != nil {
				return err
			}
		}
		return nil
	})
	return p.Counts, true, err
}

// keep keeps a part: streams that are finished, by order, of which some may be nil.
func (k *keeper) keep(class, number int, streams []*stream, counts index.Counts) error {
	if k == nil || k.run().Iteration+1 != k.now {
		return nil
	}
	p := part{Class: class, Number: number, Counts: counts, Features: make([]uint64, len(streams)), Bytes: make([]int64, len(streams))}
	f, err := kept.Create(k.Writer, k.partName(class, number))
	if err != nil {
		return err
	}
	for order, s := range streams {
		if s == nil {
			continue
		}
		p.Features[order] = s.n
		if p.Bytes[order], err = s.copy(f); err != nil {
			f.Abort()
			return err
		}
	}
	if err := f.Finish(); err != nil {
		return err
	}
	p.Sum = f.Sum()
	k.mu.Lock()
	defer k.mu.Unlock()
	r := k.run()
	r.Parts = slices.DeleteFunc(r.Parts, func(p part) bool { return p.Class == class && p.Number == number })
	r.Parts = append(r.Parts, p)
	if time.Since(k.saved) < k.Every {
		return nil
	}
	return k.save()
}

// begin begins an iteration.
func (k *keeper) begin(iteration int) {
	if k != nil {
		k.now = iteration
	}
}

// model keeps the state after an iteration, unless the one before was kept just now.
func (k *keeper) model(m *miner, done []Iteration) error {
	if k == nil || time.Since(k.saved) < k.Every {
		return nil
	}
	f, err := kept.Create(k.Writer, k.modelName(len(done)))
	if err != nil {
		return err
	}
	if err := m.write(f, done); err != nil {
		f.Abort()
		return err
	}
	if err := f.Finish(); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	r := k.run()
	r.Iteration, r.Sum, r.Parts = len(done), f.Sum(), nil
	return k.save()
}

// resume takes over the state after the last iteration that is kept, and returns what the
// iterations did; none where none is kept.
func (k *keeper) resume(m *miner) (done []Iteration, err error) {
	if k == nil || k.run().Iteration == 0 {
		return nil, nil
	}
	r := k.run()
	f := kept.At(k.Writer, k.modelName(r.Iteration))
	if !f.Holds(r.Sum) {
		*r = run{Key: k.Key}
		return nil, nil
	}
	err = f.Read(func(in *bufio.Reader) error {
		done, err = m.read(in)
		return err
	})
	return done, err
}

// The bytes of the state after an iteration, numbers little-endian:
//
//	the length of the iterations as JSON, and these
//	the objective, and the first step to try
//	the score of each candidate
//	for each class:
//	  the number of orders + 1; for each, from 0:
//	    features, and their bytes in blocks
//	    the blocks, as in a stream
//	    the weight of each feature
func (m *miner) write(w io.Writer, done []Iteration) error {
	text, err := json.Marshal(done)
	if err != nil {
		return err
	}
	b := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	number := func(x uint64) { b = binary.LittleEndian.AppendUint64(b, x) }
	flush := func() error {
		_, err := w.Write(b)
		b = b[:0]
		return err
	}
	number(math.Float64bits(m.now))
	number(math.Float64bits(m.from))
	for _, x := range m.score {
		number(math.Float64bits(x))
	}
	for _, x := range m.models {
		number(uint64(len(x.orders)))
		for order, s := range x.orders {
			size, err := s.copy(io.Discard)
			if err != nil {
				return err
			}
			number(s.n)
			number(uint64(size))
			if err := flush(); err != nil {
				return err
			}
			if _, err := s.copy(w); err != nil {
				return err
			}
			for i := range x.ids[order] {
				if number(math.Float64bits(x.weight(order, i))); len(b) >= blockSize {
					if err := flush(); err != nil {
						return err
					}
				}
			}
		}
	}
	return flush()
}

// read takes over what write has written.
func (m *miner) read(in io.Reader) (done []Iteration, err error) {
	var word [8]byte
	number := func() uint64 {
		if err == nil {
			_, err = io.ReadFull(in, word[:])
		}
		return binary.LittleEndian.Uint64(word[:])
	}
	text := make([]byte, number())
	if err == nil {
		_, err = io.ReadFull(in, text)
	}
	if err == nil {
		err = json.Unmarshal(text, &done)
	}
	m.now, m.from = math.Float64frombits(number()), math.Float64frombits(number())
	for i := range m.score {
		m.score[i] = math.Float64frombits(number())
	}
	for class := range m.models {
		orders := make([]*stream, number())
		w := make([][]float64, len(orders))
		for order := range orders {
			orders[order] = &stream{s: m.s}
			n, size := number(), int64(number())
			if err != nil {
				return nil, err
			}
			if err := orders[order].load(in, size, n); err != nil {
				return nil, err
			}
			for range n {
				w[order] = append(w[order], math.Float64frombits(number()))
			}
		}
		if err != nil {
			return nil, err
		}
		if m.models[class], err = m.model(orders, w); err != nil {
			return nil, err
		}
	}
	return done, err
}

// model makes a model of features and their weights, by order.
func (m *miner) model(orders []*stream, w [][]float64) (*model, error) {
	g := &merger{s: m.s, w: w, d: make([][]int32, len(orders))}
	next := &model{change: change{update: m.o.Update, c: float64(m.o.C)}, orders: orders}
	for order, s := range orders {
		err := s.each(func(f *feature) error {
			g.d[order] = append(g.d[order], int32(f.a)-int32(f.b))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return next, g.number(next, m.o.Space, m.o.Symbols)
}
