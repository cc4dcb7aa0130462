package judge

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
	"fstore/store/runfile"
)

// parts are the entries that a pass keeps, a file for each range. The state of the run says which files
// are whole. It is saved now and then, and when the run is interrupted. A writer that begins with
// store.WriteOptions.Resume does not grow these ranges again for the same selection of the same store,
// unless a file does not hold what was written: the files are not synced.
type parts struct {
	w       *store.Writer
	p       *Pass
	key     uint64 // of what is selected, and from what
	columns int
	Files   []*entryFile // in the order of the ranges

	mu    sync.Mutex
	whole []part // the state: of all selections of the run
	saved time.Time
}

// stateVersion is the version of part, of the entries' form and of what a key means.
const stateVersion = 2

// stateNumber is that of the state in the store.
const stateNumber = 0

// part is a range that is grown.
type part struct {
	Key     uint64
	Range   index.Range
	Entries uint64
	Sum     uint64 // of the file's bytes
	Saw     Explanation
}

// NewParts begins the parts of a selection that info describes, or goes on with them.
func NewParts(w *store.Writer, p *Pass, info store.SelectionInfo) (*parts, error) {
	what, err := json.Marshal(struct {
		Info       store.SelectionInfo
		Space      string
		Generation uint32
		Least      uint64
	}{info, w.Meta().Spaces[info.Space].ID, w.Meta().Generation, math.Float64bits(p.At.Least)})
	if err != nil {
		return nil, err
	}
	x := &parts{w: w, p: p, key: xxh3.Hash(what), columns: len(info.Columns), saved: time.Now()}
	x.whole, err = runfile.ReadState[[]part](w.Scratch(), stateNumber, stateVersion)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	return x, nil
}

// Kept is how many ranges an interrupted run has left grown.
func (x *parts) Kept() int { return len(x.whole) }

// Run makes the pass.
func (x *parts) Run(ctx context.Context, from *Source) error {
	err := from.Run(x.p, x.task)
	if ctx.Err() != nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		err = errors.Join(err, x.save())
	}
	return err
}

// task is what a range's entries go to.
func (x *parts) task(r index.Range) (Entries, error) {
	name := fmt.Sprintf("%016x-%x-%x", x.key, r.Lo, r.Hi)
	x.mu.Lock()
	defer x.mu.Unlock()
	is := func(p part) bool { return p.Key == x.key && p.Range == r }
	if i := slices.IndexFunc(x.whole, is); i >= 0 {
		old := x.whole[i]
		f := &entryFile{File: x.w.Scratch().Kept(name), columns: x.columns, n: old.Entries}
		if f.Holds(old.Sum) {
			if err := x.p.budget.Take(old.Entries); err != nil {
				return nil, err
			}
			x.Files = append(x.Files, f)
			x.p.see(old.Saw)
			return nil, grow.ErrGrown
		}
		x.whole = slices.DeleteFunc(x.whole, is)
	}
	kept, err := x.w.Scratch().CreateKept(name)
	if err != nil {
		return nil, err
	}
	f := &entryFile{File: kept, columns: x.columns}
	x.Files = append(x.Files, f)
	return &partFile{f, x, r}, nil
}

// save saves the state.
func (x *parts) save() error {
	x.saved = time.Now()
	return runfile.PutState(x.w.Scratch(), stateNumber, stateVersion, x.whole)
}

// partFile is the file of a range that is grown.
type partFile struct {
	*entryFile
	of *parts
	r  index.Range
}

func (f *partFile) Finish(saw Explanation) error {
	if err := f.entryFile.Finish(); err != nil {
		return err
	}
	x := f.of
	x.mu.Lock()
	defer x.mu.Unlock()
	x.whole = append(x.whole, part{x.key, f.r, f.n, f.Sum(), saw})
	if time.Since(x.saved) < runfile.SaveEvery {
		return nil
	}
	return x.save()
}

// entryFile holds the entries of one range, grown by a worker of its own, until those
// of the ranges before are written, as Entry.Append has them.
type entryFile struct {
	*runfile.File
	columns int // statistics
	n       uint64
	buf     []byte
}

// Put adds an entry; codes ascend.
func (f *entryFile) Put(e *store.Entry) error {
	f.n++
	f.buf = e.Append(f.buf[:0])
	_, err := f.Write(f.buf)
	return err
}

// Each calls g for the entries, with one that is refilled, and closes the file.
func (f *entryFile) Each(g func(*store.Entry) error) error {
	return f.Read(func(r *bufio.Reader) (err error) {
		var e store.Entry
		numbers := make([]byte, 8*(2+f.columns))
		number := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:])) }
		for range f.n {
			if e.Code, err = runfile.ReadBlock(r, e.Code); err != nil {
				return err
			}
			if _, err := io.ReadFull(r, numbers); err != nil {
				return err
			}
			e.Score, e.Weight, e.Stats = number(0), number(1), e.Stats[:0]
			for i := range f.columns {
				e.Stats = append(e.Stats, number(2+i))
			}
			if err := g(&e); err != nil {
				return err
			}
		}
		return nil
	})
}
