package builder

import (
	"cmp"
	"errors"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/grow"
	"fstore/store"
)

// Options are the options of Run. The zero value of a field is its default.
type Options struct {
	FS   vfs.FS     // nil: the operating system's
	Mode store.Mode // what to do about an existing store

	// Spaces says which spaces to index. An append keeps the spaces of the store.
	Spaces Choice
	// MaxFragments bounds the stored fragments of all spaces together; 0 means no bound. With more fragments,
	// the error is grow.ErrTooMany. Long fragments count more, see grown.SizeOf.
	MaxFragments uint64
	// Workers is how many goroutines grow fragments; 0 means one for each processor.
	Workers int
	// Memory bounds the bytes of samples that growth holds at a time; 0 means 1 GiB. Growth may need more for
	// closed fragments, and in spaces that are not index.Additive.
	Memory int64

	// Source opens the samples. It interns their symbols into the store's symbols.
	Source func(*index.Symbols) (index.Source, error)
	// Event returns the history entry of the run. It is called after all samples are read.
	Event func() store.Event

	// Resume continues an unfinished run with the same ResumeKey, and lets a later run continue this one. An
	// append cannot be resumed. ResumeKey must depend on all that the result depends on.
	Resume    bool
	ResumeKey string

	Progress index.Progress // nil: none

	IncrementAlways bool // in tests: make an increment even if many samples are appended
}

func (o *Options) setDefaults() {
	o.FS = cmp.Or(o.FS, vfs.Default)
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// ErrNotResumable says that the unfinished run had other inputs or options than this run.
var ErrNotResumable = errors.New("not what an interrupted run can go on from")

// ErrNoSamples says that Options.Source gave no samples.
var ErrNoSamples = errors.New("no samples")

// The default limits of a build.
const (
	DefaultMinSupport = 2
	DefaultMaxOrder   = 5
)

// Choice says which spaces a build indexes, within which limits. The zero value is the default space for the
// kind of the samples, with the default limits.
type Choice struct {
	// Spaces are the spaces to index. An empty list means the default space of the samples' kind, if the kind
	// has one.
	Spaces []spaces.Request
	// MinSupport, MaxOrder and Closed are for spaces whose request does not give them; nil means the default.
	MinSupport *uint32 // default: DefaultMinSupport
	MaxOrder   *int    // default: DefaultMaxOrder; 0: any
	Closed     *bool   // default: false
}

// ForNew returns the spaces and limits for a new store of samples of kind k. It returns an *index.UsageError
// for a bad choice.
func (c *Choice) ForNew(k index.Kind) (all []grow.SpaceLimits, err error) {
	requests := c.Spaces
	if len(requests) == 0 {
		name := spaces.Default(k)
		if name == "" {
			return nil, nil
		}
		r, err := spaces.Parse(name)
		if err != nil {
			return nil, err
		}
		requests = []spaces.Request{r}
	}
	seen := map[string]bool{}
	for _, r := range requests {
		id := r.Space.ID()
		if err := r.CheckKind(k); err != nil {
			return nil, err
		}
		if seen[id] {
			return nil, index.Usagef("space %s twice: a store has a space once", id)
		}
		seen[id] = true
		l := index.Limits{MinSupport: DefaultMinSupport, MaxOrder: DefaultMaxOrder}
		grow.Set(&l.MinSupport, r.MinSupport, c.MinSupport)
		grow.Set(&l.MaxOrder, r.MaxOrder, c.MaxOrder)
		grow.Set(&l.Closed, r.Closed, c.Closed)
		if l.MaxOrder < 0 || l.MaxOrder > grow.MaxMaxOrder {
			return nil, index.Usagef("space %s: an order of at most %d; 0 is any", id, grow.MaxMaxOrder)
		}
		if _, ok := r.Space.(index.Covering); l.Closed && !ok {
			option := ":"
			if strings.Contains(id, option) {
				option = ","
			}
			return nil, index.Usagef("space %s has no closed fragments: leave --closed out, or, for those of other spaces, write --space %s%sclosed=false", id, id, option)
		}
		all = append(all, grow.SpaceLimits{Space: r.Space, Limits: l})
	}
	return all, nil
}

// forAppend returns the spaces and limits of the store. It returns an error if c chooses others.
func (c *Choice) forAppend(dir string, m *store.Meta) (all []grow.SpaceLimits, err error) {
	requested := map[string]spaces.Request{}
	for _, r := range c.Spaces {
		named := spaces.Named(r.Arg, m.SpaceIDs())
		if len(named) != 1 {
			return nil, index.Usagef("space %s: an append keeps the spaces of the store, which %s", r.Arg, hasSpaces(m))
		}
		requested[named[0]] = r
	}
	for i := range m.Spaces {
		info := &m.Spaces[i]
		r, ok := requested[info.ID]
		if !ok && len(c.Spaces) > 0 {
			return nil, index.Usagef("an append keeps the spaces of the store, which %s", hasSpaces(m))
		}
		l := info.Limits()
		want := l
		grow.Set(&want.MinSupport, r.MinSupport, c.MinSupport)
		grow.Set(&want.MaxOrder, r.MaxOrder, c.MaxOrder)
		grow.Set(&want.Closed, r.Closed, c.Closed)
		if want != l {
			return nil, index.Usagef("an append keeps the limits of the store: %s, not %s",
				grow.Describe(info.ID, l), grow.Describe(info.ID, want))
		}
		stored, err := grow.SpaceOf(dir, info)
		if err != nil {
			return nil, err
		}
		all = append(all, grow.SpaceLimits{Space: stored, Limits: l})
	}
	return all, nil
}

// hasSpaces says in words which spaces a store has, as the end of a sentence.
func hasSpaces(m *store.Meta) string {
	if len(m.Spaces) == 0 {
		return "has none"
	}
	return "has " + strings.Join(m.SpaceIDs(), ", ")
}
