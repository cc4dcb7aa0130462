package grow

import (
	"errors"
	"math"

	"fstore/index"
)

// Within is like Ranges, but grows only the range r. It guesses the memory from `estimates`: some of the
// first steps in r, ascending.
//
// If r.Hi2 is not 0, r is a part of one first step, and the space must be Divisible. The part holds the
// fragments with Lo2 ≤ second step < Hi2, and the first step itself if Lo2 is 0. The Counts of all such parts
// add up to those of the whole first step.
func (g *Growth) Within(r index.Range, estimates []Root, task func(index.Range) (Task, error)) error {
	if r.Hi2 != 0 {
		out, err := task(r)
		if err != nil {
			return err
		}
		return finish(out, g.growStep(r, out))
	}
	g.end = r.Hi
	g.first = []root{{step: index.Unpack(r.Lo), support: math.MaxUint32}}
	for _, s := range estimates {
		switch p := s.Step.Packed(); {
		case !r.Contains(p):
		case p == r.Lo:
			g.first[0].occ = s.Occ
		default:
			g.first = append(g.first, root{s.Step, s.Occ, math.MaxUint32})
		}
	}
	return g.readParts(g.first, task)
}

// growStep grows the fragments in r, which all begin with the same first step.
func (g *Growth) growStep(r index.Range, out Task) error {
	need := index.Range{Lo: r.Lo, Hi: r.Hi}
	var second index.SecondSteps
	if s, ok := g.Space.(index.Splitter); ok {
		second = s.SecondSteps()
	}
	if second != nil {
		if r.Lo2 == 0 {
			if err := g.growRoot(need, out); err != nil {
				return err
			}
		}
		need = r
	}
	if g.Limits.MaxOrder == 1 && need == r {
		return nil
	}
	items, support, err := g.read(need, g.Limits, second != nil)
	if errors.Is(err, errShrink) {
		return g.growBelow(second, r, out)
	}
	if err != nil {
		return err
	}
	if need == r {
		return g.growPart(items, support, r, out)
	}
	items.Seal()
	return g.growInto(g.Ctx, items, r, g.Limits, out)
}
