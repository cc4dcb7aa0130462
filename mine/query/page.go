package query

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fstore/index"
	"fstore/store"
)

// TextError is the usage error that a text is not a fragment of the space.
type TextError struct {
	Text string
	Err  error
}

func (e *TextError) Error() string        { return fmt.Sprintf("fragment %q: %v", e.Text, e.Err) }
func (e *TextError) Unwrap() error        { return e.Err }
func (e *TextError) Is(target error) bool { return target == index.ErrUsage }

// Parse reads the text of a fragment. It returns a *TextError if text is no fragment, and an *AbsentError if
// no sample can contain it.
func (t *Table) Parse(text string) (index.Code, error) {
	c, err := t.Space.ParseText(text, t.syms)
	if errors.Is(err, index.ErrAbsent) {
		return nil, t.Absent(text)
	}
	if err != nil {
		return nil, &TextError{text, err}
	}
	return c, nil
}

// LabelSamples returns the number of samples with each of Labels.
func (t *Table) LabelSamples(ctx context.Context) ([]uint32, error) {
	all := make([]uint32, len(t.Labels))
	for i, label := range t.Labels {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		bm, err := t.s.LabelBitmap(label)
		if err != nil {
			return nil, err
		}
		all[i] = uint32(bm.GetCardinality())
	}
	return all, nil
}

// Page has all data that the command query shows of one fragment.
type Page struct {
	Row *Row
	// Closure is set if the requested fragment is not closed. Row is then the closure of that fragment.
	Closure bool
	// Parts and Expansions are sorted by support, highest first, then by text. Expansions has only the first
	// of all expansions, and AllExpansions is the number of all.
	Parts, Expansions []*Row
	AllExpansions     int
}

// Page returns the page of a fragment with at most top expansions. If top is 0, it has all expansions. It
// returns an *AbsentError if neither the fragment nor its closure is stored. Only a closed space has
// closures.
func (t *Table) Page(ctx context.Context, c index.Code, top int) (*Page, error) {
	p := &Page{}
	var err error
	p.Row, err = t.Get(c)
	if errors.Is(err, store.ErrNotFound) {
		p.Closure = true
		p.Row, err = t.Closure(ctx, c)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, t.absentCode(c)
	}
	if err != nil {
		return nil, err
	}
	if p.Parts, err = t.Parts(p.Row.Code); err != nil {
		return nil, err
	}
	if p.Expansions, err = t.Expansions(ctx, p.Row.Code); err != nil {
		return nil, err
	}
	p.AllExpansions = len(p.Expansions)
	t.sortRows(p.Parts)
	t.sortRows(p.Expansions)
	if top > 0 && len(p.Expansions) > top {
		p.Expansions = p.Expansions[:top]
	}
	return p, nil
}

// sortRows sorts rows by support, highest first, then by text.
func (t *Table) sortRows(rows []*Row) {
	text := make(map[*Row][]byte, len(rows))
	for _, r := range rows {
		text[r] = t.Text(nil, r.Code)
	}
	slices.SortFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(b.Support, a.Support), bytes.Compare(text[a], text[b]))
	})
}

// SampleError says that no sample has this name. It wraps store.ErrNotFound.
type SampleError struct {
	Name string
	Form string // a hint if the name exists in another form of Unicode (index.FormHint), else ""
}

func (e *SampleError) Error() string {
	return fmt.Sprintf("no sample has the name %q%s", e.Name, e.Form)
}

func (e *SampleError) Unwrap() error { return store.ErrNotFound }

// SampleID returns the first sample with this name, and how many other samples have the name. If no sample
// has the name, the error is store.ErrNotFound.
func SampleID(ctx context.Context, s *store.Store, name string) (id uint32, others int, err error) {
	found, form := 0, ""
	err = s.SampleHeads(0, s.Meta().Samples, func(n uint32, t *index.Tree) error {
		if n%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if t.Name == name {
			if found == 0 {
				id = n
			}
			found++
		} else if form == "" {
			form = index.FormHint(name, []string{t.Name})
		}
		return nil
	})
	if err == nil && found == 0 {
		err = &SampleError{name, form}
	}
	return id, found - 1, err
}
