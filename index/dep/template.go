package dep

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fstore/index"
)

// kind says what a field looks at.
type kind uint8

const (
	ofHead     kind = iota // a column of the head, or of a token near it
	ofModifier             // a column of the modifier, or of a token near it
	direction              // on which side of its head the modifier stands
	distance               // the distance of head and modifier, in buckets
	between                // the UPOS of a token in between: each gives a feature
)

var kindNames = [...]string{"h", "m", "dir", "dist", "between"}

// maxOffset is the largest distance, in tokens, from the head or the modifier to the token that a field
// reads.
const maxOffset = 2

type field struct {
	kind   kind
	offset int8         // distance from the head or the modifier, in tokens
	col    index.Column // if it is Misc, the field is the value of one key
	key    string       // the key, if col is Misc
}

// column returns the name of the field's column, as it is written in templates.
func (f field) column() string {
	if f.col == index.Misc {
		return "misc[" + f.key + "]"
	}
	return f.col.String()
}

// relation is the field for the relation of the arc. Templates call it rel.
var relation = field{kind: ofModifier, col: index.Rel}

// isRelation says whether the field is a relation: of the head, the modifier, or a token near them.
func (f field) isRelation() bool { return f.kind <= ofModifier && f.col == index.Rel }

func (f field) String() string {
	if f == relation {
		return "rel"
	}
	s := kindNames[f.kind]
	if f.kind > ofModifier {
		return s
	}
	if f.offset != 0 {
		s += fmt.Sprintf("%+d", f.offset)
	}
	return s + "." + f.column()
}

// compare orders fields: first the relation, then the fields of the head, then the fields of the modifier,
// then direction, distance and between.
func (f field) compare(g field) int {
	if (f == relation) != (g == relation) {
		if f == relation {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(f.kind, g.kind), cmp.Compare(f.offset, g.offset), cmp.Compare(f.col, g.col), cmp.Compare(f.key, g.key))
}

// miscKey returns the KEY of a name misc[KEY]; ok is false for any other name.
func miscKey(name string) (key string, ok bool) {
	key, isMisc := strings.CutPrefix(name, "misc[")
	key, closed := strings.CutSuffix(key, "]")
	return key, isMisc && closed && key != "" && !strings.ContainsAny(key, "[]+=, \t|")
}

func parseField(text string) (f field, err error) {
	bad := fmt.Errorf("%q is no field: there are rel, dir, dist, between, and h or m with one of form lemma upos xpos feats rel deps misc[KEY], as in h.upos; m-1.form is of the token before the modifier", text)
	if text == "rel" {
		return relation, nil
	}
	if k := slices.Index(kindNames[:], text); k >= int(direction) {
		return field{kind: kind(k)}, nil
	}
	place, name, ok := strings.Cut(text, ".")
	col := slices.Index(index.ColumnNames[:index.Misc], name)
	if key, isMisc := miscKey(name); isMisc {
		col, f.key = int(index.Misc), key
	}
	if !ok || col < 0 || len(place) != 1 && len(place) != 3 {
		return f, bad
	}
	f.col = index.Column(col)
	switch place[0] {
	case 'h':
		f.kind = ofHead
	case 'm':
		f.kind = ofModifier
	default:
		return f, bad
	}
	if len(place) == 3 {
		f.offset = int8(place[2]) - '0'
		if place[1] == '-' {
			f.offset = -f.offset
		} else if place[1] != '+' {
			return f, bad
		}
		if f.offset == 0 || f.offset < -maxOffset || f.offset > maxOffset {
			return f, bad
		}
	}
	return f, nil
}

// template makes a basic feature from the values of fields of an arc. With the field `between`, it makes a
// feature for each different tag between head and modifier.
type template struct {
	fields  []field // ascending, each once
	names   []string
	text    string // the template's canonical text
	between int    // the index of the field between, -1 if there is none
	number  uint32 // the template's number in the space
}

// cutField splits the first field off a list of fields that are joined by +. A + directly after h or m is
// the sign of an offset.
func cutField(text string) (first, rest string, more bool) {
	from := 0
	if len(text) > 1 && (text[0] == 'h' || text[0] == 'm') && text[1] == '+' {
		from = 2
	}
	i := strings.IndexByte(text[from:], '+')
	if i < 0 {
		return text, "", false
	}
	return text[:from+i], text[from+i+1:], true
}

func parseTemplate(text string) (t template, err error) {
	for rest, more := text, true; more; {
		var one string
		one, rest, more = cutField(rest)
		f, err := parseField(one)
		if err != nil {
			return t, fmt.Errorf("template %s: %w", text, err)
		}
		if slices.Contains(t.fields, f) {
			return t, fmt.Errorf("template %s: field %s twice", text, f)
		}
		t.fields = append(t.fields, f)
	}
	slices.SortFunc(t.fields, field.compare)
	t.between = -1
	for i, f := range t.fields {
		t.names = append(t.names, f.String())
		if f.kind == between {
			t.between = i
		}
	}
	t.text = strings.Join(t.names, "+")
	return t, nil
}

// templateSets are the named sets of templates: Table 1 of Qian & Liu 2015, with and without direction and
// length. Words are forms, and tags are UPOS.
var templateSets = map[string][]string{
	"qian-liu":      qianLiu(),
	"qian-liu-bare": append(slices.Clone(pairTemplates), betweenTemplate),
}

// qianLiu returns three templates for each of pairTemplates: alone, with direction, and with direction and
// length. The last result is betweenTemplate.
func qianLiu() (all []string) {
	for _, t := range pairTemplates {
		all = append(all, t, t+"+dir", t+"+dir+dist")
	}
	return append(all, betweenTemplate)
}

func setNames() []string { return slices.Sorted(maps.Keys(templateSets)) }

// pairTemplates has Table 1 of Qian & Liu (2015) without the last row, betweenTemplate.
var pairTemplates = []string{
	"h.form+m.form", "h.upos+m.upos", "h.form+m.upos", "h.upos+m.form",
	"h-1.upos+m.upos", "h-1.upos+m.form", "h.upos+m-1.upos", "h.form+m-1.upos",
	"h+1.upos+m.upos", "h+1.upos+m.form", "h.upos+m+1.upos", "h.form+m+1.upos",
	"h-1.upos+h.upos+m.upos", "h.upos+h+1.upos+m.upos",
	"h.upos+m-1.upos+m.upos", "h.upos+m.upos+m+1.upos",
}

const betweenTemplate = "h.upos+between+m.upos"

// parseTemplates returns the canonical templates of a list, in byte order, each once.
func parseTemplates(texts []string) (all []template, err error) {
	for _, text := range texts {
		t, err := parseTemplate(text)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b template) int { return strings.Compare(a.text, b.text) })
	all = slices.CompactFunc(all, func(a, b template) bool { return a.text == b.text })
	for i := range all {
		all[i].number = uint32(i)
	}
	return all, nil
}

// bucketNames are the buckets of distance, in tokens.
var bucketNames = [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11-15", "16-"}

// bucketOf returns the bucket of distance d, which is at least 1.
func bucketOf(d int) uint32 {
	switch {
	case d <= 10:
		return uint32(d - 1)
	case d <= 15:
		return 10
	}
	return 11
}

var directionNames = [...]string{"left", "right"}
