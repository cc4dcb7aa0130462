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

// union reads the features of one order that were mined, and those of a model.
type union struct {
	mined *orderReader
	old   *streamReader
	model *model
	order int
	all   bool // of the model also what has no weight

	i    int  // the place of old's in the model
	done bool // old has no more
	// Which the present one is: below 0 only the model's, above 0 only a mined one.
	which int
}

// newUnion opens a union, before the first feature.
func newUnion(mined *set, m *model, order int, all bool) (u *union, err error) {
	u = &union{mined: mined.order(order), old: &streamReader{}, model: m, order: order, all: all, i: -1}
	if order < len(m.orders) {
		u.old, err = m.orders[order].reader()
	}
	return u, err
}

// next implements features.
func (u *union) next() (ok bool, err error) {
	if u.which <= 0 && !u.done {
		if err := u.nextOld(); err != nil {
			return false, err
		}
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

func (u *union) nextOld() error {
	for {
		ok, err := u.old.next()
		if !ok || err != nil {
			u.done = true
			return err
		}
		if u.i++; u.all || u.model.weight(u.order, u.i) != 0 {
			return nil
		}
	}
}

// at implements features.
func (u *union) at() *feature {
	if u.which < 0 {
		return &u.old.feature
	}
	return &u.mined.feature
}

// id is that of the present feature in the model, 0 where it has none.
func (u *union) id() uint32 {
	if u.which > 0 {
		return 0
	}
	return u.model.ids[u.order][u.i]
}

// close implements features.
func (u *union) close() error { return errors.Join(u.mined.close(), u.old.close()) }
