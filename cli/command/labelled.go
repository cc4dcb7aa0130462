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

// Printed adds to err how much is already on standard output, such as "3 rows". Errors that are not about the
// whole input stay unchanged.
func Printed(err error, n uint64, unit, out string) error {
	if n == 0 || !output.IsStdout(out) || !wraps[*read.OptionError](err) {
		return err
	}
	return fmt.Errorf("%w; printed before that was known: %s", err, index.Plural(n, unit))
}

// mostLabels is how many labels Labelled lists at most. Beyond countedLabels labels, Labelled prints only
// their number, to save memory.
const (
	mostLabels    = 12
	countedLabels = 10_000
)

// Labelled prints a line with the labels of a store, their numbers of samples, and the given notes.
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

// labelList returns the labels in byte order, each with its number of samples. If there are more than
// mostLabels, it lists the most frequent ones.
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
