package print

import (
	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/index"
)

// AppendStored appends a sample of a store in the format that it would be read from
// again: StoredFormat, or one that has a place for all of the sample where that has none
// for its labels. Where there is none, the labels are numbered, as those of the store are,
// which labels lists; numbers is nil otherwise.
func AppendStored(dst []byte, t *index.Tree, s *index.Symbols, labels []string) (text []byte, numbers *read.LabelNumbers, err error) {
	if t.Label == "" && t.OneAlphabet {
		if none := read.NumberLabels(labels).None; none != "0" { // 0 is the label of other samples
			t.Label = none
			defer func() { t.Label = "" }()
		}
	}
	for _, f := range read.Formats() {
		if f.Kind != t.Kind || f.OneAlphabet != t.OneAlphabet || f.Append == nil || !hasLabel(f, t) {
			continue
		}
		if f.Losses != nil && f.Losses(t, s) != (format.Losses{}) {
			continue
		}
		if text, err := f.Append(dst, t, s); err == nil {
			return text, nil, nil
		}
	}
	p := &Printer{Format: read.StoredFormat(t.Kind, t.OneAlphabet), Numbers: read.NumberLabels(labels)}
	text, err = p.Append(dst, t, s)
	return text, p.Numbers, err
}

// hasLabel says whether f can write the label of t.
func hasLabel(f *read.Format, t *index.Tree) bool {
	return f.NumericLabel == nil || t.Label == "" || f.NumericLabel(t.Label)
}
