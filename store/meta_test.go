package store

import (
	"errors"
	"testing"

	"fstore/index"
	"fstore/store/disk"
)

// TestMetaRefuses: a Meta is refused if the programs that read a store cannot use it.
func TestMetaRefuses(t *testing.T) {
	good := Meta{Version: FormatVersion, Generation: 1, Kind: index.Dependency}
	oneAlphabet, kind, generation := good, good, good
	oneAlphabet.OneAlphabet = true // no format has such trees
	kind.Kind++
	generation.Generation = 0
	for _, c := range []struct {
		name string
		m    Meta
		want error
	}{
		{"good", good, nil},
		{"dependency trees of one alphabet", oneAlphabet, ErrDamaged},
		{"kind", kind, ErrDamaged},
		{"generation", generation, ErrDamaged},
	} {
		b, err := encodeMeta(&c.m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeMeta(disk.Dir{Path: "db"}, b); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}
