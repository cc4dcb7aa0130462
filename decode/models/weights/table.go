package weights

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"fstore/decode/format"
	"fstore/index"
	"fstore/mine/learn/linear"
)

// IsTable says whether a file that starts with head is a table of weights.
func IsTable(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(format.TrimBOM(head), "\r\n"), []byte("\n"))
	fields := bytes.Split(bytes.TrimRight(line, "\r"), []byte("\t"))
	if len(fields) < 2 || len(fields) > 3 {
		return false
	}
	if isHeader(fields) {
		return true
	}
	_, id := feature(fields[0])
	_, weight := format.Decimal(fields[len(fields)-1])
	return id && weight
}

// isHeader says whether the fields are the names of the columns.
func isHeader(fields [][]byte) bool {
	return string(fields[0]) == "id" && string(fields[len(fields)-1]) == "weight"
}

// ReadTable reads lines `id TAB weight` or `id TAB class TAB weight`, in any order. The first line can have
// the names of the columns. The id 0 is the bias. A wrong file is an *index.InputError.
//
// The scores of the model depend on the number of classes:
//   - none: one score, and the caller sets the labels
//   - one: one score, which tells the class from any other label
//   - two: one score for the class that is first in byte order, with its weights minus the other's
//   - more: one score for each class
func ReadTable(in io.Reader, file string) (*linear.Model, error) {
	r := newReader(in, file)
	var entries []entry
	var classes []string
	at := map[string]int{}
	columns := 0
	for {
		line, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		fields := bytes.Split(line, []byte("\t"))
		if columns == 0 {
			if columns = len(fields); columns != 2 && columns != 3 {
				return nil, r.error("expected id, tab, weight, or id, tab, class, tab, weight")
			}
			if isHeader(fields) {
				continue
			}
		}
		e, err := r.entry(fields, columns)
		if err != nil {
			return nil, err
		}
		if columns == 3 {
			class := string(fields[1])
			k, ok := at[class]
			if !ok {
				k = len(classes)
				at[class] = k
				classes = append(classes, class)
			}
			e.class = k
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return nil, r.error("no weights")
	}
	m := &linear.Model{}
	if twice := fill(m, entries, max(len(classes), 1)); twice != nil {
		r.lines.Number = twice.line
		return nil, r.error(fmt.Sprintf("feature %d has two weights", twice.id))
	}
	m.Features = m.ID[len(m.ID)-1]
	order(m, classes)
	if len(classes) == 2 {
		if err := m.Check(); err != nil { // a difference may be too large for a float64
			return nil, r.error(err.Error())
		}
	}
	return m, nil
}

func (r *reader) entry(fields [][]byte, columns int) (e entry, err error) {
	if len(fields) != columns {
		return e, r.error(fmt.Sprintf("%s: expected %d, as in the first line", index.Plural(len(fields), "column"), columns))
	}
	var ok bool
	if e.id, ok = feature(fields[0]); !ok {
		return e, r.error(fmt.Sprintf("the id %s is no feature's: expected a number, 0 for the bias", format.Quote(fields[0])))
	}
	text := fields[columns-1]
	if e.weight, ok = format.Decimal(text); !ok {
		return e, r.error(fmt.Sprintf("the weight %s is no number", format.Quote(text)))
	}
	if columns == 3 && len(fields[1]) == 0 {
		return e, r.error("no class: expected one between the tabs")
	}
	e.line = r.lines.Number
	return e, nil
}

// order sorts the labels by bytes, and the weights with them. It replaces two scores by their difference.
func order(m *linear.Model, classes []string) {
	switch len(classes) {
	case 0:
		return
	case 1:
		m.Labels = []string{classes[0], ""}
		return
	}
	n := len(classes)
	m.Labels = slices.Sorted(slices.Values(classes))
	from := make([]int, n)
	for k, l := range m.Labels {
		from[k] = slices.Index(classes, l)
	}
	var weight []float64
	for i := range m.ID {
		row := m.Weight[i*n : (i+1)*n]
		if n == 2 {
			weight = append(weight, row[from[0]]-row[from[1]])
			continue
		}
		for _, k := range from {
			weight = append(weight, row[k])
		}
	}
	m.Weight = weight
}
