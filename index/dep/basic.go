package dep

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

// ArcFeatures are the basic features of arcs, for spaces such as poly. Their symbols are the same as in dep.
type ArcFeatures struct{ s *Space }

// NewArcFeatures reads the options template=, templates= and root-arcs=. Without any template, it uses
// firstTemplate.
func NewArcFeatures(valuesOf func(name string) []string) (*ArcFeatures, error) {
	given := map[string][]string{}
	for _, name := range []string{"template", "templates", "root-arcs"} {
		given[name] = valuesOf(name)
	}
	if len(given["template"])+len(given["templates"]) == 0 {
		given["template"] = []string{firstTemplate}
	}
	s, err := New(func(name string) []string { return given[name] })
	if err != nil {
		return nil, err
	}
	if keys := s.MiscKeys(); len(keys) > 0 {
		return nil, fmt.Errorf("template: misc[%s] is a field of space dep only", keys[0])
	}
	return &ArcFeatures{s}, nil
}

// Columns returns the names of the columns from which features are made, see index.ColumnReading.
func (a *ArcFeatures) Columns() []string { return a.s.Columns() }

// Options returns the options that differ from the defaults, as they are written in the ID of a space.
func (a *ArcFeatures) Options() (all []string) {
	if a.s.rootArcs {
		all = append(all, "root-arcs=true")
	}
	if f := a.s.featureOptions(); len(f) > 1 || f[0] != "template="+firstTemplate {
		all = append(all, f...)
	}
	return all
}

// Relations says whether any feature contains the relation of a token.
func (a *ArcFeatures) Relations() bool { return a.s.Relations() }

// Prepare interns the features of the arcs of t.
func (a *ArcFeatures) Prepare(t *index.Tree, syms *index.Symbols) { a.s.Prepare(t, syms) }

// ArcKeys makes the keys of the features of trees, for one goroutine.
type ArcKeys struct{ keys keyer }

// Keys returns an ArcKeys. Its keys can be looked up in class index.Features of syms. If syms is nil, its
// keys can only be compared with each other.
func (a *ArcFeatures) Keys(syms *index.Symbols) *ArcKeys {
	k := &ArcKeys{}
	if syms != nil {
		k.keys.know(a.s, syms, false)
	} else {
		k.keys.numberTemplates(a.s)
	}
	return k
}

// Each calls f for each feature of each arc of t, with the arc's modifier as token. Tokens ascend. No arc has
// a key twice.
func (k *ArcKeys) Each(t *index.Tree, f func(token int, key []byte)) { k.keys.eachArc(t, f) }

// AppendText appends the text of a feature: `VERB >obj NOUN` if nodes have labels, else
// `h.form=won+m.form=game`.
func (a *ArcFeatures) AppendText(dst []byte, sym uint32, syms *index.Symbols) []byte {
	c := index.AppendStep(nil, index.Step{Sym: sym})
	if a.s.labels != nil {
		return a.s.AppendText(dst, c, syms)
	}
	if r := a.s.read(c, syms); r != nil {
		return r.arc(dst, 0)
	}
	return dst
}

// ParseText reads what AppendText writes. It returns index.ErrAbsent if syms do not know the feature.
func (a *ArcFeatures) ParseText(text string, syms *index.Symbols) (uint32, error) {
	if a.s.labels != nil {
		c, err := a.s.ParseText(text, syms)
		if err != nil {
			return 0, err
		}
		st, rest, _ := c.Next()
		if len(rest) > 0 {
			return 0, errors.New("one arc where there are several")
		}
		return st.Sym, nil
	}
	r := &reader{s: a.s, syms: syms}
	t, values, err := r.values(textArc{name: strings.Trim(text, " \t\r\n")}, nil)
	if err != nil {
		return 0, err
	}
	sym := r.find(t, values)
	if r.absent {
		return 0, index.ErrAbsent
	}
	return sym, nil
}

// AppendValues appends the index of a feature's template and then the feature's values. It also returns
// whether the symbol is a feature of the space.
func (a *ArcFeatures) AppendValues(dst []uint32, sym uint32, syms *index.Symbols) (_ []uint32, ok bool) {
	at := len(dst)
	t, dst := a.s.decode(sym, syms, append(dst, 0))
	if t != nil {
		dst[at] = t.number
	}
	return dst, t != nil
}

// ParsePattern reads the text of a feature, in which any value can be glob.Wildcard. `values` is as from
// AppendValues, with glob.Any for each wildcard. `wild` says whether there are wildcards.
func (a *ArcFeatures) ParsePattern(text string, syms *index.Symbols) (values []uint32, wild bool, err error) {
	r := &reader{s: a.s, syms: syms, text: text, pattern: true}
	arc := textArc{name: strings.Trim(text, " \t\r\n")}
	var head []uint32
	if a.s.labels != nil {
		n, err := r.fragment()
		if err != nil {
			return nil, false, err
		}
		if arc = n.kids[0]; len(n.kids) > 1 || arc.node == nil || len(arc.node.kids) > 0 {
			return nil, false, errors.New("one arc is expected here")
		}
		if head, err = r.label(n.name); err != nil {
			return nil, false, err
		}
	}
	t, values, err := r.values(arc, head)
	if err != nil {
		return nil, false, err
	}
	if !slices.Contains(values, glob.Any) {
		r.find(t, values)
	}
	if r.absent {
		err = index.ErrAbsent
	}
	return append([]uint32{t.number}, values...), r.wild, err
}

// Example returns the text of a feature, for a message or the help.
func (a *ArcFeatures) Example() string {
	if a.s.labels != nil && a.s.labels.rel >= 0 {
		return "A >obj B"
	}
	if a.s.labels != nil {
		return "A > B"
	}
	return a.s.templates[0].exampleFeature()
}
