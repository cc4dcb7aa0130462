package decode

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine"
	"fstore/mine/query"
	"fstore/store"
	"fstore/store/filetest"
)

// flipped has a copy of a file with one bit changed in its place, while f runs.
func flipped(t *testing.T, fs vfs.FS, path string, at int, f func()) {
	t.Helper()
	good := filetest.Read(t, fs, path)
	bad := append([]byte(nil), good...)
	bad[at] ^= 1 << (at % 8)
	filetest.Write(t, fs, path, bad)
	f()
	filetest.Write(t, fs, path, good)
}

// TestDamagedExpansion: no byte of an expansion index can change unseen, not even while the
// input goes on for ever.
func TestDamagedExpansion(t *testing.T) {
	s := textStore(t, randomBrackets(3, 1), "stk")
	all := FeatureSet{Space: parseSpace(t, "stk")}
	some := all
	some.Kept = everyOther(t, s)
	tree := index.Tree{}
	if err := StoredSamples(s).Next(&tree); err != nil {
		t.Fatal(err)
	}
	format, err := vector.Lookup("svmlight")
	if err != nil {
		t.Fatal(err)
	}
	path := s.Path(s.Meta().Spaces[0].Expansion)
	run := func(set FeatureSet) error {
		l, err := NewLinearizer(s, LinearizerOptions{Features: []FeatureSet{set}})
		if err != nil {
			return err
		}
		stream := l.NewStream(context.Background(), format.Open(io.Discard, vector.Options{}), StreamOptions{Workers: 1})
		err = stream.Run(&untilCancelled{endless{tree: &tree}, stream.Context()})
		return errors.Join(err, l.Close())
	}
	for at := range filetest.Read(t, s.FS(), path) {
		flipped(t, s.FS(), path, at, func() {
			for _, set := range []FeatureSet{all, some} {
				if err := run(set); !errors.Is(err, store.ErrDamaged) {
					t.Errorf("byte %d, subset %v: %v", at, set.Kept != nil, err)
				}
			}
		})
	}
}

// everyOther is every other fragment of a store's one space.
func everyOther(t *testing.T, s *store.Store) *mine.Subset {
	table, err := query.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	kept := mine.NewSubset(table.Info.Features)
	err = table.Each(context.Background(), nil, nil, false, func(r *query.Row) error {
		if r.ID%2 == 0 {
			kept.Add(r.ID, r.Code)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	kept.Finish(table.Space, syms)
	return kept
}

// untilCancelled is an input that never ends by itself.
type untilCancelled struct {
	endless
	ctx context.Context
}

func (u *untilCancelled) Next(t *index.Tree) error {
	if err := u.ctx.Err(); err != nil {
		return err
	}
	return u.endless.Next(t)
}
