package learn

import (
	"context"

	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/linearize"
)

var vocabularyColumns = []table.Column{
	{Name: "id", Kind: table.Uint},
	{Name: "fragment"},
	{Name: "order", Kind: table.Uint},
	{Name: "support", Kind: table.Uint},
	{Name: "weight", Kind: table.Float},
}

// tableFormat is the format of a table that the name of a file says.
func tableFormat(file string) (string, error) {
	return output.Pick(table.OutputFormats(), "", file, table.Fallback(false), false)
}

// writeVocabulary lists the features, in order of their ids, as the name of the file says.
func writeVocabulary(ctx context.Context, l *linearize.Linearizer, file string, out output.Sink) error {
	format, err := tableFormat(file)
	if err != nil {
		return err
	}
	w := table.New(format, out, vocabularyColumns, table.Options{})
	defer table.Discard(w)
	row := table.NewRow(len(vocabularyColumns))
	var text []byte
	err = l.EachFeature(ctx, func(x *linearize.Feature) error {
		text = l.AppendText(text[:0], x)
		row.Clear()
		row.SetUint(0, uint64(x.ID))
		row.SetText(1, text)
		row.SetUint(2, uint64(x.Order))
		if x.Counted {
			row.SetUint(3, x.Support)
		}
		row.SetFloat(4, x.Value)
		return w.Write(row)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// writeNames lists the fragments, a line each, in order of their ids.
func writeNames(ctx context.Context, l *linearize.Linearizer, out output.Sink) error {
	var line []byte
	return l.EachFeature(ctx, func(x *linearize.Feature) error {
		line = append(l.AppendText(line[:0], x), '\n')
		_, err := out.Write(line)
		return err
	})
}
