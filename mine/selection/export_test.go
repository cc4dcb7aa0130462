package selection

// SetForceGrowth grows what could be scanned.
func (o *Options) SetForceGrowth(force bool) { o.forceGrowth = force }

// Within returns x for p-values of at most level.
func (x *ChiSquared) Within(level float64) *ChiSquared { return x.within(level) }

// Tests is how many hypotheses a fragment is.
func (x *ChiSquared) Tests() int { return x.tests }

// PermutedSizes are what permutations took of memory.
type PermutedSizes struct {
	LabelSets, Rooms int
	Bytes            int64 // of blocks, at most
}

// Permuted finds the least p-value of rank allowed under permutations of samples, with
// blocks of this much memory.
func (r *Selection) Permuted(x *ChiSquared, permutations, allowed int, memory int64) (level float64, sizes PermutedSizes, err error) {
	units, err := r.permutable(x, PermuteSamples)
	if err != nil {
		return 0, sizes, err
	}
	p := newPermuted(x, r.From.Limits.Closed, units, permutations, allowed)
	err = p.run(r.From, r.O.Seed, memory)
	sizes.LabelSets, sizes.Rooms = len(units.classes), len(p.rooms.free)
	sizes.Bytes = int64(2*cap(p.sets) + 8*cap(p.sizes))
	for _, counts := range p.rooms.free {
		sizes.Bytes += int64(4 * cap(counts))
	}
	return p.ranked(), sizes, err
}
