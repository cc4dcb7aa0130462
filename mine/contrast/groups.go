package contrast

import (
	"bytes"
	"context"
	"slices"

	"github.com/zeebo/xxh3"

	"fstore/mine/query"
	"fstore/store"
	"fstore/store/posting"
)

// groups are all fragments of a space, by where they occur: those of a group are in the same samples,
// in each equally often. That does not depend on what is compared. So the store holds the groups, and a
// comparison counts one fragment of each. They are in key order of their first fragment of the highest
// order.
type groups struct {
	first []uint32 // top[first[i]:first[i+1]] is of group i
	top   []uint32 // ids of a group's fragments of its highest order, ascending
	size  []uint32 // how many fragments each group has in all
}

// heldRow is a group that has a row.
type heldRow struct {
	number             uint32 // of the group
	a, b, docsA, docsB uint32
}

// growing is a group while fragments are read.
type growing struct {
	order, size uint32
	last        uint32 // 1 + the place in links of its last fragment of that order
}

// groupsKey is the key of groups among what a store holds. Posting lists that are equal in places may
// differ in occurrences, so each unit has its own groups.
type groupsKey struct {
	space  uint32
	places bool
}

// heldGroups returns the groups and all fragments. The groups are nil unless the store holds both.
func (c *Contrast) heldGroups(ctx context.Context) (*groups, *store.Loaded, error) {
	o := &c.Options
	if !o.Brief || o.All || o.Documents != nil {
		return nil, nil, nil
	}
	all, err := c.t.Store().Load(c.t.Info.Number)
	if all == nil {
		return nil, nil, err
	}
	key := groupsKey{c.t.Info.Number, o.Count == Places}
	v, err := c.t.Store().Hold(key, 12*int64(c.t.Info.Features), func() (any, int64, error) {
		g, err := c.findGroups(ctx)
		if err != nil {
			return nil, 0, err
		}
		return g, 4 * int64(len(g.first)+len(g.top)+len(g.size)), nil
	})
	g, _ := v.(*groups)
	return g, all, err
}

// findGroups reads all fragments and puts them into groups.
func (c *Contrast) findGroups(ctx context.Context) (*groups, error) {
	type link struct{ id, before uint32 } // before is 1 + the place of the link before it, of the same group and order
	var all []growing
	var links []link
	numbers := map[xxh3.Uint128]uint32{}
	c.t.LateOrder = true
	defer func() { c.t.LateOrder = false }()
	c.Options.Progress.Step("group", "fragments", int64(c.t.Info.Features))
	n := 0
	err := c.t.Each(ctx, nil, nil, false, func(r *query.Row) error {
		if n++; n%lookEvery == 0 {
			c.Options.Progress.Add(lookEvery)
		}
		at, err := c.numberOf(numbers, r)
		if err != nil {
			return err
		}
		if int(at) == len(all) {
			all = append(all, growing{})
		}
		if err := c.t.SetOrder(r); err != nil {
			return err
		}
		g, order := &all[at], uint32(r.Order)
		if g.size++; g.size > 1 && order < g.order {
			return nil
		}
		if order > g.order {
			g.order, g.last = order, 0
		}
		links = append(links, link{r.ID, g.last})
		g.last = uint32(len(links))
		return nil
	})
	if err != nil {
		return nil, err
	}
	tops := make([][]uint32, len(all))
	ids := make([]uint32, 0, len(links))
	for i := range all {
		from := len(ids)
		for at := all[i].last; at > 0; at = links[at-1].before {
			ids = append(ids, links[at-1].id)
		}
		slices.Reverse(ids[from:])
		tops[i] = ids[from:len(ids):len(ids)]
	}
	return inKeyOrder(all, tops), nil
}

// inKeyOrder lays out groups whose fragments of the highest order are tops.
func inKeyOrder(all []growing, tops [][]uint32) *groups {
	g := &groups{}
	order := make([]uint32, len(all))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return int(tops[a][0]) - int(tops[b][0]) })
	g.first = make([]uint32, 0, len(all)+1)
	g.size = make([]uint32, 0, len(all))
	for _, i := range order {
		g.first, g.size = append(g.first, uint32(len(g.top))), append(g.size, all[i].size)
		g.top = append(g.top, tops[i]...)
	}
	g.first, g.top = append(g.first, uint32(len(g.top))), slices.Clip(g.top)
	return g
}

// numberOf returns the number of a fragment's group. A new group gets the next number.
func (c *Contrast) numberOf(numbers map[xxh3.Uint128]uint32, r *query.Row) (at uint32, err error) {
	hash := xxh3.Hash128(r.Posting())
	at, ok := numbers[hash]
	if ok {
		return at, nil
	}
	if c.ids, c.counts, c.places, err = c.t.WithPlaces(r, c.ids[:0], c.counts[:0], c.places[:0]); err != nil {
		return 0, err
	}
	unit := hash
	if !slices.Equal(c.counts, c.places) {
		unit = xxh3.Hash128(c.list(r))
	}
	if at, ok = numbers[unit]; !ok {
		at = c.newNumber
		c.newNumber++
		numbers[unit] = at
	}
	numbers[hash] = at
	return at, nil
}

