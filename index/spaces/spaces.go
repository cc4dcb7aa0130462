// Package spaces is the registry of fragment spaces: one line for each.
package spaces

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fstore/index"
	"fstore/index/dep"
	"fstore/index/emb"
	"fstore/index/internal/option"
	"fstore/index/poly"
	"fstore/index/ptk"
	"fstore/index/seq"
	"fstore/index/sstbow"
	"fstore/index/st"
	"fstore/index/stk"
	"fstore/index/tag"
)

var (
	constituency = []index.Kind{index.Constituency}
	dependency   = []index.Kind{index.Dependency}
	both         = []index.Kind{index.Constituency, index.Dependency}
)

// Option describes an option of a space.
type Option = option.Doc

// entry is a space of the registry. The function `make` builds the space from options, and removes the
// options that it uses.
type entry struct {
	name    string
	kinds   []index.Kind // the samples it reads
	help    string
	options []Option
	make    func(*options) index.Space
}

var registry = []entry{
	{"stk", constituency, "subset trees: connected parts of a tree with whole productions (Collins & Duffy 2002)", stk.Options, func(o *options) index.Space { return orFail(o)(stk.New(o.All)) }},
	{"st", constituency, "subtrees: a node with all below it", nil, func(*options) index.Space { return st.Space{} }},
	{"sstbow", constituency, "subset trees, and the words by themselves", nil, func(*options) index.Space { return sstbow.Space{} }},
	{"ptk", constituency, "partial trees: productions may lose children (Moschitti 2006)", ptk.Options, func(o *options) index.Space { return orFail(o)(ptk.New(o.All)) }},
	{"dep", dependency, "connected arcs of dependency trees (Qian & Liu 2015)", dep.Options, func(o *options) index.Space { return orFail(o)(dep.New(o.All)) }},
	{"seq", both, "subsequences of the words (Suzuki & Isozaki 2005)", seq.Options, func(o *options) index.Space { return orFail(o)(seq.New(o.All)) }},
	{"emb", both, "embedded trees: a child may be any descendant (Suzuki & Isozaki 2005)", emb.Options, func(o *options) index.Space { return orFail(o)(emb.New(o.All)) }},
	{"poly", both, "sets of features of arcs, or of the sample's vectors: the polynomial kernel", poly.Options, func(o *options) index.Space { return orFail(o)(poly.New(o.All)) }},
	{"tag", both, "runs of tags, each with or without its word (Collins & Duffy 2001)", tag.Options, func(o *options) index.Space { return orFail(o)(tag.New(o.All)) }},
}

// picky is implemented by spaces that read fewer kinds of samples with some options.
type picky interface{ Reads(index.Kind) bool }

// Request is one --space argument: a space, and the limits that are set for this space only.
type Request struct {
	Space      index.Space
	Arg        string       // as it was written
	Kinds      []index.Kind // the samples that the space reads
	MinSupport *uint32
	MaxOrder   *int
	Closed     *bool
}

// CheckKind returns an error of wrong usage if the space does not read samples of kind k.
func (r Request) CheckKind(k index.Kind) error {
	if slices.Contains(r.Kinds, k) {
		return nil
	}
	reads := make([]string, len(r.Kinds))
	for i, k := range r.Kinds {
		reads[i] = k.String()
	}
	return index.Usagef("space %s reads %s trees, and the input has %s trees", r.Space.ID(), strings.Join(reads, " and "), k)
}

// Names returns the registered names, in the order of help texts.
func Names() (names []string) {
	for _, r := range registry {
		names = append(names, r.name)
	}
	return names
}

// Help says what the fragments of the space with this name are.
func Help(name string) string { return find(name).help }

// find returns the registry entry with this name, or an empty one.
func find(name string) entry {
	if i := slices.IndexFunc(registry, func(r entry) bool { return r.name == name }); i >= 0 {
		return registry[i]
	}
	return entry{}
}

// NameOf returns the name of the space with this ID, without the options.
func NameOf(id string) string {
	name, _, _ := strings.Cut(id, ":")
	return name
}

// Default returns the name of the first space that reads samples of kind k, or "".
func Default(k index.Kind) string {
	for _, r := range registry {
		if slices.Contains(r.kinds, k) {
			return r.name
		}
	}
	return ""
}

// Parse reads `name` or `name:option=value,option=value…`. An option without a value is true. Every space
// takes min-support, max-order and closed.
func Parse(arg string) (Request, error) {
	name, rest, _ := strings.Cut(arg, ":")
	r := find(name)
	if r.make == nil {
		return Request{}, fmt.Errorf("no space %q: there are %s", name, strings.Join(Names(), ", "))
	}
	o := &options{values: map[string][]string{}}
	for kv := range strings.SplitSeq(rest, ",") {
		if kv == "" {
			continue
		}
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			v = "true"
		}
		k = strings.TrimSpace(k)
		o.values[k] = append(o.values[k], strings.TrimSpace(v))
	}
	req := Request{Space: r.make(o), Arg: arg, Kinds: r.kinds}
	if p, ok := req.Space.(picky); ok && o.err == nil {
		req.Kinds = slices.DeleteFunc(slices.Clone(r.kinds), func(k index.Kind) bool { return !p.Reads(k) })
	}
	if v, ok := take(o, "min-support", parseSupport); ok {
		req.MinSupport = &v
	}
	if v, ok := take(o, "max-order", func(s string) (int, error) { n, err := strconv.ParseUint(s, 10, 31); return int(n), err }); ok {
		req.MaxOrder = &v
	}
	if v, ok := take(o, "closed", strconv.ParseBool); ok {
		req.Closed = &v
	}
	for _, k := range slices.Sorted(maps.Keys(o.values)) {
		o.fail(fmt.Errorf("space %s has no option %s", name, k))
	}
	return req, o.err
}

// parseSupport reads a support: a number from 1 up.
func parseSupport(s string) (uint32, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err == nil && n == 0 {
		err = strconv.ErrRange
	}
	return uint32(n), err
}

// options has the options that are not read yet. An option can be given several times.
type options struct {
	values map[string][]string
	err    error
}

// All returns the values of an option, in order, and removes the option.
func (o *options) All(key string) []string {
	all := o.values[key]
	delete(o.values, key)
	return all
}

// orFail returns a function that records the error of a space's constructor in o, and returns the space.
func orFail(o *options) func(index.Space, error) index.Space {
	return func(s index.Space, err error) index.Space {
		if err != nil {
			o.fail(err)
		}
		return s
	}
}

func (o *options) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

func take[T any](o *options, key string, parse func(string) (T, error)) (v T, ok bool) {
	all := o.All(key)
	if len(all) == 0 {
		return v, false
	}
	s := all[len(all)-1]
	v, err := parse(s)
	if len(all) > 1 {
		o.fail(fmt.Errorf("option %s is given %d times", key, len(all)))
	} else if err != nil {
		o.fail(fmt.Errorf("option %s=%s: not a value it can have", key, s))
	}
	return v, true
}
