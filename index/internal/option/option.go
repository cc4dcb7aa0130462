// Package option reads options that several spaces have. It imports index.
package option

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/index"
)

// Values returns the values given for the option with this name, in order.
type Values func(name string) []string

// One returns the value of an option that can be given at most once. ok is false if it was not given.
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

// Count returns the value of an option that is a number from 0 up, or defaultValue if the option was not
// given.
func (v Values) Count(name string, defaultValue int) (int, error) {
	text, ok, err := v.One(name)
	if !ok || err != nil {
		return defaultValue, err
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return defaultValue, fmt.Errorf("option %s=%s: a number from 0 up", name, text)
	}
	return int(n), nil
}

// Units are the values of the option `unit`, in the order of the columns.
var Units = index.ColumnNames[:index.Feats]

// Unit returns the column of a space's units, as the option `unit` says. The default is Form.
func (v Values) Unit() (index.Column, error) {
	text, ok, err := v.One("unit")
	if !ok || err != nil {
		return index.Form, err
	}
	i := slices.Index(Units, text)
	if i < 0 {
		return index.Form, fmt.Errorf("option unit=%s: there are %s", text, strings.Join(Units, ", "))
	}
	return index.Column(i), nil
}

// Doc describes an option of a space, for help texts and for completion.
type Doc struct {
	Name    string
	Values  []string // the values it can have, or one placeholder in capitals
	Default string   // "" if Help describes the default in words
	Help    string   // a phrase; "" if the values explain themselves
}
