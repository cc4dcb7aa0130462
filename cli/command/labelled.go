package command

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/cli/output"
	"fstore/decode/read"
	"fstore/index"
	"fstore/store"
)

// Printed says with an error that only the whole input shows, such as labels that no sample has,
// that n of what are on standard output already.
func Printed(err error, n uint64, what, out string) error {
	if n == 0 || !output.IsStdout(out) || !is[*read.OptionError](err) {
		return err
	}
	return fmt.Errorf("%w; printed before that was known: %s", err, index.Plural(n, what))
}

// mostLabels is how many labels a closing line lists, countedLabels how many there may be for
// their samples to be counted: each takes memory.
const (
	mostLabels    = 12
	countedLabels = 10_000
)

// Labelled says which labels the samples of a store have, and what else there is to say
// about labels. It says nothing where there is no label.
func (e *Env) Labelled(dir string, notes []string) error {
	if e.Quiet {
		return nil
	}
	var parts []string
	err := e.WithStore(dir, 0, func(s *store.Store) error {
		names, err := s.Labels()
		switch {
		case err != nil || len(names) == 0:
			return err
		case len(names) > countedLabels:
			parts = append(parts, index.Plural(len(names), "label"))
			return nil
		}
		labels, err := s.LabelBitmaps()
		if err == nil {
			parts = append(parts, "labels "+labelList(labels, s.Meta().Samples))
		}
		return err
	})
	if err != nil {
		return err
	}
	if parts = append(parts, notes...); len(parts) > 0 {
		e.Note("%s", strings.Join(parts, "; "))
	}
	return nil
}

// labelList lists labels with the number of their samples, in byte order; of many the
// largest. It ends with the samples that have none.
func labelList(labels map[string]*roaring.Bitmap, samples uint32) string {
	names := slices.Sorted(maps.Keys(labels))
	if len(names) > mostLabels {
		slices.SortStableFunc(names, func(a, b string) int {
			return cmp.Compare(labels[b].GetCardinality(), labels[a].GetCardinality())
		})
	}
	var parts []string
	for _, name := range names[:min(len(names), mostLabels)] {
		parts = append(parts, name+" "+index.Thousands(labels[name].GetCardinality()))
	}
	text := strings.Join(parts, ", ")
	if n := len(names) - mostLabels; n > 0 {
		text += fmt.Sprintf(" and %s more", index.Thousands(n))
	}
	if none := uint64(samples) - roaring.FastOr(slices.Collect(maps.Values(labels))...).GetCardinality(); none > 0 {
		text += "; " + index.Plural(none, "sample") + " without"
	}
	return text
}
