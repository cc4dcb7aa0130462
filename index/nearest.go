package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// maxNearest is how many names a message suggests.
const maxNearest = 3

// maxSlip is how many letters a name has at most that may be a slip. A distance takes the product of
// two lengths.
const maxSlip = 1000

// Nearest returns the names that a slip may have meant: those that differ from name in case,
// or in a third of its letters at most. The nearest comes first; there are three at most.
func Nearest(name string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var all []candidate
	a := []rune(strings.ToLower(name))
	if len(a) > maxSlip {
		return nil
	}
	most := (len(a) + 2) / 3
	for _, n := range names {
		b := []rune(strings.ToLower(n))
		if len(b) > len(a)+most { // so is the distance
			continue
		}
		if d := editDistance(a, b); d <= most && d < len(b) {
			all = append(all, candidate{n, d})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var few []string
	for _, c := range all[:min(len(all), maxNearest)] {
		few = append(few, c.name)
	}
	return few
}

// DidYouMean is what an error says of a name that is not among names, but Nearest to some: ": did
// you mean A or B?". It is "" where there is none.
func DidYouMean(name string, names []string) string {
	near := Nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(near, " or ") + "?"
}

// editDistance is Levenshtein's.
func editDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0]++
		for j := range b {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// OtherForm returns the name that is the same text as name in another normal form of Unicode
// (é as one code point, or as e with an accent), "" where there is none.
func OtherForm(name string, names []string) string {
	composed := norm.NFC.String(name)
	for _, n := range names {
		if n != name && norm.NFC.String(n) == composed {
			return n
		}
	}
	return ""
}

// MayBeOther is what is said of a text that fits nothing and has characters of which Unicode has two
// forms: what it is sought in may have the other one. It is "" for other text.
func MayBeOther(text string) string {
	composed, decomposed := norm.NFC.String(text), norm.NFD.String(text)
	switch {
	case composed == decomposed:
		return ""
	case text == composed:
		return "; its text is NFC, and that of the trees may be NFD"
	case text == decomposed:
		return "; its text is NFD, and that of the trees may be NFC"
	}
	return "; its text mixes NFC and NFD"
}

// FormHint is what an error says of a name that is not among names, but is there in another form
// of Unicode: both look alike. It is "" where that is not so.
func FormHint(name string, names []string) string {
	other := OtherForm(name, names)
	if other == "" {
		return ""
	}
	return fmt.Sprintf(": it is there as %+q, and not as %+q (NFC and NFD)", other, name)
}
