package contrast

import (
	"bytes"
	"context"
	"slices"

	"github.com/zeebo/xxh3"

	"fstore/mine/query"
)

// tallyKept counts all rows and keeps them in c.kept. If they take too much memory, it returns errFull.
func (c *Contrast) tallyKept(ctx context.Context) error {
	n := int(c.t.Info.Features)
	k := &c.kept
	*k = kept{index: map[xxh3.Uint128]uint32{}}
	if n*keptBytes < mostKept/2 {
		k.rows, k.codes = make([]keptRow, 0, n), make([]byte, 0, 8*n)
	}
	err := c.eachStored(ctx, "count", c.keepFragment)
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

// keepFragment puts a fragment into its group. If it can become a row, it also goes into c.kept.rows.
func (c *Contrast) keepFragment(r *query.Row) error {
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

// groupOf returns the index of a fragment's group. It counts the occurrences of a fragment only if the group
// is new.
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
		// Different posting lists can be equal in the unit that is counted, such as places.
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

// countGroup returns a new group with the frequencies of r. They stay 0 if r is in fewer samples than
// MinDocs.
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

// setKept sets row to c.kept.rows[i]. If that fragment has no row in the result, row.place becomes 0.
func (c *Contrast) setKept(row *Row, i int) error {
	g := &c.kept.groups[c.kept.rows[i].group]
	if row.place = 0; c.Options.All || g.row == uint32(i+1) {
		*row.Row = c.kept.fragment(uint32(i + 1))
		c.setRow(row, &g.frequencies, uint32(i+1))
	}
	return nil
}

// setRow sets all fields of row except row.Row.
func (c *Contrast) setRow(row *Row, f *frequencies, place uint32) {
	*row = Row{
		Row: row.Row, FreqA: uint64(f.a), FreqB: uint64(f.b), DocsA: uint64(f.docsA), DocsB: uint64(f.docsB),
		Measures: c.measures[f.pair()], of: c, place: place,
	}
}

// Settle completes a row of Options.Brief: until then, Code, ID and Occurrences can be those of another
// fragment. Only one goroutine may call Settle at a time.
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

// candidates returns the fragments of the highest order in the group of a row. The result is valid until the
// next call.
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

// groupsKey is the key under which the store keeps groups of fragments in memory. Groups by places can differ
// from groups by occurrences.
type groupsKey struct {
	space  uint32
	places bool
}

// heldGroups returns the groups that the store keeps in memory, or nil. It returns nil if Options.Brief is
// false or Options.All is true.
func (c *Contrast) heldGroups(ctx context.Context) (*groups, error) {
	o := &c.Options
	if !o.Brief || o.All {
		return nil, nil
	}
	all, err := c.t.Store().Load(c.t.Info.Number)
	if all == nil {
		return nil, err
	}
	key := groupsKey{c.t.Info.Number, o.Count == Places}
	v, err := c.t.Store().Hold(key, 4+12*int64(c.t.Info.Features), func() (any, int64, error) {
		g, err := c.findGroups(ctx)
		if err != nil {
			return nil, 0, err
		}
		g.all = all
		return g, 4 * int64(len(g.first)+len(g.top)+len(g.size)), nil
	})
	g, _ := v.(*groups)
	return g, err
}

// findGroups reads all fragments and puts them into groups.
func (c *Contrast) findGroups(ctx context.Context) (*groups, error) {
	var all []growing
	fragments := make([]grouped, 0, c.t.Info.Features)
	numbers := map[xxh3.Uint128]uint32{}
	err := c.eachStored(ctx, "group", func(r *query.Row) error {
		number, err := c.numberOf(numbers, uint32(len(all)), r)
		if err != nil {
			return err
		}
		if int(number) == len(all) {
			all = append(all, growing{})
		}
		if err := c.t.SetOrder(r); err != nil {
			return err
		}
		g, order := &all[number], uint32(r.Order)
		g.order = max(g.order, order)
		g.size++
		fragments = append(fragments, grouped{number, order})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(all, fragments), nil
}

// numberOf returns the number of r's group. A new group gets the number nextNumber.
func (c *Contrast) numberOf(numbers map[xxh3.Uint128]uint32, nextNumber uint32, r *query.Row) (number uint32, err error) {
	hash := xxh3.Hash128(r.Posting())
	number, ok := numbers[hash]
	if ok {
		return number, nil
	}
	if c.ids, c.counts, c.places, err = c.t.WithPlaces(r, c.ids[:0], c.counts[:0], c.places[:0]); err != nil {
		return 0, err
	}
	unit := hash
	if !slices.Equal(c.counts, c.places) {
		unit = xxh3.Hash128(c.list(r))
	}
	if number, ok = numbers[unit]; !ok {
		number = nextNumber
		numbers[unit] = number
	}
	numbers[hash] = number
	return number, nil
}

// tallyHeld does the work of tally if the store keeps the groups of fragments in memory.
func (c *Contrast) tallyHeld(ctx context.Context) error {
	c.Options.Progress.Step("count", "groups", int64(len(c.held.size)))
	c.times = map[pair]uint64{}
	var r query.Row
	for i, size := range c.held.size {
		if i%lookEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			c.Options.Progress.Add(lookEvery)
		}
		if err := c.readTop(&r, i); err != nil {
			return err
		}
		x, err := c.countGroup(&r)
		if err != nil {
			return err
		}
		switch x.state {
		case rare:
			c.few += uint64(size)
		case common:
			c.Fragments += uint64(size)
			c.times[x.pair()]++
			c.heldRows = append(c.heldRows, heldRow{uint32(i), x.frequencies})
		}
	}
	return nil
}

// readTop reads a group's first fragment of the highest order into r. It does not set r.Order.
func (c *Contrast) readTop(r *query.Row, number int) error {
	return c.t.ReadLoaded(r, c.held.all, c.held.top[c.held.first[number]])
}

// Holds reports whether At can be called: Options.Brief is set, and the store keeps its fragments in memory.
func (c *Contrast) Holds() bool { return c.held != nil }

// At returns row i of Each, counted from 0. The row belongs to the caller. All fragments of a row have the
// same samples, and equal counts in the unit Options.Count.
func (c *Contrast) At(i int) (*Row, error) {
	row := &Row{Row: &query.Row{}}
	return row, c.setHeld(row, i)
}

func (c *Contrast) setHeld(row *Row, i int) error {
	x, own := &c.heldRows[i], row.Row
	if err := c.readTop(own, int(x.number)); err != nil {
		return err
	}
	if err := c.t.SetOrder(own); err != nil {
		return err
	}
	c.setRow(row, &x.frequencies, x.number+1)
	return nil
}
