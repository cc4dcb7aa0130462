package print

import (
	"path"

	"fstore/decode/format"
	"fstore/decode/format/nbest"
	"fstore/decode/read"
	"fstore/index"
)

// AppendStored appends a sample of a store in the first format that can write all of it, or else in
// StoredFormat. With StoredFormat, it also returns the numbers of the labels. `labels` has all labels of the
// store.
func AppendStored(dst []byte, t *index.Tree, s *index.Symbols, labels []string) (text []byte, numbers *read.LabelNumbers, err error) {
	if t.Label == "" && t.OneAlphabet {
		if none := read.NumberLabels(labels...).None; none != "0" { // 0 is the label of other samples
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
	p := &Printer{Format: read.StoredFormat(t.Kind, t.OneAlphabet), Numbers: read.NumberLabels(labels...)}
	text, err = p.Append(dst, t, s)
	return text, p.Numbers, err
}

// AppendChosen appends a candidate of a K-best list in the format in which it was read. A tree in brackets is
// written as a list only if the file's name ends in .nbest.
func AppendChosen(dst []byte, file string, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if path.Ext(file) == ".nbest" && t.Kind == index.Constituency {
		return nbest.Append(dst, t, s)
	}
	return read.StoredFormat(t.Kind, t.OneAlphabet).Append(dst, t, s)
}
