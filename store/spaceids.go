package store

import (
	"maps"
	"slices"

	"fstore/index/spaces"
)

// On disk a Meta names spaces with all their options (spaces.RecordID), so that it means
// the same when a default changes. In memory it has their IDs. An older version left out
// the options that were as its defaults.

// recordSpaces returns m as it is written.
func recordSpaces(m *Meta) *Meta {
	c := *m
	c.Spaces, c.Models = slices.Clone(m.Spaces), slices.Clone(m.Models)
	nameSpaces(&c, spaces.RecordID)
	return &c
}

// recordedSpaces makes of m as it was written what it is in memory.
func recordedSpaces(m *Meta) { nameSpaces(m, spaces.Recorded) }

// nameSpaces gives the spaces that m names other names.
func nameSpaces(m *Meta, name func(string) string) {
	for i := range m.Spaces {
		m.Spaces[i].ID = name(m.Spaces[i].ID)
	}
	for i := range m.Models {
		d := &m.Models[i]
		d.Kernel = name(d.Kernel)
		if id := d.Settings[spaceSetting]; id != "" {
			d.Settings = maps.Clone(d.Settings)
			d.Settings[spaceSetting] = name(id)
		}
	}
}

// spaceSetting is the setting of a linear model that names a space.
const spaceSetting = "space"
