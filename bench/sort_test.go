package bench

import (
	"bytes"
	"sort"
)

// byCode sorts fragments by code.
type byCode loaded

func (l *byCode) Len() int           { return len(l.codes) }
func (l *byCode) Less(i, j int) bool { return bytes.Compare(l.codes[i], l.codes[j]) < 0 }
func (l *byCode) Swap(i, j int) {
	l.codes[i], l.codes[j] = l.codes[j], l.codes[i]
	l.values[i], l.values[j] = l.values[j], l.values[i]
}

func sortByCode(l *loaded) { sort.Sort((*byCode)(l)) }
