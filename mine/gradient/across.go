package gradient

import (
	"bytes"
	"errors"
	"iter"
)

// errStopped ends a walk whose caller has enough.
var errStopped = errors.New("stopped")

// EachAcross calls f with the fragments that Each gives of any class, in code order: what each has
// in every class, nil where it is not of that class.
func (r *Result) EachAcross(f func(in []*Fragment) error) error {
	classes := len(r.m.models)
	at := make([]*Fragment, classes) // the next of each class
	next := make([]func() (*Fragment, bool), classes)
	errs := make([]error, classes)
	for class := range classes {
		pull, stop := iter.Pull(func(yield func(*Fragment) bool) {
			errs[class] = r.Each(class, func(x *Fragment) error {
				if !yield(x) {
					return errStopped
				}
				return nil
			})
		})
		defer stop()
		next[class] = pull
	}
	advance := func(class int) error {
		x, ok := next[class]()
		if at[class] = x; !ok {
			return errs[class]
		}
		return nil
	}
	for class := range classes {
		if err := advance(class); err != nil {
			return err
		}
	}
	in := make([]*Fragment, classes)
	for {
		var first *Fragment
		for _, x := range at {
			if x != nil && (first == nil || bytes.Compare(x.Code, first.Code) < 0) {
				first = x
			}
		}
		if first == nil {
			return nil
		}
		clear(in)
		for class, x := range at {
			if x != nil && bytes.Equal(x.Code, first.Code) {
				in[class] = x
			}
		}
		if err := f(in); err != nil {
			return err
		}
		for class, x := range in {
			if x == nil {
				continue
			}
			if err := advance(class); err != nil {
				return err
			}
		}
	}
}
