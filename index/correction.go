package index

import "encoding/binary"

// Correct sets dst to the gold tree: the nodes or tokens of t, with the corrections of t. It interns new
// strings into s. It does not change Node.Prod.
func (t *Tree) Correct(dst *Tree, s *Symbols) {
	dst.Reset()
	dst.Kind, dst.OneAlphabet = t.Kind, t.OneAlphabet
	dst.Nodes, dst.Tokens = append(dst.Nodes, t.Nodes...), append(dst.Tokens, t.Tokens...)
	for _, c := range t.Corrections {
		text := []byte(c.Text)
		switch c.Field {
		case LabelField:
			dst.Nodes[c.At].Sym = s.Intern(Labels, text)
		case UPOSField:
			dst.Tokens[c.At].UPOS = s.Intern(Words, text)
		case XPOSField:
			dst.Tokens[c.At].XPOS = s.Intern(Words, text)
		case RelField:
			dst.Tokens[c.At].Rel = s.Intern(Words, text)
		}
	}
}

// fieldBits is how many bits of a correction's first uvarint hold the Field.
const fieldBits = 2

// AppendCorrections appends the bytes of corrections, which must ascend by At and Field. Each correction is:
//   - a uvarint: (At - previous At) << fieldBits | Field
//   - the length of its text, and the text
func AppendCorrections(dst []byte, all []Correction) []byte {
	at := int32(0)
	for _, c := range all {
		dst = binary.AppendUvarint(dst, uint64(c.At-at)<<fieldBits|uint64(c.Field))
		dst = appendText(dst, c.Text)
		at = c.At
	}
	return dst
}

// DecodeCorrections sets t.Corrections from the bytes of AppendCorrections. The nodes or tokens of t must be
// read before. A correction of a field that t does not have is an error.
func DecodeCorrections(b []byte, t *Tree) error {
	t.Corrections = t.Corrections[:0]
	d := treeDecoder{b: b}
	last := Correction{Field: fields}
	for len(d.b) > 0 {
		v := d.uvarint()
		step, c := v>>fieldBits, Correction{Field: Field(v & (1<<fieldBits - 1))}
		if step == 0 && last.Field != fields && c.Field <= last.Field {
			d.fail("corrections do not ascend")
			break
		}
		if step += uint64(last.At); !t.hasField(step, c.Field) {
			d.fail("correction of nothing")
			break
		}
		c.At, c.Text = int32(step), d.text()
		t.Corrections = append(t.Corrections, c)
		last = c
	}
	return d.err
}

// hasField says whether t has a node or token with this index that has the field `f`.
func (t *Tree) hasField(at uint64, f Field) bool {
	if t.Kind == Dependency {
		return at < uint64(len(t.Tokens)) && f != LabelField
	}
	return at < uint64(len(t.Nodes)) && f == LabelField && !t.Nodes[at].Word
}
