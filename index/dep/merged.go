package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// mergingKernel evaluates one tree against many trees in one pass, in ordered spaces with siblings=adjacent.
// It reads only the arcs that share a feature with the one tree.
type mergingKernel struct {
	*kernel
	scratch mergedScratch
}

// merged has many prepared trees. Their arcs and their families have consecutive numbers, tree by tree.
type merged struct {
	index.Multisets
	number map[string]uint32       // the number of each feature, by its key
	with   growth.Inverted[uint32] // the arcs with each feature
	tree   []uint32                // the tree of each arc
	of     []uint32                // the family that each arc is in
	below  []int32                 // the family of each arc's modifier; -1: it has no dependents
	last   []bool                  // whether the arc is the last of its family
	words  []words                 // the words of each arc, in a space with words

	families int
	wide     []widePrepared
}

// widePrepared is a merged tree with a wide family (span.go), and the index of the tree.
type widePrepared struct {
	tree int
	*prepared
}

// mergedScratch is the memory for evaluating one tree against merged trees.
type mergedScratch struct {
	common  []float64    // A of one arc of the tree and each merged arc
	r       [2][]float64 // R of that arc and each merged arc; R of the arc right of it
	touched [2][]uint32  // the merged arcs where r is not 0
	delta   []float64    // Δ of each family of the tree and each merged family
	feats   [][]uint32   // the features of each arc of the tree that merged trees have
	of      []int32      // the family of each arc of the tree
}

// NewKernel implements index.Space.
func (s *Space) NewKernel(syms *index.Symbols, lambda float64) index.Kernel {
	k := &kernel{s: s, lambda: lambda}
	k.plan.keys.syms, k.plan.keys.spelled = syms, true
	k.plan.keys.numberTemplates(s)
	if s.rule == adjacent && !s.unordered {
		return &mergingKernel{kernel: k}
	}
	return k
}

// Merge implements index.Merging.
func (k *mergingKernel) Merge(trees []any) index.Merged {
	m := &merged{Multisets: index.Apart(len(trees)), number: map[string]uint32{}}
	for i, p := range trees {
		x := p.(*prepared)
		if x.wide {
			m.wide = append(m.wide, widePrepared{i, x})
		}
		for f, from := range x.families {
			for a := from; a < x.arcs[from].end; a++ {
				m.tree, m.of, m.last = append(m.tree, uint32(i)), append(m.of, uint32(m.families+f)), append(m.last, a+1 == x.arcs[from].end)
				below := x.familyOf[a]
				if below >= 0 {
					below += int32(m.families)
				}
				m.below = append(m.below, below)
			}
		}
		m.families += len(x.families)
		for _, key := range x.keys {
			if _, ok := m.number[key]; !ok {
				m.number[key] = uint32(len(m.number))
			}
		}
		m.words = append(m.words, x.words...)
	}
	m.with.Fill(len(m.number), func() {
		base := uint32(0)
		for _, p := range trees {
			x := p.(*prepared)
			for f, key := range x.keys {
				for _, a := range x.arcsWith(f) {
					m.with.Put(m.number[key], base+uint32(a))
				}
			}
			base += uint32(len(x.familyOf))
		}
	})
	return m
}

// Sums implements index.Merging. The loop goes backwards, so that the arcs of a dependent come before the
// arcs of its head.
func (k *mergingKernel) Sums(dst []float64, in index.Merged, tree any) {
	m, x, w := in.(*merged), tree.(*prepared), &k.scratch
	clear(dst)
	w.begin(m, x)
	next, now := 0, 1 // indices in r and touched
	for p := len(x.familyOf) - 1; p >= 0; p-- {
		if uint32(p)+1 == x.arcs[p].end {
			w.forget(next)
		}
		for _, f := range w.feats[p] {
			for _, g := range m.with.Of(int(f), int(f)+1) {
				if w.common[g] == 0 {
					w.touched[now] = append(w.touched[now], g)
				}
				w.common[g]++
			}
		}
		delta := w.delta[int(w.of[p])*m.families:]
		for _, g := range w.touched[now] {
			v := float64(k.lambda * w.common[g])
			if i, j := x.familyOf[p], m.below[g]; i >= 0 && j >= 0 {
				v *= 1 + w.delta[int(i)*m.families+int(j)]
			}
			if !m.last[g] {
				v *= 1 + w.r[next][g+1]
			}
			heads, modifiers := x.factors(m.words, p, int(g), k.lambda)
			v = float64(v * modifiers)
			w.common[g], w.r[now][g] = 0, v
			delta[m.of[g]] += v
			dst[m.tree[g]] += float64(v * heads)
		}
		w.forget(next)
		next, now = now, next
	}
	w.forget(next)
	// The loop ignores max-span, which matters only between two trees that both have wide families. Eval
	// computes the kernel of these few pairs.
	if x.wide {
		for _, y := range m.wide {
			dst[y.tree] = k.Eval(x, y.prepared).Float()
		}
	}
}

// factors returns two factors, for the heads and for the modifiers of two arcs: 1 + lambda if their words are
// equal, else 1.
func (x *prepared) factors(of []words, p, g int, lambda float64) (heads, modifiers float64) {
	f := [2]float64{1, 1}
	if len(x.words) > 0 {
		for node, word := range x.words[p] {
			if word != 0 && word == of[g][node] {
				f[node] = 1 + lambda
			}
		}
	}
	return f[0], f[1]
}

// forget sets all values of w.r[which] to 0.
func (w *mergedScratch) forget(which int) {
	for _, g := range w.touched[which] {
		w.r[which][g] = 0
	}
	w.touched[which] = w.touched[which][:0]
}

// begin prepares w for the kernel of x with the trees in m.
func (w *mergedScratch) begin(m *merged, x *prepared) {
	if n := len(m.tree); len(w.common) < n {
		w.common, w.r = make([]float64, n), [2][]float64{make([]float64, n), make([]float64, n)}
	}
	n := len(x.families) * m.families
	w.delta = slices.Grow(w.delta[:0], n)[:n]
	clear(w.delta)
	for len(w.feats) < len(x.familyOf) {
		w.feats = append(w.feats, nil)
	}
	w.of = w.of[:0]
	for f, from := range x.families {
		for a := from; a < x.arcs[from].end; a++ {
			w.of = append(w.of, int32(f))
			w.feats[a] = w.feats[a][:0]
		}
	}
	for n, key := range x.keys {
		if f, ok := m.number[key]; ok {
			for _, a := range x.arcsWith(n) {
				w.feats[a] = append(w.feats[a], f)
			}
		}
	}
}
