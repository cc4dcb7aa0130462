package mine

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

func TestSequencesAndEmbeddedTreesSameHowever(t *testing.T) {
	with := []resources{{1, 0}, {8, 0}, {1, 1}, {2, 4000}, {3, 20_000}}
	sameHowever(t, 40, func(fs vfs.FS, from, to int) Options {
		return options(t, fs, from, to-from, "seq", "seq:unit=upos,max-gap=1,max-order=0,max-length=3,min-support=1", "emb:max-order=3")
	}, with...)
	sameHowever(t, 40, func(fs vfs.FS, from, to int) Options {
		return depOptions(t, fs, from, to, "seq:max-gap=2", "seq:unit=upos,max-length=3", "emb:min-support=3", "emb:unit=upos,max-order=3")
	}, with...)
}

// Sixty different words have 2^60 subsequences, and a head with sixty different
// dependents as many embedded trees: building ends at the limit of fragments, and leaves
// nothing. So does one that counts more occurrences of a fragment than it can.
func TestDecayingSpacesEndAtTheLimit(t *testing.T) {
	for _, c := range []struct {
		space  string
		unique bool // the words
	}{
		{"seq:max-order=0,min-support=1", true},
		{"seq:max-order=0,min-support=1,max-gap=8", true},
		{"emb:max-order=0,min-support=1", true},
		{"seq:max-order=0,min-support=1", false},
		{"emb:max-order=0,min-support=1", false},
	} {
		fs := vfs.NewMem()
		o := depOptions(t, fs, 0, 0, c.space)
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &wideSource{dependencySource{s: s, end: 1, wide: 60}, c.unique}, nil
		}
		o.MaxFragments = 100_000
		_, err := Build(context.Background(), "s", o)
		var occurrences *index.OccurrenceError
		if c.unique && !errors.Is(err, ErrTooMany) || !c.unique && !errors.As(err, &occurrences) {
			t.Errorf("%s: %v", c.space, err)
		}
		if names, err := fs.List(""); err != nil || len(names) > 0 {
			t.Errorf("%s left %v, %v", c.space, names, err)
		}
	}
}

// wideSource makes the words of its trees all different, or all the same.
type wideSource struct {
	dependencySource
	unique bool
}

func (w *wideSource) Next(t *index.Tree) error {
	err := w.dependencySource.Next(t)
	for i := range t.Tokens {
		form := "w"
		if w.unique {
			form = fmt.Sprint("w", i)
		}
		t.Tokens[i].Form = w.s.Intern(index.Words, []byte(form))
	}
	return err
}
