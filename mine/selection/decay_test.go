package selection_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/grow"
	"fstore/mine/internal/minetest"
)

func TestSequencesAndEmbeddedTreesSameHowever(t *testing.T) {
	with := []minetest.Resources{{Workers: 1, Memory: 0}, {Workers: 8, Memory: 0}, {Workers: 1, Memory: 1}, {Workers: 2, Memory: 4000}, {Workers: 3, Memory: 20_000}}
	minetest.SameHowever(t, 40, func(fs vfs.FS, from, to int) builder.Options {
		return minetest.Options(t, fs, from, to-from, "seq", "seq:unit=upos,max-gap=1,max-order=0,max-length=3,min-support=1", "emb:max-order=3")
	}, with...)
	minetest.SameHowever(t, 40, func(fs vfs.FS, from, to int) builder.Options {
		return minetest.DepOptions(t, fs, from, to, "seq:max-gap=2", "seq:unit=upos,max-length=3", "emb:min-support=3", "emb:unit=upos,max-order=3")
	}, with...)
}

// Sixty different words have 2^60 subsequences, and a head with sixty different dependents has as many
// embedded trees. Building must end at the limit of fragments, and leave no files. It must also end if a
// fragment has more occurrences than can be counted.
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
		o := minetest.DepOptions(t, fs, 0, 0, c.space)
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &wideSource{minetest.DependencySource{S: s, End: 1, Wide: 60}, c.unique}, nil
		}
		o.MaxFragments = 100_000
		_, err := builder.Run(context.Background(), "s", o)
		var occurrences *index.OccurrenceError
		if c.unique && !errors.Is(err, grow.ErrTooMany) || !c.unique && (!errors.As(err, &occurrences) || occurrences.Sample != 1) {
			t.Errorf("%s: %v", c.space, err)
		}
		if names, err := fs.List(""); err != nil || len(names) > 0 {
			t.Errorf("%s left %v, %v", c.space, names, err)
		}
	}
}

// wideSource yields trees whose words are all different, or all the same.
type wideSource struct {
	minetest.DependencySource
	unique bool
}

func (w *wideSource) Next(t *index.Tree) error {
	err := w.DependencySource.Next(t)
	for i := range t.Tokens {
		form := "w"
		if w.unique {
			form = fmt.Sprint("w", i)
		}
		t.Tokens[i].Form = w.S.Intern(index.Words, []byte(form))
	}
	return err
}
