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

// maxSlip is the most letters of a name for which Nearest computes distances (in quadratic time).
const maxSlip = 1000

// Nearest returns at most three names that the user probably meant, nearest first. They differ from the name
// in case only, or in at most a third of its letters, rounded up.
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
		if len(b) > len(a)+most { // then the distance is too large as well
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

// DidYouMean returns the end of an error message about an unknown name, such as ": did you mean A or B?". It
// returns "" if no name is near enough.
func DidYouMean(name string, names []string) string {
	near := Nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(near, " or ") + "?"
}

// editDistance is Levenshtein's distance.
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

// OtherForm returns the element of names that is the same text in another normal form of Unicode, or "". For
// example, é can be one code point or two.
func OtherForm(name string, names []string) string {
	composed := norm.NFC.String(name)
	for _, n := range names {
		if n != name && norm.NFC.String(n) == composed {
			return n
		}
	}
	return ""
}

// MayBeOther returns the end of a message about a text that was not found. It says that the trees may have
// another Unicode form of the text, if there is one.
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

// FormHint returns the end of an error message about an unknown name. It shows the element of names that is
// the same text in another Unicode form, if there is one.
func FormHint(name string, names []string) string {
	other := OtherForm(name, names)
	if other == "" {
		return ""
	}
	return fmt.Sprintf(": it is there as %+q, and not as %+q (NFC and NFD)", other, name)
}
