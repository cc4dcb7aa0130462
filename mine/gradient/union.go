package gradient

import (
	"bytes"
	"errors"
)

// eachOfBoth calls f with the features that were mined, and those of a model, in code order. id is
// that of the feature in the model, 0 where it has none; mined says whether the feature was mined.
// For one that was not, a and b are the counts stored with the model.
func eachOfBoth(mined *set, m *model, f func(order int, x *feature, id uint32, mined bool) error) error {
	unions := make([]union, max(len(m.orders), mined.orders()))
	for order := range unions {
		unions[order].mined.rest = mined.order(order)
		if order < len(m.orders) {
			unions[order].old.rest = m.orders[order : order+1]
		}
	}
	id := uint32(0)
	err := interleave(unions, func(order int, x *feature) error {
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

// union reads the features of one order that were mined, and those of a model, in code order.
type union struct {
	mined, old streamReader
	// Which the present one is: below 0 only the model's, above 0 only a mined one.
	which int
}

// next returns the next feature, which is valid until the one after it; nil if there is none.
func (u *union) next() (*feature, error) {
	before := u.which
	if before <= 0 {
		if err := u.old.next(); err != nil {
			return nil, err
		}
	}
	if before >= 0 {
		if err := u.mined.next(); err != nil {
			return nil, err
		}
	}
	switch {
	case u.old.done && u.mined.done:
		return nil, nil
	case u.old.done:
		u.which = 1
	case u.mined.done:
		u.which = -1
	default:
		u.which = bytes.Compare(u.old.code, u.mined.code)
	}
	if u.which < 0 {
		return &u.old.feature, nil
	}
	return &u.mined.feature, nil
}

func (u *union) close() error { return errors.Join(u.mined.close(), u.old.close()) }
