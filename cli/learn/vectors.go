package learn

import (
	"context"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/linearize"
	"fstore/decode/vector"
	"fstore/index"
)

// openVectors opens the output in the vector format that the flags choose. If text is true, the format must
// name features by their fragments.
func openVectors(e *command.Env, f command.OutputFlags, text bool) (vector.Format, output.Sink, error) {
	var formats []output.Format
	fallback := ""
	for _, v := range vector.Formats() {
		formats = append(formats, output.Format{Name: v.Name, Extensions: v.Extensions, Binary: v.Binary})
		if fallback == "" && (v.Texts || !text) {
			fallback = v.Name
		}
	}
	if err := output.Known(formats, f.Format, f.Out); err != nil {
		return vector.Format{}, nil, err
	}
	name, out, err := e.Open(f, formats, fallback)
	if err != nil {
		return vector.Format{}, nil, err
	}
	format, err := vector.Lookup(name)
	if err == nil && format.Stream != "" && output.Streams(out) && !e.Redirected(f) {
		format, err = vector.Lookup(format.Stream)
	}
	if err == nil && text && !format.Texts {
		err = index.Usagef("--text: %s names features by their ids; %s does by their fragments", name, fallback)
	}
	if err != nil {
		out.Abort()
	}
	return format, out, err
}

// flushing is a vector writer whose Flush also flushes the output, for programs that read along. It does not
// flush a file, whose bytes must not depend on pauses of the input.
type flushing struct {
	vector.Writer
	out output.Sink
}

func (f flushing) Flush() error {
	if !output.Streams(f.out) {
		return nil
	}
	if err := f.Writer.Flush(); err != nil {
		return err
	}
	return f.out.Flush()
}

var vocabularyColumns = []table.Column{
	{Name: "id", Kind: table.Uint},
	{Name: "fragment"},
	{Name: "order", Kind: table.Uint},
	{Name: "support", Kind: table.Uint},
	{Name: "weight", Kind: table.Float},
}

// tableFormat returns the table format for the extension of a file name.
func tableFormat(file string) (string, error) {
	return output.Pick(table.OutputFormats(), "", file, table.Fallback(false), false)
}

// writeVocabulary writes a table with a row for each feature, in the order of feature ids.
func writeVocabulary(ctx context.Context, l *linearize.Linearizer, format string, out output.Sink) error {
	w := table.New(format, out, vocabularyColumns, table.Options{})
	defer table.Discard(w)
	row := table.NewRow(len(vocabularyColumns))
	var text []byte
	err := l.EachFeature(ctx, func(x *linearize.Feature) error {
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

// writeNames writes the fragment of each feature on a line, in the order of feature ids.
func writeNames(ctx context.Context, l *linearize.Linearizer, out output.Sink) error {
	var line []byte
	return l.EachFeature(ctx, func(x *linearize.Feature) error {
		line = append(l.AppendText(line[:0], x), '\n')
		_, err := out.Write(line)
		return err
	})
}
