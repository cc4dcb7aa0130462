package gradient

import (
	"bytes"
	"errors"
	"slices"

	"fstore/mine/template"
)

// set contains the features that one iteration keeps for a class, range by range.
type set struct {
	s         *streamFiles
	templates *template.Templates
	ranges    []*rangeSet

	keeper   *keeper   // saves finished ranges; nil saves nothing
	progress *progress // nil reports nothing
	class    int
}

// addRange appends a range, which one goroutine must fill.
func (t *set) addRange() *rangeSet {
	r := &rangeSet{of: t, number: len(t.ranges), stream: stream{s: t.s}}
	t.ranges = append(t.ranges, r)
	return r
}

func (t *set) remove() (err error) {
	for _, r := range t.ranges {
		err = errors.Join(err, r.stream.remove())
	}
	t.ranges = nil
	return err
}

func (t *set) reader() (r streamReader) {
	for _, x := range t.ranges {
		r.rest = append(r.rest, &x.stream)
	}
	return r
}

// rangeSet contains those features of a set whose first step is in one range.
type rangeSet struct {
	stream
	of     *set
	number int
	kinds  *template.Counter
}

// begin must be called before the first `add`, and `end` after the last, also after an error. All calls come
// from one goroutine.
func (r *rangeSet) begin() { r.kinds = r.of.templates.Counter() }

func (r *rangeSet) end() { r.of.templates.Release(r.kinds) }

// add appends a feature. Codes must ascend.
func (r *rangeSet) add(f *feature) error {
	r.count(f)
	return r.stream.add(f)
}

// count adds the template of a feature to the set's templates.
func (r *rangeSet) count(f *feature) { r.kinds.Add(f.code, f.code.Len()) }

// eachInOrder calls f with the features of several streams in code order.
func eachInOrder(streams []*stream, f func(x *feature) error) error {
	readers := make([]streamReader, len(streams))
	for i, t := range streams {
		readers[i] = t.reader()
	}
	return merge(readers, func(in []*feature) error {
		return f(in[slices.IndexFunc(in, func(x *feature) bool { return x != nil })])
	})
}

// merge calls f with each feature of several readers, in code order, and closes the readers. in[i] is nil if
// reader i does not have the feature.
func merge(readers []streamReader, f func(in []*feature) error) (err error) {
	defer func() {
		for i := range readers {
			err = errors.Join(err, readers[i].close())
		}
	}()
	for i := range readers {
		if err := readers[i].next(); err != nil {
			return err
		}
	}
	in := make([]*feature, len(readers))
	for {
		clear(in)
		var least *feature
		for i := range readers {
			r := &readers[i]
			if r.done {
				continue
			}
			order := -1
			if least != nil {
				order = bytes.Compare(r.code, least.code)
			}
			if order < 0 {
				clear(in[:i])
				least = &r.feature
			}
			if order <= 0 {
				in[i] = &r.feature
			}
		}
		if least == nil {
			return nil
		}
		if err := f(in); err != nil {
			return err
		}
		for i, has := range in {
			if has != nil {
				if err := readers[i].next(); err != nil {
					return err
				}
			}
		}
	}
}
