package builder_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/grow"
	"fstore/mine/internal/minetest"
	"fstore/store"
)

func TestChoice(t *testing.T) {
	support, order, closed := uint32(3), 0, true
	dependency := "" // where no space reads such trees, none is chosen
	if name := spaces.Default(index.Dependency); name != "" {
		dependency = "space " + name + ", order ≤ 5, support ≥ 2"
	}
	for _, c := range []struct {
		choice builder.Choice
		kind   index.Kind
		want   string // or a part of the error
	}{
		{builder.Choice{}, index.Constituency, "space stk, order ≤ 5, support ≥ 2"},
		{builder.Choice{}, index.Dependency, dependency},
		{builder.Choice{MinSupport: &support, MaxOrder: &order, Closed: &closed}, index.Constituency, "space stk, support ≥ 3, closed"},
		{minetest.Request(t, "stk:max-order=2", "st:min-support=1"), index.Constituency, "space stk, order ≤ 2, support ≥ 2; space st, order ≤ 4, support ≥ 1"},
		{minetest.Request(t, "st"), index.Dependency, "space st reads constituency trees, and the input has dependency trees"},
		{minetest.Request(t, "st", "st"), index.Constituency, "space st twice"},
	} {
		all, err := c.choice.ForNew(c.kind)
		var list []string
		for _, s := range all {
			list = append(list, grow.Describe(s.Space.ID(), s.Limits))
		}
		got := strings.Join(list, "; ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%+v: %s, want %s", c.choice, got, c.want)
		}
	}
}

// An append keeps spaces and limits, and returns an error if others are asked for.
func TestAppendKeepsLimits(t *testing.T) {
	fs := vfs.NewMem()
	minetest.Build(t, fs, minetest.Options(t, fs, 0, 20, "stk:max-order=3", "st")).Close()
	support := uint32(2)
	for _, c := range []struct {
		choice builder.Choice
		want   string // part of the error; "" where there is none
	}{
		{builder.Choice{}, ""},
		{builder.Choice{MinSupport: &support}, ""},
		{minetest.Request(t, "st", "stk:max-order=3"), ""},
		{minetest.Request(t, "st", "stk:max-order=2"), "limits of the store: space stk, order ≤ 3, support ≥ 2, not space stk, order ≤ 2"},
		{minetest.Request(t, "st"), "which has stk, st"},
		{minetest.Request(t, "sstbow"), "space sstbow: an append keeps the spaces of the store, which has stk, st"},
	} {
		o := minetest.Options(t, fs, 20, 1)
		o.Mode, o.Spaces = store.Append, c.choice
		_, err := builder.Run(context.Background(), "s", o)
		var bad *index.UsageError
		if (err == nil) != (c.want == "") || err != nil && (!errors.As(err, &bad) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %s", c.choice, err, c.want)
		}
	}
}

// If a space is for trees of another kind, the build leaves no files.
func TestWrongKind(t *testing.T) {
	fs := vfs.NewMem()
	o := minetest.Options(t, fs, 0, 20, "stk")
	o.Spaces.Spaces[0].Kinds = []index.Kind{index.Dependency}
	_, err := builder.Run(context.Background(), "s", o)
	var bad *index.UsageError
	if names, _ := fs.List(""); !errors.As(err, &bad) || len(names) > 0 {
		t.Fatal(err, names)
	}
	if got := fmt.Sprint(err); got != "space stk reads dependency trees, and the input has constituency trees" {
		t.Fatal(got)
	}
}
