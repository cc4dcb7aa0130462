package index

import (
	"fmt"

	"golang.org/x/text/unicode/norm"
)

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

// FormHint is what an error says of a name that is not among names, but is there in another form
// of Unicode: both look alike. It is "" where that is not so.
func FormHint(name string, names []string) string {
	other := OtherForm(name, names)
	if other == "" {
		return ""
	}
	return fmt.Sprintf(": it is there as %+q, and not as %+q (NFC and NFD)", other, name)
}
