package query

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fstore/index"
	"fstore/index/glob"
	"fstore/store"
	"fstore/store/posting"
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

// Pattern reads a text as a pattern, see index.Patterned. It returns nil if the text is a fragment, or if the
// space has no patterns. Its errors are those of Parse.
func (t *Table) Pattern(text string) (*glob.Pattern, error) {
	space, ok := t.Space.(index.Patterned)
	if !ok || !IsWild(text) {
		return nil, nil
	}
	p, err := space.ParsePattern(text, t.syms)
	switch {
	case errors.Is(err, index.ErrAbsent):
		return nil, t.Absent(text)
	case err != nil:
		return nil, &TextError{text, err}
	case !p.Wild:
		return nil, nil
	}
	return p, nil
}

// LabelSamples returns, for each label in t.Labels, how many samples have it.
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

// Page has all data that the command `query` shows of one fragment.
type Page struct {
	Row *Row
	// Closure is set if the requested fragment is not closed. Row is then the closure of that fragment.
	Closure bool
	// Parts and Expansions are sorted by support, highest first, then by text. If Page got a limit,
	// Expansions can have fewer rows than AllExpansions.
	Parts, Expansions []*Row
	AllExpansions     int
}

// Page returns the page of a fragment with at most maxExpansions expansions; 0 means all. It returns an
// *AbsentError if neither the fragment nor its closure is stored.
func (t *Table) Page(ctx context.Context, c index.Code, maxExpansions int) (*Page, error) {
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
	if maxExpansions > 0 && len(p.Expansions) > maxExpansions {
		p.Expansions = p.Expansions[:maxExpansions]
	}
	return p, nil
}

// Parts returns the stored parts of c. Their order is one less than the order of c.
func (t *Table) Parts(c index.Code) (rows []*Row, err error) {
	for _, p := range t.Space.Parts(nil, c, t.syms) {
		r, err := t.Get(p)
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// Expansions returns the stored fragments that have c as a part and begin with the same step as c. It reads
// all stored fragments with that first step.
func (t *Table) Expansions(ctx context.Context, c index.Code) (rows []*Row, err error) {
	order, most := c.Len(), uint32(math.MaxUint32)
	if v, err := t.s.Get(t.Info.Number, c); err == nil { // an expansion is in no more samples than c
		if most, _, err = posting.Header(v); err != nil {
			return nil, t.damaged(err)
		}
	}
	lo, hi := firstStepRange(c)
	var parts []index.Code
	err = t.scan(ctx, lo, hi, nil, func(r *Row) error {
		if r.Order <= order || r.Support > most {
			return nil
		}
		parts = t.Space.Parts(parts[:0], r.Code, t.syms)
		for _, p := range parts {
			if bytes.Equal(p, c) {
				err := t.CountLabels(r)
				rows = append(rows, r.clone())
				return err
			}
		}
		return nil
	})
	return rows, err
}

func (r *Row) clone() *Row {
	c := *r
	c.Code, c.ByLabel, c.posting = bytes.Clone(r.Code), append([]uint32(nil), r.ByLabel...), nil
	return &c
}

// firstStepRange returns the range of codes that begin with the first step of c.
func firstStepRange(c index.Code) (lo, hi index.Code) {
	_, rest, _ := c.Next()
	lo = c[:len(c)-len(rest)]
	return lo, lo.PrefixEnd()
}

// Closure returns the stored fragment that occurs at the same nodes as c, in a store of closed fragments. It
// returns store.ErrNotFound if there is no such fragment.
func (t *Table) Closure(ctx context.Context, c index.Code) (*Row, error) {
	covering, ok := t.Space.(index.Covering)
	if !ok || !t.Info.Closed {
		return nil, store.ErrNotFound
	}
	var best *Row
	lo, hi := firstStepRange(c)
	err := t.scan(ctx, lo, hi, nil, func(r *Row) (err error) {
		if (best == nil || r.Occurrences > best.Occurrences) && covering.Covers(r.Code, c, t.syms) {
			err = t.CountLabels(r)
			best = r.clone()
		}
		return err
	})
	if err == nil && best == nil {
		err = store.ErrNotFound
	}
	return best, err
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

// SampleID returns the first sample with this name, and how many other samples have the name. Without such a
// sample, the error is a *SampleError.
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
