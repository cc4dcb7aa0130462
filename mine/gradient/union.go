package gradient

import (
	"bytes"
	"errors"
)

// features reads features in ascending code order. What at returns is valid until the next.
type features interface {
	next() (ok bool, err error)
	at() *feature
	close() error
}

// eachOfBoth calls f with the features that were mined, and those of a model, in code order:
// with the id that one has in the model, 0 where it has none, and whether it was mined. Of one
// that was not, a and b are those of when the model was made.
func eachOfBoth(mined *set, m *model, f func(order int, x *feature, id uint32, mined bool) error) error {
	unions := make([]*union, max(len(m.orders), mined.orders()))
	readers := make([]features, len(unions))
	for order := range unions {
		u := &union{mined: mined.order(order), old: &streamReader{}}
		if order < len(m.orders) {
			var err error
			if u.old, err = m.orders[order].reader(); err != nil {
				return errors.Join(err, closeAll(readers))
			}
		}
		readers[order], unions[order] = u, u
	}
	id := uint32(0)
	err := interleave(readers, func(order int, x *feature) error {
		which := unions[order].which
		if which > 0 {
			return f(order, x, 0, true)
		}
		id++
		err := f(order, x, id, which == 0)
		m.passed(id)
		return err
	})
	m.release()
	return errors.Join(err, m.err())
}

// union reads the features of one order that were mined, and those of a model.
type union struct {
	mined *orderReader
	old   *streamReader
	done  bool // old has no more
	// Which the present one is: below 0 only the model's, above 0 only a mined one.
	which int
}

// next implements features.
func (u *union) next() (ok bool, err error) {
	if u.which <= 0 && !u.done {
		ok, err := u.old.next()
		if err != nil {
			return false, err
		}
		u.done = !ok
	}
	if u.which >= 0 && !u.mined.done {
		if err := u.mined.advance(); err != nil {
			return false, err
		}
	}
	switch {
	case u.done:
		u.which = 1
	case u.mined.done:
		u.which = -1
	default:
		u.which = bytes.Compare(u.old.code, u.mined.code)
	}
	return !u.done || !u.mined.done, nil
}

// at implements features.
func (u *union) at() *feature {
	if u.which < 0 {
		return &u.old.feature
	}
	return &u.mined.feature
}

// close implements features.
func (u *union) close() error { return errors.Join(u.mined.close(), u.old.close()) }
