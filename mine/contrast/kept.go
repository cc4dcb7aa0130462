package contrast

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/query"
)

// kept has the fragments of one reading in memory, so that Each needs no second reading. Fragments with equal
// posting lists are a group, and only the first fragment of a group is counted. This saves time, because of a
// million fragments most are not the first of their group.
type kept struct {
	groups []group
	rows   []keptRow               // in key order
	codes  []byte                  // codes of the rows, one after the other
	index  map[xxh3.Uint128]uint32 // index of a group, by the hash of its posting list
}

// frequencies are the counts of a group. 32 bits are enough: a posting list has fewer than 2^32 occurrences.
type frequencies struct{ a, b, docsA, docsB uint32 }

func (f *frequencies) pair() pair { return pair{uint64(f.a), uint64(f.b)} }

// group is the data that all fragments with one posting list share.
type group struct {
	frequencies
	state groupState
	order int32  // the highest order of the group's fragments
	row   uint32 // 1 + the index of the first row of that order; 0: no row
}

type groupState uint8

const (
	nowhere groupState = iota // the fragments are on no side
	rare                      // the fragments are in too few documents
	common
)

// keptRow is a fragment of a group. With Options.All each keptRow is a row of the result. Otherwise the
// fragments of the group's highest order are linked to a chain, and one of them stands for the group.
type keptRow struct {
	id, support, occurrences, group uint32
	order                           int32
	code                            uint32 // the end of the fragment's code in kept.codes
	next                            uint32 // 1 + the index of the next keptRow in the chain; 0 at the end
}

const (
	groupBytes, keptBytes = 88, 28    // bytes of a group and of a keptRow, with the index
	mostKept              = 128 << 20 // the limit of all bytes; if it is exceeded, the fragments are read twice
)

// errFull says that the fragments need more memory than mostKept.
var errFull = errors.New("more fragments than are kept")

func (k *kept) bytes() int { return len(k.groups)*groupBytes + len(k.rows)*keptBytes + len(k.codes) }

// tallyKept does what tally does, and keeps the rows in memory. It returns errFull if there are too many
// rows.
func (c *Contrast) tallyKept(ctx context.Context) error {
	n := int(c.t.Info.Features)
	k := &c.kept
	*k = kept{index: map[xxh3.Uint128]uint32{}}
	if n*keptBytes < mostKept/2 {
		k.rows, k.codes = make([]keptRow, 0, n), make([]byte, 0, 8*n)
	}
	err := c.eachStored(ctx, "count", c.keep)
	k.index = nil
	if err != nil {
		*k = kept{}
		c.Fragments, c.few = 0, 0
		return err
	}
	c.times = map[pair]uint64{}
	for i := range k.rows {
		if g := &k.groups[k.rows[i].group]; c.Options.All || g.row == uint32(i+1) {
			c.times[g.pair()]++
		}
	}
	return nil
}

// keep counts a fragment in its group, and keeps the fragment if it can get a row.
func (c *Contrast) keep(r *query.Row) error {
	k := &c.kept
	at, err := c.groupOf(r)
	if err != nil {
		return err
	}
	g := &k.groups[at]
	switch g.state {
	case nowhere:
		return nil
	case rare:
		c.few++
		return nil
	}
	c.Fragments++
	if err := c.t.SetOrder(r); err != nil {
		return err
	}
	order := int32(r.Order)
	if g.row > 0 && order < g.order && !c.Options.All {
		return nil
	}
	if k.bytes() > mostKept {
		return errFull
	}
	k.codes = append(k.codes, r.Code...)
	k.rows = append(k.rows, keptRow{id: r.ID, support: r.Support, occurrences: r.Occurrences, group: at, order: order, code: uint32(len(k.codes))})
	place := uint32(len(k.rows))
	switch {
	case g.row == 0 || order > g.order:
		g.row, g.order = place, order
	case order == g.order && !c.Options.All: // inserted as the second of the chain, whose order does not matter
		first := &k.rows[g.row-1]
		k.rows[place-1].next, first.next = first.next, place
	}
	return nil
}

// groupOf returns the index of a fragment's group. It counts the fragment if the group is new.
func (c *Contrast) groupOf(r *query.Row) (uint32, error) {
	k := &c.kept
	hash := xxh3.Hash128(r.Posting())
	if at, ok := k.index[hash]; ok {
		return at, nil
	}
	if k.bytes() > mostKept {
		return 0, errFull
	}
	g, err := c.countGroup(r)
	if err != nil {
		return 0, err
	}
	at := uint32(len(k.groups))
	if uint64(r.Support) >= c.MinDocs && !slices.Equal(c.counts, c.places) {
		// Different posting lists can be equal in the counted unit.
		unit := xxh3.Hash128(c.list(r))
		if first, ok := k.index[unit]; ok {
			k.index[hash] = first
			return first, nil
		}
		k.index[unit] = at
	}
	k.groups = append(k.groups, g)
	k.index[hash] = at
	return at, nil
}

