package table

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"fstore/cli/visible"
)

const (
	// sampleRows are looked at before the widths are settled; later rows that are
	// wider push their line out.
	sampleRows = 1000
	// gap is between two columns.
	gap = "  "
	// least is how far a text column is shortened.
	least = 8
	// ellipsis stands for what was cut.
	ellipsis = "…"
)

// cells measures text as terminals draw it: wide CJK, combining marks, Arabic.
// The locale has no say, so that the same rows are the same bytes everywhere.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// width is the number of terminal cells that text takes.
func width(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return cells.StringWidth(text)
		}
	}
	return len(text)
}

// aligned is the table for the eye. The first rows are held back to learn how
// wide columns are; where that is more than the terminal has, the widest text
// columns are shortened.
type aligned struct {
	w       io.Writer
	columns []Column // those that are shown
	of      []int    // the cell of each
	o       Options
	held    [][]string
	widths  []int // nil until settled
	line    []byte
	scratch []byte
}

func newAligned(w io.Writer, columns []Column, o Options) Writer {
	a := &aligned{w: w, o: o}
	for i, c := range columns {
		if !c.Hidden {
			a.columns, a.of = append(a.columns, c), append(a.of, i)
		}
	}
	return a
}

func (a *aligned) Write(r *Row) error {
	texts := make([]string, len(a.columns))
	for i, cell := range a.of {
		a.scratch = r.appendPretty(a.scratch[:0], cell)
		texts[i] = string(a.scratch)
	}
	if a.widths != nil {
		a.append(texts, false)
		if len(a.line) < flushAt {
			return nil
		}
		return a.flush()
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
	return a.flush()
}

func (a *aligned) flush() error {
	_, err := a.w.Write(a.line)
	a.line = a.line[:0]
	return err
}

// settle fixes the widths and prints the header and the rows held back.
func (a *aligned) settle() error {
	header := make([]string, len(a.columns))
	floor := make([]int, len(a.columns))
	a.widths = make([]int, len(a.columns))
	for i, c := range a.columns {
		header[i] = string(appendVisible(nil, []byte(c.Name)))
		floor[i] = max(least, width(header[i]))
		a.widths[i] = width(header[i])
		for _, texts := range a.held {
			a.widths[i] = max(a.widths[i], width(texts[i]))
		}
	}
	if a.o.Width > 0 {
		a.fit(floor)
	}
	a.line = appendCaption(a.line, a.o.Caption)
	a.append(header, true)
	for _, texts := range a.held {
		a.append(texts, false)
	}
	a.held = nil
	return a.flush()
}

// fit takes cells from the widest text column until the line fits.
func (a *aligned) fit(floor []int) {
	over := len(gap)*(len(a.columns)-1) - a.o.Width
	for _, w := range a.widths {
		over += w
	}
	for ; over > 0; over-- {
		widest := -1
		for i, w := range a.widths {
			if a.columns[i].Kind == Text && w > floor[i] && (widest < 0 || w > a.widths[widest]) {
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
	for i, text := range texts {
		c := a.columns[i]
		w := width(text)
		if w > a.widths[i] && a.o.Width > 0 && c.Kind == Text && !header {
			text = shorten(text, a.widths[i], c.Right)
			w = width(text)
		}
		if i > 0 {
			a.line = append(a.line, gap...)
		}
		right := c.Right || c.Kind != Text
		if right {
			a.pad(a.widths[i] - w)
		}
		switch {
		case header:
			a.line = a.o.Style.Header.Append(a.line, text)
		case c.Emphasis:
			a.line = a.o.Style.Match.Append(a.line, text)
		default:
			a.line = append(a.line, text...)
		}
		if !right && i < len(texts)-1 {
			a.pad(a.widths[i] - w)
		}
	}
	a.line = append(a.line, '\n')
}

func (a *aligned) pad(n int) {
	for ; n > 0; n-- {
		a.line = append(a.line, ' ')
	}
}

// shorten cuts text to w cells at its end, or at its start.
func shorten(text string, w int, start bool) string {
	if start {
		return cells.TruncatePrefix(text, w, ellipsis)
	}
	return cells.Truncate(text, w, ellipsis)
}

// alignedRecord prints a line a column, key and value.
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
