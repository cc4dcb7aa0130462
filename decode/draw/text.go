package draw

import (
	"cmp"
	"slices"
	"strings"
)

// The sides at which a line leaves a cell.
const (
	up = 1 << iota
	down
	left
	right
)

// box has the character for each combination of sides at which lines leave a cell.
var box = [16]string{
	0: " ", up: "│", down: "│", up | down: "│",
	left: "─", right: "─", left | right: "─",
	up | left: "┘", up | right: "└", down | left: "┐", down | right: "┌",
	up | down | left: "┤", up | down | right: "├", up | left | right: "┴", down | left | right: "┬",
	up | down | left | right: "┼",
}

// appendText prints a sketch as text. Rows do not end with blanks.
func (k *sketch) appendText(dst []byte) []byte {
	grid := k.grid()
	byRow := slices.Clone(k.labels)
	slices.SortStableFunc(byRow, func(a, b label) int { return cmp.Or(a.row-b.row, a.col-b.col) })
	for row := range grid {
		col, blanks := 0, 0
		to := func(until int) {
			for ; col < until; col++ {
				if col >= len(grid[row]) || grid[row][col] == 0 {
					blanks++
					continue
				}
				dst, blanks = append(dst, strings.Repeat(" ", blanks)...), 0
				dst = append(dst, box[grid[row][col]]...)
			}
		}
		for len(byRow) > 0 && byRow[0].row == row {
			l := byRow[0]
			byRow = byRow[1:]
			to(l.col)
			dst, blanks = append(dst, strings.Repeat(" ", blanks)...), 0
			dst = appendName(dst, l.name)
			col = l.col + l.name.width
		}
		to(len(grid[row]))
		dst = append(dst, '\n')
	}
	return dst
}

// appendName prints a name. Direction marks around right-to-left text keep the name and its neighbours in
// place.
func appendName(dst []byte, n name) []byte {
	const mark = "\u200E"
	if isRightToLeft(n.text) {
		return append(append(append(dst, mark...), n.text...), mark...)
	}
	return append(dst, n.text...)
}

// grid returns the sides at which lines leave each cell. Rows have different lengths.
func (k *sketch) grid() [][]byte {
	grid := make([][]byte, k.rows)
	set := func(row, col int, sides byte, under bool) {
		if n := col + 1 - len(grid[row]); n > 0 {
			grid[row] = append(grid[row], make([]byte, n)...)
		}
		if c := &grid[row][col]; !under || *c&(up|down) == 0 {
			*c |= sides
		}
	}
	for _, under := range []bool{false, true} {
		for _, l := range k.lines {
			if l.under != under {
				continue
			}
			start, end, rows, cols := byte(right), byte(left), 0, 1 // a step to the right
			if l.col1 == l.col2 {
				start, end, rows, cols = down, up, 1, 0
			}
			set(l.row1, l.col1, start, under)
			for row, col := l.row1+rows, l.col1+cols; row < l.row2 || col < l.col2; row, col = row+rows, col+cols {
				set(row, col, start|end, under)
			}
			set(l.row2, l.col2, end, under)
		}
	}
	return grid
}
