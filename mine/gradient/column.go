package gradient

import "math"

// column is numbers by feature id. It is in chunks, so that what is full is never copied as it
// grows; the first takes no more than what it has, as there is a column for each class.
type column[T int16 | float64] struct {
	n      uint32
	chunks [][]T
}

// columnBits is how many bits of an id are the place in a chunk.
const columnBits = 16

// add appends a number.
func (c *column[T]) add(x T) {
	last := int(c.n >> columnBits)
	if last == len(c.chunks) {
		var room []T
		if last > 0 {
			room = make([]T, 0, 1<<columnBits)
		}
		c.chunks = append(c.chunks, room)
	}
	c.chunks[last] = append(c.chunks[last], x)
	c.n++
}

// at is the number of an id.
func (c *column[T]) at(id uint32) T { return c.chunks[id>>columnBits][id&(1<<columnBits-1)] }

// differences is small numbers by feature id; the few that are not small are apart.
type differences struct {
	near column[int16] // far is in place of one that is apart
	far  map[uint32]int32
}

const far = math.MinInt16

func (d *differences) add(x int32) {
	if x > far && x <= math.MaxInt16 {
		d.near.add(int16(x))
		return
	}
	if d.far == nil {
		d.far = map[uint32]int32{}
	}
	d.far[d.near.n] = x
	d.near.add(far)
}

func (d *differences) at(id uint32) int32 {
	if x := d.near.at(id); x != far {
		return int32(x)
	}
	return d.far[id]
}
