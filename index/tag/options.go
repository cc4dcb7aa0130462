package tag

import (
	"fstore/index"
	"fstore/index/internal/option"
)

// Options describes what New reads.
var Options = []option.Doc{
	{Name: "tag", Values: []string{index.UPOS.String(), index.XPOS.String()}, Default: index.UPOS.String(), Help: "the tags of dependency trees"},
	{Name: "word", Values: []string{index.Form.String(), index.Lemma.String()}, Default: index.Form.String(), Help: "their words"},
}

// Headless implements index.Headless.
func (Space) Headless() {}

// Columns implements index.ColumnReading.
func (s Space) Columns() []string {
	tag, word := index.UPOS, index.Form
	if s.xpos {
		tag = index.XPOS
	}
	if s.lemma {
		word = index.Lemma
	}
	return []string{tag.String(), word.String()}
}
