package vector

import (
	"io"

	"fstore/decode/jsontext"
)

// jsonl writes one object on each line:
//
//	{"sample":"a.mrg#1","labels":[2],"features":[3,7],"values":[1,0.4]}
//
// The features are ids, or the texts of the fragments if Options.Text is set.
type jsonl struct {
	buffered
	decimals
	text   func(id uint32) ([]byte, error)
	name   []byte
	labels []float64
}

func newJSONL(w io.Writer, o Options) Writer {
	return &jsonl{buffered: buffered{w: w}, decimals: newDecimals(), text: o.Text}
}

func (j *jsonl) Write(v *Vector) (err error) {
	if j.labels, err = appendLabels(j.labels[:0], v.Label); err != nil {
		return err
	}
	j.name = append(j.name[:0], v.Sample...)
	b := append(j.buf, `{"sample":`...)
	b = jsontext.Append(b, j.name)
	b = append(b, `,"labels":[`...)
	b = j.numbers(b, j.labels)
	b = append(b, `],"features":[`...)
	for i, id := range v.ID {
		if i > 0 {
			b = append(b, ',')
		}
		if j.text == nil {
			b = appendID(b, id)
			continue
		}
		text, err := j.text(id)
		if err != nil {
			return err
		}
		b = jsontext.Append(b, text)
	}
	b = append(b, `],"values":[`...)
	b = j.numbers(b, v.Value)
	j.buf = append(b, "]}\n"...)
	return j.done()
}

func (j *jsonl) numbers(dst []byte, list []float64) []byte {
	for i, x := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = j.append(dst, x)
	}
	return dst
}
