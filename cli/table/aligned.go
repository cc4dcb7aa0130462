package table

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"fstore/cli/visible"
)

const (
	// sampleRows is the number of rows after which the column widths are fixed. A wider row later makes only
	// its own line longer.
	sampleRows = 1000
	// gap is the space between two columns.
	gap = "  "
	// If a line is too wide, texts are first shortened to shortWidth. Then columns of numbers are left out,
	// and at last texts are shortened to leastWidth.
	shortWidth = 20
	leastWidth = 8
	// ellipsis replaces the part of a text that was cut off.
	ellipsis = "…"
)

// cells measures text as terminals draw it. It does not depend on the locale, so that the same rows give the
// same bytes.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// width returns the number of terminal cells that text takes.
func width(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return cells.StringWidth(text)
		}
	}
	return len(text)
}

// aligned writes a table with aligned columns, for people. It keeps the first rows in memory to learn how
// wide the columns are.
type aligned struct {
	columns []Column // without hidden columns
	of      []int    // for each of columns, the index of its cell in a row
	o       Options
	subject int // the column that the rows are about; -1 if the rows are hits, with a match between its contexts
	held    [][]string
	widths  []int // nil until they are fixed
	out     lines
	scratch []byte
}

func newAligned(w io.Writer, columns []Column, o Options) Writer {
	a := &aligned{out: lines{w: w}, o: o}
	for i, c := range columns {
		if !c.Hidden {
			a.columns, a.of = append(a.columns, c), append(a.of, i)
		}
	}
	a.subject = subject(a.columns)
	return a
}

// subject returns the index of the column that the rows are about, or -1 if the rows are hits.
func subject(columns []Column) int {
	if slices.ContainsFunc(columns, func(c Column) bool { return c.Emphasis }) {
		return -1
	}
	if i := slices.IndexFunc(columns, func(c Column) bool { return c.Whole }); i >= 0 {
		return i
	}
	return slices.IndexFunc(columns, func(c Column) bool { return c.Kind == Text && !c.Right })
}

func (a *aligned) Write(r *Row) error {
	texts := make([]string, len(a.columns))
	for i, cell := range a.of {
		a.scratch = r.appendPretty(a.scratch[:0], cell)
		texts[i] = string(a.scratch)
	}
	if a.widths != nil {
		a.append(texts, false)
		return a.out.flushFull()
	}
	a.held = append(a.held, texts)
	if len(a.held) < sampleRows {
		return nil
	}
	return a.settle()
}

func (a *aligned) Close() error {
	if a.widths == nil {
		return a.settle()
	}
	return a.out.Flush()
}

// settle fixes the widths, and prints the header and the rows that were kept in memory.
func (a *aligned) settle() error {
	header := make([]string, len(a.columns))
	a.widths = make([]int, len(a.columns))
	for i, c := range a.columns {
		header[i] = string(appendVisible(nil, []byte(c.Name)))
		a.widths[i] = width(header[i])
		for _, texts := range a.held {
			// A value wider than the terminal does not set the width of its column.
			if w := width(texts[i]); a.isShortened(i) || a.o.Width <= 0 || w <= a.o.Width {
				a.widths[i] = max(a.widths[i], w)
			}
		}
	}
	a.out.buf = appendCaption(a.out.buf, a.o.Caption)
	if a.o.Width > 0 {
		if left := a.fit(header); len(left) > 0 {
			a.out.buf = appendCaption(a.out.buf, "no room for "+strings.Join(left, ", ")+"; -o FILE has all")
		}
	}
	a.append(header, true)
	for _, texts := range a.held {
		a.append(texts, false)
	}
	a.held = nil
	return a.out.Flush()
}

// fit narrows a.widths until a line fits into the terminal. It returns the headers of the columns of numbers
// that it left out.
func (a *aligned) fit(header []string) (left []string) {
	short := make([]int, len(header)) // widths at which texts are still readable
	least := make([]int, len(header))
	for i := range header {
		least[i] = max(leastWidth, width(header[i]))
		short[i] = max(least[i], shortWidth)
	}
	a.squeeze(short, func(c Column) bool { return !c.Emphasis })
	if a.subject < 0 {
		a.squeeze(least, func(Column) bool { return true })
		return nil
	}
	for a.over() > 0 && a.leaveOut() {
	}
	for i := range a.widths {
		if a.widths[i] == 0 {
			left = append(left, header[i])
		}
	}
	a.squeeze(least, func(Column) bool { return true })
	return left
}

