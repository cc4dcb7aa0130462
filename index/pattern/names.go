package pattern

import (
	"bytes"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

// names are the alternatives at one place of a pattern, as in VBD|VBN.
type names struct {
	any  bool   // every name is allowed
	fold bool   // upper and lower case are the same
	list []name // else one of these names
}

// name is a whole name, or a prefix of names.
type name struct {
	text   string
	prefix bool
}

const (
	foldMark = "/i/" // before names: they may have any case
	star     = '*'
)

// names reads the names in text[from:to].
func (r *reader) names(from, to int) (*names, error) {
	start, text := from, r.text[from:to]
	switch {
	case r.o.Literal:
		one, err := r.name(from, to)
		return &names{list: []name{{text: one}}}, err
	case text == glob.Wildcard:
		return &names{any: true}, nil
	}
	n := &names{}
	if text == foldMark {
		return nil, r.errorf(to, "a name is missing after %s", foldMark)
	}
	if strings.HasPrefix(text, foldMark) {
		n.fold = true
		from += len(foldMark)
	}
	for more := true; more; from++ {
		if marked := strings.HasPrefix(text[from-start:], foldMark); marked && n.fold {
			from += len(foldMark)
		} else if marked {
			return nil, r.errorf(from, "%s stands before the first of several names, and holds for all", foldMark)
		}
		end := from + index.IndexUnescaped(r.text[from:to], "|")
		more = end < to
		if end == from {
			return nil, r.errorf(from, `a name is missing beside |: write NP|WHNP; the character itself is \x7C`)
		}
		a, err := r.alternative(from, end)
		if err != nil {
			return nil, err
		}
		n.any = n.any || r.text[from:end] == glob.Wildcard
		if n.fold {
			a.text = strings.ToLower(a.text)
		}
		n.list = append(n.list, a)
		from = end
	}
	if n.any {
		n.list = nil
	}
	return n, nil
}

// alternative reads one of the names that are joined by |.
func (r *reader) alternative(from, to int) (a name, err error) {
	if a.prefix = to > from+1 && r.text[to-1] == star && !escapes(r.text[from:to-1]); a.prefix {
		to--
	}
	a.text, err = r.name(from, to)
	return a, err
}

// escapes says whether a text ends in a backslash that escapes the character after it.
func escapes(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

func (r *reader) name(from, to int) (string, error) {
	b, err := index.AppendUnescaped(nil, []byte(r.text[from:to]))
	if err != nil {
		return "", r.errorf(from+max(0, strings.IndexByte(r.text[from:to], '\\')), "%v", err)
	}
	return string(b), nil
}

// has says whether a value is one of the names.
func (n *names) has(value []byte) bool {
	if n.any {
		return true
	}
	if n.fold {
		value = bytes.ToLower(value)
	}
	return slices.ContainsFunc(n.list, func(a name) bool {
		return a.prefix && bytes.HasPrefix(value, []byte(a.text)) || a.text == string(value)
	})
}

// hasItem says whether one of the items of a list is one of the names.
func (n *names) hasItem(list []byte) bool {
	for item := range bytes.SplitSeq(list, []byte("|")) {
		if n.has(item) {
			return true
		}
	}
	return false
}

// literals returns the names if all names are spelt out, else nil.
func (n *names) literals() (all []string) {
	if n.any || n.fold {
		return nil
	}
	for _, a := range n.list {
		if a.prefix {
			return nil
		}
		all = append(all, a.text)
	}
	return all
}

// symbolTest is a test whose names were looked up as symbols.
type symbolTest struct {
	test
	ids  []uint32 // the symbols of the names, if all names are spelt out
	memo []verdict
	syms *index.Symbols
}

// verdict says whether a symbol passes a test, or that it was not tested yet.
type verdict uint8

const (
	unknown verdict = iota
	fits
	unfit
)

func newSymbolTest(t test, syms *index.Symbols) *symbolTest {
	b := &symbolTest{test: t, syms: syms}
	if all := t.names.literals(); all != nil && !t.items {
		for _, text := range all {
			if id := syms.Lookup(t.field.Class(), []byte(text)); id != 0 {
				b.ids = append(b.ids, id)
			}
		}
		return b
	}
	b.memo = make([]verdict, syms.Len(t.field.Class())+1)
	return b
}

// has says whether a symbol passes the test.
func (b *symbolTest) has(id uint32) bool {
	if b.memo == nil {
		return slices.Contains(b.ids, id)
	}
	if int(id) < len(b.memo) && b.memo[id] != unknown {
		return b.memo[id] == fits
	}
	var value []byte
	if id != 0 {
		value = b.syms.Bytes(b.field.Class(), id)
	}
	ok := b.names.has
	if b.items {
		ok = b.names.hasItem
	}
	v := unfit
	if ok(value) {
		v = fits
	}
	if int(id) < len(b.memo) {
		b.memo[id] = v
	}
	return v == fits
}

// AppendName appends a name, or the value of a condition, as a pattern has it: special characters are
// escaped.
func AppendName(dst []byte, s []byte) []byte {
	from := len(dst)
	dst = index.AppendEscapedWith(dst, s, "<>[]|")
	text := string(dst[from:])
	hex := func(i int) {
		const digits = "0123456789ABCDEF"
		b := text[i]
		dst = append(append(dst[:from], text[:i]...), '\\', 'x', digits[b>>4], digits[b&15])
		dst = append(dst, text[i+1:]...)
	}
	switch last := len(text) - 1; {
	case text == glob.Wildcard, text == glob.Rest, text == string(star), strings.HasPrefix(text, foldMark), strings.IndexByte("=\"'`", text[0]) >= 0:
		hex(0)
	case text[last] == star:
		hex(last)
	}
	return dst
}
