package tag

import "fstore/index/internal/option"

// Options describes what New reads.
var Options = []option.Doc{
	{Name: "tag", Values: []string{option.UPOS.String(), option.XPOS.String()}, Default: option.UPOS.String(), Help: "the tags of dependency trees"},
	{Name: "word", Values: []string{option.Form.String(), option.Lemma.String()}, Default: option.Form.String(), Help: "their words"},
}

// Headless implements index.Headless.
func (Space) Headless() {}

// Columns implements index.ColumnReading.
func (s Space) Columns() []string {
	tag, word := option.UPOS, option.Form
	if s.xpos {
		tag = option.XPOS
	}
	if s.lemma {
		word = option.Lemma
	}
	return []string{tag.String(), word.String()}
}