// countGroup returns a new group with the frequencies of r. If r is in fewer samples than MinDocs, it only
// checks whether one of these samples is on a side.
func (c *Contrast) countGroup(r *query.Row) (g group, err error) {
	if uint64(r.Support) < c.MinDocs { // fewer samples than MinDocs, so fewer documents too
		if c.ids, err = c.t.IDs(r, c.ids[:0]); err == nil && c.count.onSide(c.ids) {
			g.state = rare
		}
		return g, err
	}
	if c.ids, c.counts, c.places, err = c.t.WithPlaces(r, c.ids[:0], c.counts[:0], c.places[:0]); err != nil {
		return g, err
	}
	c.count.count(c.ids, c.counts, c.places)
	p := c.count.pair()
	g.frequencies = frequencies{uint32(p.a), uint32(p.b), uint32(c.count.a.documents()), uint32(c.count.b.documents())}
	switch {
	case p == pair{}:
	case c.count.documents() < c.MinDocs:
		g.state = rare
	default:
		g.state = common
	}
	return g, nil
}

// eachBrief does what Each does, for kept rows or for groups that the store keeps in memory.
func (c *Contrast) eachBrief(ctx context.Context, f func(*Row) error) error {
	n, set := len(c.kept.rows), c.setKept
	if c.held != nil {
		n, set = len(c.heldRows), c.setHeld
	}
	row := Row{Row: &query.Row{}}
	for i := range n {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := set(&row, i); err != nil {
			return err
		}
		if row.place > 0 {
			if err := f(&row); err != nil {
				return err
			}
		}
	}
	return nil
}

// setKept sets row to the kept fragment with index i. It sets row.place to 0 if that fragment has no row.
func (c *Contrast) setKept(row *Row, i int) error {
	g := &c.kept.groups[c.kept.rows[i].group]
	if row.place = 0; c.Options.All || g.row == uint32(i+1) {
		*row.Row = c.kept.fragment(uint32(i + 1))
		c.setRow(row, &g.frequencies, uint32(i+1))
	}
	return nil
}

// setRow sets all fields of row except its own fragment.
func (c *Contrast) setRow(row *Row, f *frequencies, place uint32) {
	*row = Row{
		Row: row.Row, FreqA: uint64(f.a), FreqB: uint64(f.b), DocsA: uint64(f.docsA), DocsB: uint64(f.docsB),
		Measures: c.measures[f.pair()], of: c, place: place,
	}
}

// fragment returns the kept fragment at place-1.
func (k *kept) fragment(place uint32) query.Row {
	x, from := &k.rows[place-1], uint32(0)
	if place > 1 {
		from = k.rows[place-2].code
	}
	return query.Row{ID: x.id, Code: index.Code(k.codes[from:x.code]), Order: int(x.order), Support: x.support, Occurrences: x.occurrences}
}

// Settle gives a row of Options.Brief its own fragment, and checks it. Before that, Code, ID and Occurrences
// can belong to another fragment of the same order that the row stands for. The reason is that the texts of
// all these fragments must be made to find the row's own fragment. Settle does nothing to other rows.
// Only one goroutine may call it at a time.
func (r *Row) Settle() error {
	c := r.of
	if c == nil {
		return nil
	}
	r.of = nil
	all, err := c.candidates(r.place)
	if err != nil {
		return err
	}
	var best, text []byte
	for i := range all {
		x := &all[i]
		if err := c.t.ReadOrder(x); err != nil {
			return err
		}
		if len(all) > 1 {
			text = c.t.Text(text[:0], x.Code)
		}
		if best == nil || bytes.Compare(text, best) < 0 {
			best, text = text, best
			*r.Row = *x
		}
	}
	return nil
}

// candidates returns the fragments of the highest order that a row stands for, given Row.place. One of them
// is the row's own. The result is valid until the next call.
func (c *Contrast) candidates(place uint32) ([]query.Row, error) {
	c.mayBe = c.mayBe[:0]
	if c.held == nil {
		for ; place > 0; place = c.kept.rows[place-1].next {
			c.mayBe = append(c.mayBe, c.kept.fragment(place))
		}
		return c.mayBe, nil
	}
	for _, id := range c.held.top[c.held.first[place-1]:c.held.first[place]] {
		var x query.Row
		if err := c.t.ReadLoaded(&x, c.held.all, id); err != nil {
			return nil, err
		}
		c.mayBe = append(c.mayBe, x)
	}
	return c.mayBe, nil
}

// Recall counts the fragment of an id again, and returns a row for its Dispersion.
func (c *Contrast) Recall(id uint32) (*Row, error) {
	row := &Row{count: c.count}
	code, err := c.t.Store().ByRank(c.t.Info.Number, id, nil)
	if err != nil {
		return nil, err
	}
	if row.Row, err = c.t.Get(code); err != nil {
		return nil, err
	}
	_, _, _, err = c.Frequencies(row.Row)
	return row, err
}

// Frequencies counts one fragment, even if it has no row. It returns the frequency of the fragment in A and
// in B, in units of Options.Count, and the number of documents of both sides that have it.
func (c *Contrast) Frequencies(r *query.Row) (a, b, documents uint64, err error) {
	ids, counts, places, err := c.t.WithPlaces(r, nil, nil, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	c.count.count(ids, counts, places)
	p := c.count.pair()
	return p.a, p.b, c.count.documents(), nil
}
