package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
)

// labelSet collects the samples of each label while samples are written.
type labelSet struct {
	m     map[string]*roaring.Bitmap
	last  string // joined labels of the sample before, and their bitmaps
	lastB []*roaring.Bitmap
	dirty bool
}

func (l *labelSet) add(joined string, sample uint32) {
	if joined == "" {
		return
	}
	if joined != l.last {
		l.last = strings.Clone(joined)
		l.lastB = l.lastB[:0]
		index.SplitLabels(l.last, func(label string) {
			b := l.m[label]
			if b == nil {
				b = roaring.New()
				l.m[label] = b
			}
			l.lastB = append(l.lastB, b)
		})
	}
	for _, b := range l.lastB {
		b.Add(sample)
	}
	l.dirty = true
}

// writeLabels writes the bitmaps of all labels in a new generation, where they
// have changed.
func (w *Writer) writeLabels() error {
	if !w.labels.dirty {
		return nil
	}
	w.meta.LabelGeneration = w.meta.Generation
	w.meta.Labels = uint32(len(w.labels.m))
	prefix := w.store.labelPlace().prefix()
	t := w.change.Table()
	for _, label := range slices.Sorted(maps.Keys(w.labels.m)) {
		b := w.labels.m[label]
		b.RunOptimize()
		v, err := b.ToBytes()
		if err == nil {
			err = t.Put(append(prefix[:len(prefix):len(prefix)], label...), v)
		}
		if err != nil {
			return t.Close(fmt.Errorf("label %q: %w", label, err))
		}
	}
	w.labels.dirty = false
	return t.Close(nil)
}
