package contrast

import (
	"context"
	"slices"

	"github.com/zeebo/xxh3"

	"fstore/mine/query"
	"fstore/store"
)

// groups divides all fragments of a space into groups. The fragments of one group are in the same samples,
// equally often in each. Groups do not depend on the comparison, so the store keeps them in memory. A
// comparison counts one fragment of each group. Groups are sorted by the key of their first fragment in top.
type groups struct {
	all   *store.Loaded // all fragments of the space
	first []uint32      // the fragments of group i in top are top[first[i]:first[i+1]]
	top   []uint32      // ids of a group's fragments of its highest order, ascending
	size  []uint32      // by group: the number of all its fragments
}

// heldRow is a group that has a row in this comparison.
type heldRow struct {
	number uint32 // number of the group
	frequencies
}

// growing is a group while the fragments are being read. Groups are numbered in the order of their first
// fragments.
type growing struct {
	order, size uint32
	place       uint32 // 1 + the index of the group in groups; 0 before it has an index
}

// grouped is a fragment while the groups are being found.
type grouped struct {
	number, order uint32
}

// groupsKey is the key of the groups in the memory of the store. Posting lists with equal places can differ
// in occurrences, so each unit has its own groups.
type groupsKey struct {
	space  uint32
	places bool
}

// heldGroups returns the groups, or nil if the store does not keep them in memory or the options do not allow
// it.
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

// inKeyOrder puts the groups into key order. The parameter fragments is in the order of the ids.
func inKeyOrder(all []growing, fragments []grouped) *groups {
	g := &groups{first: make([]uint32, 1, len(all)+1), size: make([]uint32, 0, len(all))}
	for _, f := range fragments {
		x := &all[f.number]
		if f.order < x.order {
			continue
		}
		if x.place == 0 {
			g.first, g.size = append(g.first, 0), append(g.size, x.size)
			x.place = uint32(len(g.size))
		}
		g.first[x.place]++ // a number of fragments now; the next loop makes it an index
	}
	for i := range g.size {
		g.first[i+1] += g.first[i]
	}
	g.top = make([]uint32, g.first[len(g.size)])
	next := slices.Clone(g.first)
	for i, f := range fragments {
		if x := &all[f.number]; f.order == x.order {
			at := &next[x.place-1]
			g.top[*at] = uint32(i + 1)
			*at++
		}
	}
	return g
}

// numberOf returns the number of a fragment's group. It returns next if the group is new.
func (c *Contrast) numberOf(numbers map[xxh3.Uint128]uint32, next uint32, r *query.Row) (number uint32, err error) {
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
		number = next
		numbers[unit] = number
	}
	numbers[hash] = number
	return number, nil
}

// tallyHeld does what tally does, for groups that the store keeps in memory.
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

// readTop sets r to the first fragment of the highest order of a group. It does not set Order.
func (c *Contrast) readTop(r *query.Row, number int) error {
	return c.t.ReadLoaded(r, c.held.all, c.held.top[c.held.first[number]])
}

// Holds reports whether At can be called. This is so if the store keeps the groups in memory.
func (c *Contrast) Holds() bool { return c.held != nil }

// At returns row i of Each, counted from 0. The row belongs to the caller. All fragments that the row stands
// for occur in the samples of the row's Posting, but not always as often as it says.
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
