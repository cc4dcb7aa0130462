package maintain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/store"
)

// RepairOptions say what Repair does with lost data.
type RepairOptions struct {
	builder.RebuildOptions
	// DropLost drops the samples whose trees cannot be read. Without DropLost, Repair returns ErrLost for
	// such samples, and changes nothing.
	DropLost bool
	// Damaged is called for each table of the database that is missing or cannot be read at all. It may be
	// nil.
	Damaged func(table error)
}

// ErrLost is the error of Repair if trees are lost and DropLost is not set.
var ErrLost = errors.New("trees are lost")

// Repair makes the damaged store in dir anew from the trees and symbols that can be read, and replaces it in
// one step. It takes over the selections and models that can be read. It reports each lost part of the store,
// and how to make the part again.
//
// If the symbols or both copies of meta are lost, Repair returns store.ErrDamaged and changes nothing.
func Repair(ctx context.Context, dir string, o RepairOptions, report func(lost string)) (decided string, err error) {
	damaged := o.Damaged
	if damaged == nil {
		damaged = func(error) {}
	}
	begin := func(r *builder.Rebuilding) (err error) {
		r.Left = report
		if r.Old, err = r.W.Salvage(damaged); err == nil {
			_, err = r.Old.Symbols()
		}
		if errors.Is(err, store.ErrDamaged) {
			err = fmt.Errorf("%w: without it no tree can be read: build the store again from its inputs", err)
		}
		if err == nil {
			r.Without, err = lostSamples(ctx, r.Old, r.O.Progress)
		}
		if err != nil || r.Without.IsEmpty() {
			return err
		}
		what := describeLost(r.Old, r.Without)
		if !o.DropLost {
			return &store.Error{Dir: dir, Kind: store.ErrDamaged, Err: fmt.Errorf("%w: %s", ErrLost, what)}
		}
		report(what)
		return nil
	}
	return builder.Rebuild(ctx, dir, o.RebuildOptions, begin, carryOver, func(r *builder.Rebuilding) string {
		said := fmt.Sprintf("repaired: %s", index.Plural(r.Meta.Samples, "sample"))
		if n := r.Without.GetCardinality(); n > 0 {
			said += fmt.Sprintf(", %s lost", index.Thousands(n))
		}
		return said
	})
}

// lostSamples returns the samples whose trees cannot be read.
func lostSamples(ctx context.Context, s *store.Store, progress index.Progress) (*roaring.Bitmap, error) {
	lost := roaring.New()
	progress.Step("read", "samples", int64(s.Meta().Samples))
	var t index.Tree
	for id := range s.Meta().Samples {
		if id&0xFF == 0xFF {
			progress.Add(0x100)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		err := s.Sample(id, &t)
		switch {
		case errors.Is(err, store.ErrDamaged):
			lost.Add(id)
		case err != nil:
			return nil, err
		}
	}
	return lost, nil
}

// describeLost says which samples are lost, and which inputs they are from.
func describeLost(s *store.Store, lost *roaring.Bitmap) string {
	const most = 10 // how many ranges are listed
	var ranges, inputs []string
	input := s.Meta().InputNames()
	n := 0
	for it := lost.Iterator(); it.HasNext(); n++ {
		first := it.Next()
		last := first
		for it.HasNext() && it.PeekNext() == last+1 {
			last = it.Next()
		}
		switch {
		case n >= most:
		case first == last:
			ranges = append(ranges, fmt.Sprint(first))
		default:
			ranges = append(ranges, fmt.Sprintf("%d to %d", first, last))
		}
		for id := first; id <= last; id++ {
			if in := input(id); in != "" && !slices.Contains(inputs, in) {
				inputs = append(inputs, in)
			}
		}
	}
	text := index.Plural(lost.GetCardinality(), "sample") + " cannot be read: " + strings.Join(ranges, ", ")
	if n > most {
		text += ", …"
	}
	if len(inputs) > 0 {
		text += " (counted from 0), of " + strings.Join(inputs, ", ")
	}
	return text
}