// tallyHeld is tally from groups that the store holds.
func (c *Contrast) tallyHeld(ctx context.Context, g *groups, all *store.Loaded) (map[pair]uint64, error) {
	c.Options.Progress.Step("count", "groups", int64(len(g.size)))
	c.held, c.all = g, all
	times := map[pair]uint64{}
	samples := c.t.Store().Meta().Samples
	for i, size := range g.size {
		if i%lookEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c.Options.Progress.Add(lookEvery)
		}
		_, list := all.At(g.top[g.first[i]])
		support, _, err := posting.Header(list)
		if err != nil {
			return nil, c.damaged(err)
		}
		if uint64(support) < c.MinDocs { // in fewer documents too
			if c.ids, err = posting.IDs(list, samples, c.ids[:0]); err != nil {
				return nil, c.damaged(err)
			}
			if c.count.onSide(c.ids) {
				c.few += uint64(size)
			}
			continue
		}
		if c.ids, c.counts, c.places, err = posting.DecodePlaces(list, samples, c.ids[:0], c.counts[:0], c.places[:0]); err != nil {
			return nil, c.damaged(err)
		}
		var x group
		switch c.countInto(&x); x.state {
		case rare:
			c.few += uint64(size)
		case common:
			c.Fragments += uint64(size)
			times[x.pair()]++
			c.heldRows = append(c.heldRows, heldRow{uint32(i), x.a, x.b, x.docsA, x.docsB})
		}
	}
	return times, nil
}

func (c *Contrast) damaged(err error) error {
	return &store.Error{Dir: c.t.Store().Dir(), Kind: store.ErrDamaged, Detail: "space " + c.t.Info.ID, Err: err}
}

// eachHeld is Each from groups that the store holds.
func (c *Contrast) eachHeld(ctx context.Context, f func(*Row) error) error {
	row := Row{Row: &query.Row{}}
	for i := range c.heldRows {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.setHeld(&row, i); err != nil {
			return err
		}
		if err := f(&row); err != nil {
			return err
		}
	}
	return nil
}

// Holds says whether At can be called: then the store holds what the rows are made of.
func (c *Contrast) Holds() bool { return c.held != nil }

// At returns the row that Each gives as its i-th, from 0. The row is the caller's.
func (c *Contrast) At(i int) (*Row, error) {
	row := &Row{Row: &query.Row{}}
	return row, c.setHeld(row, i)
}

// List returns the posting list of a row of At. Each fragment that the row stands for is in the same
// samples, though it may occur in them more or less often.
func (c *Contrast) List(r *Row) []byte {
	_, list := c.all.At(r.ID)
	return list
}

func (c *Contrast) setHeld(row *Row, i int) (err error) {
	x, own := &c.heldRows[i], row.Row
	id := c.held.top[c.held.first[x.number]]
	code, list := c.all.At(id)
	*own = query.Row{ID: id, Code: code}
	if own.Support, own.Occurrences, err = posting.Header(list); err != nil {
		return c.damaged(err)
	}
	if err := c.t.SetOrder(own); err != nil {
		return err
	}
	*row = Row{
		Row: own, FreqA: uint64(x.a), FreqB: uint64(x.b), DocsA: uint64(x.docsA), DocsB: uint64(x.docsB),
		Measures: c.measures[pair{uint64(x.a), uint64(x.b)}], of: c, place: x.number + 1,
	}
	return nil
}

// settleHeld is Settle for a row of a group that the store holds.
func (r *Row) settleHeld(c *Contrast) error {
	ids := c.held.top[c.held.first[r.place-1]:c.held.first[r.place]]
	if len(ids) == 1 {
		return c.t.ReadOrder(r.Row)
	}
	var best, text []byte
	for _, id := range ids {
		x, err := c.heldFragment(id)
		if err != nil {
			return err
		}
		if text = c.t.Text(text[:0], x.Code); best == nil || bytes.Compare(text, best) < 0 {
			best, text = text, best
			*r.Row = x
		}
	}
	return nil
}

// heldFragment returns the row of the fragment of an id.
func (c *Contrast) heldFragment(id uint32) (x query.Row, err error) {
	code, list := c.all.At(id)
	x = query.Row{ID: id, Code: code}
	if x.Support, x.Occurrences, err = posting.Header(list); err != nil {
		return x, c.damaged(err)
	}
	return x, c.t.ReadOrder(&x)
}
