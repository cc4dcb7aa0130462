package builder_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/grow"
	"fstore/mine/internal/minetest"
)

func TestDepSameHowever(t *testing.T) {
	for _, args := range minetest.DepVariants {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			minetest.SameHowever(t, minetest.Samples, func(fs vfs.FS, from, to int) builder.Options {
				return minetest.DepOptions(t, fs, from, to, args...)
			}, minetest.Resources{Workers: 1, Memory: 0}, minetest.Resources{Workers: 8, Memory: 0}, minetest.Resources{Workers: 1, Memory: 1}, minetest.Resources{Workers: 3, Memory: 20_000})
		})
	}
}

// A head with sixty different dependents has 2^60 subtrees, sets of arcs, or runs. Building must end at the
// limit of fragments, and leave no files.
func TestDepEndsAtTheLimit(t *testing.T) {
	for _, space := range []string{"dep:siblings=any,max-order=0,min-support=1", "dep:siblings=any,ordered=false,max-order=0,min-support=1", "poly:degree=60,max-order=0,min-support=1", "tag:max-order=0,min-support=1"} {
		fs := vfs.NewMem()
		o := minetest.DepOptions(t, fs, 0, 0, space)
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &minetest.DependencySource{S: s, End: 1, Wide: 60}, nil
		}
		o.MaxFragments = 100_000
		if _, err := builder.Run(context.Background(), "s", o); !errors.Is(err, grow.ErrTooMany) {
			t.Errorf("%s: %v", space, err)
		}
		if names, err := fs.List(""); err != nil || len(names) > 0 {
			t.Errorf("%s left %v, %v", space, names, err)
		}
	}
}

// A dep space with siblings=any refuses closed fragments, and its ID has its templates.
func TestDepChoice(t *testing.T) {
	yes := true
	r, err := spaces.Parse("dep:template=m.form,template=h.upos+m.upos,siblings=any,min-support=7")
	if err != nil {
		t.Fatal(err)
	}
	const id = "dep:template=h.upos+m.upos,template=m.form"
	if r.Space.ID() != id || *r.MinSupport != 7 {
		t.Fatalf("%s, support %d", r.Space.ID(), *r.MinSupport)
	}
	c := builder.Choice{Spaces: []spaces.Request{r}, Closed: &yes}
	var refused *index.UsageError
	if _, err := c.ForNew(index.Dependency); !errors.As(err, &refused) {
		t.Errorf("closed: %v", err)
	}
	for _, bad := range []string{"dep:siblings=any,siblings=side", "dep:colour=red", "dep:template=", "dep:min-support=1,min-support=2"} {
		if _, err := spaces.Parse(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
