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

// hitWriter prints hits in the order in which they are found, or sorted.
type hitWriter struct {
	out     *command.Table
	columns []table.Column
	row     *table.Row
	limit   int // how many sorted hits to print; 0: all
	printed uint64
	sorted  []sortedHit
}

type sortedHit struct {
	concordance.Hit
	key string
}

// mostSorted is the largest number of hits that --sort takes, because it keeps all of them in memory.
const mostSorted = 1 << 20

// taker returns a function that prints a hit or, for sorted output, keeps the hit for writeSorted.
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

// sortKey returns the words by which a hit is sorted, in lower case.
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

// writeSorted sorts and prints the hits that were kept.
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

// noteSides prints that < and > mean left and right in the named patterns, unlike in fragments of the space.
func noteSides(env *command.Env, x *count.Trees, names []string) {
	if len(names) > 0 {
		env.Note("< and > are left and right of the head in %s; <> is either side, as > is in the fragments of %s", strings.Join(names, ", "), x.EitherSide())
	}
}
