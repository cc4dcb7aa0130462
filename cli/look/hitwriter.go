package look

import (
	"cmp"
	"slices"
	"strings"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/decode/concordance"
	"fstore/index"
	"fstore/mine/count"
)

// hitWriter prints hits, as they come or sorted.
type hitWriter struct {
	out     *command.Table
	columns []table.Column
	row     *table.Row
	limit   int // of sorted hits; 0: all
	printed uint64
	sorted  []sortedHit
}

// sortedHit is a hit with what it is sorted by.
type sortedHit struct {
	concordance.Hit
	key string
}

// mostSorted is how many hits are held to be sorted.
const mostSorted = 1 << 20

// taker returns what takes the hits.
func (w *hitWriter) taker(by string) func(*concordance.Hit) error {
	if by == "" {
		return w.write
	}
	return func(h *concordance.Hit) error {
		if len(w.sorted) == mostSorted {
			return index.Usagef("--sort: more than %s hits: draw some with --sample", index.Thousands(mostSorted))
		}
		w.sorted = append(w.sorted, sortedHit{*h, sortKey(h, by)})
		return nil
	}
}

// sortKey is what a hit is sorted by, whatever its case.
func sortKey(h *concordance.Hit, by string) string {
	words := strings.Fields(strings.ToLower(h.Right))
	switch by {
	case "before":
		words = strings.Fields(strings.ToLower(h.Left))
		slices.Reverse(words)
	case "match":
		words = strings.Fields(strings.ToLower(h.Match))
	}
	return strings.Join(words, " ")
}

// writeSorted prints the hits that are sorted.
func (w *hitWriter) writeSorted() error {
	slices.SortStableFunc(w.sorted, func(a, b sortedHit) int { return cmp.Compare(a.key, b.key) })
	if w.limit > 0 {
		w.sorted = w.sorted[:min(w.limit, len(w.sorted))]
	}
	for i := range w.sorted {
		if err := w.write(&w.sorted[i].Hit); err != nil {
			return err
		}
	}
	return nil
}

func (w *hitWriter) write(h *concordance.Hit) error {
	w.printed++
	w.row.Clear()
	for i, text := range [...]string{h.Label, h.Document, h.Name, h.Left, h.Match, h.Right, h.Text, h.Positions} {
		w.row.SetString(i, text)
	}
	for i, c := range w.columns[8:] {
		switch c.Name {
		case "fragment":
			w.row.SetText(8+i, h.Fragment)
		case "number":
			w.row.SetUint(8+i, uint64(h.ID)+1)
		}
	}
	return w.out.Write(w.row)
}

// noteSides says how < and > are read in the named patterns. They are left and right there, and the
// fragments of the space have > for either side.
func noteSides(env *command.Env, x *count.Trees, names []string) {
	if len(names) > 0 {
		env.Note("< and > are left and right of the head in %s; <> is either side, as > is in the fragments of %s", strings.Join(names, ", "), x.EitherSide())
	}
}