// isShortened reports whether column i has texts that can be shortened.
func (a *aligned) isShortened(i int) bool {
	return a.columns[i].Kind == Text && !a.columns[i].Whole && i != a.subject
}

// leaveOut leaves out all columns of numbers with the highest Column.Spare. If no Spare is above 0, it leaves
// out only the last such column. It returns false if there is no column of numbers.
func (a *aligned) leaveOut() bool {
	isLeft := func(i int) bool { return a.widths[i] > 0 && a.columns[i].Kind != Text }
	spare := -1
	for i, c := range a.columns {
		if isLeft(i) && (spare < 0 || c.Spare >= a.columns[spare].Spare) {
			spare = i
		}
	}
	if spare < 0 {
		return false
	}
	a.widths[spare] = 0
	for i, c := range a.columns {
		if c.Spare > 0 && c.Spare == a.columns[spare].Spare && isLeft(i) {
			a.widths[i] = 0
		}
	}
	return true
}

// over returns by how many cells a line is too wide. A column of width 0 has been left out.
func (a *aligned) over() int {
	over := -len(gap) - a.o.Width
	for _, w := range a.widths {
		if w > 0 {
			over += w + len(gap)
		}
	}
	return over
}

// squeeze makes the widest column narrower, cell by cell, until a line fits. It changes only columns for
// which mayShrink is true. Column i keeps at least minWidths[i] cells.
func (a *aligned) squeeze(minWidths []int, mayShrink func(Column) bool) {
	for over := a.over(); over > 0; over-- {
		widest := -1
		for i, w := range a.widths {
			if a.isShortened(i) && mayShrink(a.columns[i]) && w > minWidths[i] && (widest < 0 || w > a.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		a.widths[widest]--
	}
}

func (a *aligned) append(texts []string, header bool) {
	last := len(texts) - 1
	for last > 0 && a.widths[last] == 0 {
		last--
	}
	first := true
	for i, text := range texts {
		c := a.columns[i]
		if a.widths[i] == 0 {
			continue
		}
		w := width(text)
		if w > a.widths[i] && a.o.Width > 0 && !header && a.isShortened(i) {
			text = shorten(text, a.widths[i], c.Right)
			w = width(text)
		}
		if !first {
			a.out.buf = append(a.out.buf, gap...)
		}
		first = false
		right := c.Right || c.Kind != Text
		if right {
			a.pad(a.widths[i] - w)
		}
		switch {
		case header:
			a.out.buf = a.o.Style.Header.Append(a.out.buf, text)
		case c.Emphasis:
			a.out.buf = a.o.Style.Match.Append(a.out.buf, text)
		default:
			a.out.buf = append(a.out.buf, text...)
		}
		if !right && i < last {
			a.pad(a.widths[i] - w)
		}
	}
	a.out.buf = append(a.out.buf, '\n')
}

func (a *aligned) pad(n int) {
	for ; n > 0; n-- {
		a.out.buf = append(a.out.buf, ' ')
	}
}

// shorten cuts a text to w cells, at its start or at its end.
func shorten(text string, w int, atStart bool) string {
	if atStart {
		return cells.TruncatePrefix(text, w, ellipsis)
	}
	return cells.Truncate(text, w, ellipsis)
}

// alignedRecord prints one line for each column: its name and its value.
func alignedRecord(w io.Writer, columns []Column, r *Row, o Options) error {
	key := 0
	for _, c := range columns {
		key = max(key, width(visible.Text(c.Name, "")))
	}
	var out []byte
	for i, c := range columns {
		name := visible.Text(c.Name, "")
		out = o.Style.Header.Append(out, name)
		value := r.appendPretty(nil, i)
		if len(value) > 0 {
			out = append(out, strings.Repeat(" ", key-width(name))...)
			out = append(append(out, gap...), value...)
		}
		out = append(out, '\n')
	}
	_, err := w.Write(out)
	return err
}
