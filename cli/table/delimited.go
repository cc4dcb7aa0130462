package table

import "io"

// flushAt is the number of bytes that a writer collects before it writes them.
const flushAt = 32 << 10

// lines collects lines of a table, and writes many of them to w in one call.
type lines struct {
	w   io.Writer
	buf []byte
}

// flushFull writes the lines if they have flushAt bytes.
func (l *lines) flushFull() error {
	if len(l.buf) < flushAt {
		return nil
	}
	return l.Flush()
}

func (l *lines) Flush() error {
	_, err := l.w.Write(l.buf)
	l.buf = l.buf[:0]
	return err
}

func (l *lines) Close() error { return l.Flush() }

// delimited writes TSV and CSV. It quotes an empty field that is alone on its line, because readers skip
// empty lines.
type delimited struct {
	lines
	sep    byte
	quoted [256]bool // the bytes that cause a field to be quoted
}

func newTSV(w io.Writer, columns []Column, o Options) Writer {
	return newDelimited(w, columns, '\t', o.Caption, o.NoHeader)
}

func newCSV(w io.Writer, columns []Column, o Options) Writer {
	return newDelimited(w, columns, ',', "", o.NoHeader)
}

func newDelimited(w io.Writer, columns []Column, sep byte, caption string, noHeader bool) Writer {
	d := &delimited{lines: lines{w, appendCaption(nil, caption)}, sep: sep}
	for _, b := range []byte{sep, '"', '\t', '\n', '\r'} {
		d.quoted[b] = true
	}
	if noHeader {
		return d
	}
	header := NewRow(len(columns))
	for i, c := range columns {
		header.SetString(i, c.Name)
	}
	d.append(header)
	return d
}

// appendCaption appends a line with a caption. An empty caption adds nothing.
func appendCaption(dst []byte, caption string) []byte {
	if caption == "" {
		return dst
	}
	return append(appendVisible(append(dst, "# "...), []byte(caption)), '\n')
}

func (d *delimited) Write(r *Row) error {
	d.append(r)
	return d.flushFull()
}

func (d *delimited) append(r *Row) {
	from := len(d.buf)
	for i := range r.cells {
		if i > 0 {
			d.buf = append(d.buf, d.sep)
		}
		if text := r.Text(i); text != nil {
			d.buf = d.appendField(d.buf, text)
		} else {
			d.buf = r.appendValue(d.buf, i)
		}
	}
	if len(d.buf) == from {
		d.buf = append(d.buf, `""`...)
	}
	d.buf = append(d.buf, '\n')
}

func (d *delimited) appendField(dst, text []byte) []byte {
	for _, b := range text {
		if d.quoted[b] {
			return appendQuoted(dst, text)
		}
	}
	return append(dst, text...)
}

func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, b := range text {
		if b == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, b)
	}
	return append(dst, '"')
}
