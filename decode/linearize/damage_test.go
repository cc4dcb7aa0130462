package linearize_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/linearize"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/store"
	"fstore/store/filetest"
)

// flipped flips one bit of a file while f runs.
func flipped(t *testing.T, fs vfs.FS, path string, at int, f func()) {
	t.Helper()
	good := filetest.Read(t, fs, path)
	bad := append([]byte(nil), good...)
	bad[at] ^= 1 << (at % 8)
	filetest.Write(t, fs, path, bad)
	f()
	filetest.Write(t, fs, path, good)
}

// TestDamagedExpansion: if a byte of an expansion index changes, this is noticed, even while an endless input
// is read.
func TestDamagedExpansion(t *testing.T) {
	s := textStore(t, randomBrackets(3, 1), "stk")
	all := linearize.FeatureSet{Space: parseSpace(t, "stk")}
	some := all
	some.Kept = everyOther(t, s)
	tree := index.Tree{}
	if err := store.NewSource(s).Next(&tree); err != nil {
		t.Fatal(err)
	}
	format, err := vector.Lookup("svmlight")
	if err != nil {
		t.Fatal(err)
	}
	path := s.Path(s.Meta().Spaces[0].Expansion)
	run := func(set linearize.FeatureSet) error {
		l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{set}})
		if err != nil {
			return err
		}
		stream := l.NewStream(context.Background(), format.Open(io.Discard, vector.Options{}), linearize.StreamOptions{Workers: 1})
		err = stream.Run(&untilCancelled{endless{Tree: &tree}, stream.Context()})
		return errors.Join(err, l.Close())
	}
	for at := range filetest.Read(t, s.FS(), path) {
		flipped(t, s.FS(), path, at, func() {
			for _, set := range []linearize.FeatureSet{all, some} {
				if err := run(set); !errors.Is(err, store.ErrDamaged) {
					t.Errorf("byte %d, subset %v: %v", at, set.Kept != nil, err)
				}
			}
		})
	}
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
