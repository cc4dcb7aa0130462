package grow

import (
	"context"

	"fstore/index"
)

// Newcomers returns the task of an append, for growth with MinSupport 1:
//   - out gets the fragments that are in a new sample, and in minSupport samples or more
//   - firstNew is the id of the first new sample
//   - onCounts gets the counts after and before the append, from several goroutines
func Newcomers(out Sink, firstNew, minSupport uint32, onCounts func(now, then index.Counts)) Task {
	return &growingAgain{out, firstNew, minSupport, onCounts}
}

type growingAgain struct {
	Sink
	first   uint32
	support uint32
	saw     func(now, then index.Counts)
}

// Counted does nothing, because growth has counted only a part of the fragments.
func (*growingAgain) Counted(index.Counts) {}

func (t *growingAgain) Visitor(ctx context.Context, l index.Limits) RangeVisitor {
	return &newcomers{collector: newCollector(ctx, l, t.Sink), t: t}
}

type newcomers struct {
	*collector
	t         *growingAgain
	now, then index.Counts
}

func (v *newcomers) Visit(b *index.Batch) error {
	w, err := v.begin(b)
	if err != nil {
		return err
	}
	grown := true // whether the parent was grown before the append
	if len(b.Parent) > 0 {
		of, i, ok := v.ordered.parentOfNewest()
		grown = ok && of.items[i].before >= v.t.support
	}
	for i := range b.Len() {
		support, before, order := b.Support[i], v.oldSupport(b, i), b.OrderOf(i)
		v.now.Count(order, 1, oneIf(support < v.t.support))
		if grown && before > 0 {
			v.then.Count(order, 1, oneIf(before < v.t.support))
		}
		if support >= v.t.support && before < support {
			b.Descend[i] = true
			keepFragment(w, b, i, before)
		}
	}
	return nil
}

// oldSupport returns how many old samples have extension i.
func (v *newcomers) oldSupport(b *index.Batch, i int) (n uint32) {
	samples := b.SamplesOf(i)
	if samples[len(samples)-1] < v.t.first {
		return b.Support[i]
	}
	last := v.t.first
	for _, s := range samples {
		if s >= v.t.first {
			break
		}
		if s != last {
			n++
			last = s
		}
	}
	return n
}

func (v *newcomers) Finish() error {
	if err := v.collector.Finish(); err != nil {
		return err
	}
	v.t.saw(v.now, v.then)
	return nil
}

func oneIf(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}
