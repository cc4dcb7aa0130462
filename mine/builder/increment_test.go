package builder_test

import (
	"errors"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/internal/minetest"
	"fstore/store"
)

// failingSpace returns the error `bad` for every code that it checks.
type failingSpace struct {
	index.Space
	bad error
}

func (s failingSpace) Check(index.Code, *index.Symbols) error { return s.bad }

// A stored code that the space rejects means that the store is damaged. If a space accepts a code and then
// panics, this is a bug, and is not reported as damage.
func TestCopyTellsDamageFromBugs(t *testing.T) {
	fs := vfs.NewMem()
	minetest.Build(t, fs, minetest.Options(t, fs, 0, 20, "stk")).Close()
	for _, bad := range []error{nil, errors.New("no code")} {
		err := minetest.ChangeStore(t, fs, func(w *store.Writer) (err error) {
			defer func() {
				if r := recover(); r != nil {
					err = errBug
				}
			}()
			return builder.CopyOf(w, failingSpace{minetest.Request(t, "stk").Spaces[0].Space, bad})
		})
		if bad == nil && !errors.Is(err, errBug) {
			t.Errorf("a bug: %v", err)
		}
		if bad != nil && (!errors.Is(err, store.ErrDamaged) || !errors.Is(err, bad)) {
			t.Errorf("damage: %v", err)
		}
	}
}

var errBug = errors.New("a panic")
