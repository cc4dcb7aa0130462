package gradient

// column is numbers by feature id. It is in chunks, so that it is never copied as it grows.
type column[T int32 | float64] struct {
	n      uint32
	chunks [][]T
}

// columnBits is how many bits of an id are the place in a chunk.
const columnBits = 16

// add appends a number.
func (c *column[T]) add(x T) {
	if int(c.n>>columnBits) == len(c.chunks) {
		c.chunks = append(c.chunks, make([]T, 1<<columnBits))
	}
	c.chunks[c.n>>columnBits][c.n&(1<<columnBits-1)] = x
	c.n++
}

// at is the number of an id.
func (c *column[T]) at(id uint32) T { return c.chunks[id>>columnBits][id&(1<<columnBits-1)] }
