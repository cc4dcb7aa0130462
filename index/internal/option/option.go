// Package option reads the options that spaces have in common. It imports index.
package option

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/index"
)

// Values returns what an option was given, in order.
type Values func(name string) []string

// One returns the value of an option that may be given once; ok is false where it is
// not given.
func (v Values) One(name string) (value string, ok bool, err error) {
	switch all := v(name); len(all) {
	case 0:
		return "", false, nil
	case 1:
		return all[0], true, nil
	default:
		return "", false, fmt.Errorf("option %s is given %d times", name, len(all))
	}
}

// Count returns the value of an option that is a number from 0 up, or value where it is
// not given.
func (v Values) Count(name string, value int) (int, error) {
	text, ok, err := v.One(name)
	if !ok || err != nil {
		return value, err
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return value, fmt.Errorf("option %s=%s: a number from 0 up", name, text)
	}
	return int(n), nil
}

// Unit is the column of a token that stands for it.
type Unit uint8

const (
	Form Unit = iota
	Lemma
	UPOS
	XPOS
)

var unitNames = [...]string{"form", "lemma", "upos", "xpos"}

// String is the unit's name, as in options of spaces.
func (u Unit) String() string { return unitNames[u] }

// Of returns the column of a token: an id of index.Words.
func (u Unit) Of(t *index.Token) uint32 {
	switch u {
	case Lemma:
		return t.Lemma
	case UPOS:
		return t.UPOS
	case XPOS:
		return t.XPOS
	}
	return t.Form
}

// Unit returns the value of the option unit, Form where it is not given.
func (v Values) Unit() (Unit, error) {
	text, ok, err := v.One("unit")
	if !ok || err != nil {
		return Form, err
	}
	i := slices.Index(unitNames[:], text)
	if i < 0 {
		return Form, fmt.Errorf("option unit=%s: there are %s", text, strings.Join(unitNames[:], ", "))
	}
	return Unit(i), nil
}
