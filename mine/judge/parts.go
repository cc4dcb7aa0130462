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

// parts are the entries that a pass keeps, in one file for each range. The saved state of the run lists the
// complete files, so that a resumed run skips their ranges.
type parts struct {
	w       *store.Writer
	p       *Pass
	key     uint64 // identifies the selection, and what it chooses from
	columns int
	Files   []*entryFile // in the order of the ranges

	mu    sync.Mutex
	whole []rangeFile // the saved state: ranges of all selections of the run
	saved time.Time
}

// stateVersion must change if the type rangeFile, the encoding of the entries, or the meaning of
// rangeFile.Key changes.
const stateVersion = 2

// stateNumber is the number under which runfile.PutState saves the state.
const stateNumber = 0

// rangeFile is a grown range, as the state records it.
type rangeFile struct {
	Key     uint64
	Range   index.Range
	Entries uint64
	Sum     uint64 // checksum of the file
	Saw     Explanation
}

// NewParts begins to keep the entries of the selection that info describes. It continues from the saved state
// of an interrupted run.
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
	x.whole, err = runfile.ReadState[[]rangeFile](w.Scratch(), stateNumber, stateVersion)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	return x, nil
}

// Kept returns the number of grown ranges in the saved state.
func (x *parts) Kept() int { return len(x.whole) }

// Run makes the pass over the fragments of src. If ctx has ended, Run saves the finished ranges for a later
// run.
func (x *parts) Run(ctx context.Context, src *Source) error {
	err := src.Run(x.p, x.task)
	if ctx.Err() != nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		err = errors.Join(err, x.save())
	}
	return err
}

// task returns the sink for a range's entries, or grow.ErrGrown if an earlier run has grown the range.
func (x *parts) task(r index.Range) (Entries, error) {
	name := fmt.Sprintf("%016x-%x-%x", x.key, r.Lo, r.Hi)
	x.mu.Lock()
	defer x.mu.Unlock()
	is := func(p rangeFile) bool { return p.Key == x.key && p.Range == r }
	if i := slices.IndexFunc(x.whole, is); i >= 0 {
		old := x.whole[i]
		f := &entryFile{File: x.w.Scratch().Kept(name), columns: x.columns, n: old.Entries}
		if f.Holds(old.Sum) {
			if err := x.p.budget.Take(old.Entries); err != nil {
				return nil, err
			}
			x.Files = append(x.Files, f)
			x.p.addSeen(old.Saw)
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
	return &entrySink{f, x, r}, nil
}

func (x *parts) save() error {
	x.saved = time.Now()
	return runfile.PutState(x.w.Scratch(), stateNumber, stateVersion, x.whole)
}

// entrySink is the sink for the entries of a range. Finish records the file in the state.
type entrySink struct {
	*entryFile
	of *parts
	r  index.Range
}

func (f *entrySink) Finish(saw Explanation) error {
	if err := f.entryFile.Finish(); err != nil {
		return err
	}
	x := f.of
	x.mu.Lock()
	defer x.mu.Unlock()
	x.whole = append(x.whole, rangeFile{x.key, f.r, f.n, f.Sum(), saw})
	if time.Since(x.saved) < runfile.SaveEvery {
		return nil
	}
	return x.save()
}

// entryFile holds the entries of one range, encoded by Entry.Append.
type entryFile struct {
	*runfile.File
	columns int // number of statistics of an entry
	n       uint64
	buf     []byte
}

// Put adds an entry. Codes must ascend.
func (f *entryFile) Put(e *store.Entry) error {
	f.n++
	f.buf = e.Append(f.buf[:0])
	_, err := f.Write(f.buf)
	return err
}

// Each calls g for the entries in order. All calls get the same entry, which is filled again each time.
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
