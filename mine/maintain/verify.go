// Package maintain keeps stores correct:
//   - [Verify] counts again all that a store holds.
//   - [Repair] makes a damaged store anew from the trees that can be read.
//   - [Remove] takes samples out.
//   - [Reindex] makes expansion indexes anew.
package maintain

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/grow"
	"fstore/mine/template"
	"fstore/mine/vocabulary"
	"fstore/store"
	"fstore/store/posting"
	"fstore/store/runfile"
)

// VerifyOptions say how Verify counts. Workers 0 means the number of processors, Memory 0 means 1 GiB.
type VerifyOptions struct {
	Workers  int
	Memory   int64
	Progress index.Progress
	// Scratch is a directory that does not exist yet. Verify makes it if the samples far exceed Memory, and
	// removes it at the end. If Scratch is "", Verify reads the samples again for each range.
	Scratch string
}

// Verify checks all that a store holds, and reports each difference, one at a time. It returns an error only
// if it cannot go on. It checks:
//   - fragments, which it grows again from the stored trees
//   - expansion indexes, which it makes again from the codes
//   - statistics of selections, which it counts again in the samples or in the vectors of a model
//   - kernel machines, which it reads
func Verify(ctx context.Context, s *store.Store, o VerifyOptions, report func(problem string)) error {
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
	v := &verifier{ctx: ctx, s: s, o: o, report: report}
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	v.syms = syms
	for i := range s.Meta().Spaces {
		if err := v.space(&s.Meta().Spaces[i]); err != nil {
			return fmt.Errorf("space %s: %w", s.Meta().Spaces[i].ID, err)
		}
	}
	for i := range s.Meta().Selections {
		if err := v.selection(&s.Meta().Selections[i]); err != nil {
			return fmt.Errorf("selection %s: %w", s.Meta().Selections[i].Name, err)
		}
	}
	for i := range s.Meta().Models {
		if err := v.model(&s.Meta().Models[i]); err != nil {
			return err
		}
	}
	return nil
}

type verifier struct {
	ctx    context.Context
	s      *store.Store
	syms   *index.Symbols
	o      VerifyOptions
	mu     sync.Mutex
	report func(string)
}

func (v *verifier) problem(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report(fmt.Sprintf(format, args...))
}

// space grows the fragments of one space again, and compares them with the stored fragments.
func (v *verifier) space(info *store.SpaceInfo) error {
	space, err := grow.SpaceOf(v.s.Dir(), info)
	if err != nil {
		return err
	}
	if err := v.codes(info, space); err != nil {
		return err
	}
	from := grow.Source{
		Ctx: v.ctx, St: v.s, Syms: v.syms, Samples: v.s.Meta().Samples,
		Workers: v.o.Workers, Memory: v.o.Memory, Progress: v.o.Progress,
	}
	run, err := from.TallyStored(grow.SpaceLimits{Space: space, Limits: info.Limits()})
	if err != nil {
		return err
	}
	g := &grow.Growth{Source: from, Tallied: *run}
	if v.o.Scratch != "" {
		g.Scratch = &runfile.Dir{FS: v.s.FS(), Path: v.o.Scratch}
	}
	lo := index.Code{}
	var found []uint64 // number of fragments by order
	kinds := template.New(space, v.syms)
	err = g.Run(func(r index.Range) (grow.Sink, error) {
		hi := r.End()
		it, err := v.s.Iter(info.Number, lo, hi)
		if err != nil {
			return nil, err
		}
		lo = hi
		c := &comparison{v: v, space: space, it: it, places: info.Places, found: &found, templates: kinds, kinds: kinds.Counter()}
		c.ok = it.Next()
		return c, nil
	})
	if err != nil {
		return err
	}
	total := uint64(0)
	for _, n := range found {
		total += n
	}
	if total != uint64(info.Features) {
		v.problem("space %s: the record says %d fragments, the trees hold %d", info.ID, info.Features, total)
	}
	if run.Wide != info.WideHeads {
		v.problem("space %s: the record says %d wide heads, the trees have %d", info.ID, info.WideHeads, run.Wide)
	}
	sameCounts(v, info.ID, "fragments", info.Fragments, found)
	sameCounts(v, info.ID, "templates", info.Templates, kinds.ByOrder())
	sameCounts(v, info.ID, "candidates", info.Candidates, g.Counts.Candidates)
	sameCounts(v, info.ID, "candidates below support", info.Below, g.Counts.Below)
	return nil
}

func sameCounts(v *verifier, id, what string, stored, counted []uint64) {
	for o := range max(len(stored), len(counted)) {
		var a, b uint64
		if o < len(stored) {
			a = stored[o]
		}
		if o < len(counted) {
			b = counted[o]
		}
		if a != b {
			v.problem("space %s, order %d: the record says %d %s, the trees give %d", id, o, a, what, b)
		}
	}
}

// comparison is a sink that compares the grown fragments of a range with the stored ones.
type comparison struct {
	v     *verifier
	space index.Space
	it    *store.FragmentIter
	ok    bool

	places bool // the stored lists tell places

	byOrder []uint64
	found   *[]uint64 // fragments of all ranges, by order

	templates *template.Templates // templates of all ranges
	kinds     *template.Counter
}

func (c *comparison) text(code index.Code) string {
	if err := c.space.Check(code, c.v.syms); err != nil {
		return err.Error()
	}
	return string(c.space.AppendText(nil, code, c.v.syms))
}

func (c *comparison) Put(code index.Code, order int, list []byte) error {
	for order >= len(c.byOrder) {
		c.byOrder = append(c.byOrder, 0)
	}
	c.byOrder[order]++
	c.kinds.Add(code, order)
	for c.ok && bytes.Compare(c.it.Key(), code) < 0 {
		c.v.problem("fragment %s is stored and should not be", c.text(c.it.Key()))
		c.ok = c.it.Next()
	}
	if !c.ok || !bytes.Equal(c.it.Key(), code) {
		support, occ, _ := posting.Header(list)
		c.v.problem("fragment %s is missing: support %d, occurrences %d", c.text(code), support, occ)
		return c.it.Err()
	}
	if !c.places {
		ids, counts, err := posting.Decode(list, c.v.s.Meta().Samples, nil, nil)
		if err != nil {
			return err
		}
		list = posting.Append(nil, ids, counts, nil)
	}
	if !bytes.Equal(list, c.it.Value()) {
		c.differs(code, list)
	}
	c.ok = c.it.Next()
	return c.it.Err()
}

// differs reports how the stored posting list differs from list.
func (c *comparison) differs(code index.Code, list []byte) {
	support, occ, _ := posting.Header(list)
	s, o, err := posting.Header(c.it.Value())
	switch {
	case err != nil:
		c.v.problem("fragment %s: its posting list cannot be read: %v", c.text(code), err)
	case s != support || o != occ:
		c.v.problem("fragment %s: stored support %d, occurrences %d; the trees give %d and %d",
			c.text(code), s, o, support, occ)
	default:
		c.v.problem("fragment %s: its posting list names other samples than the trees give", c.text(code))
	}
}

func (c *comparison) Finish() error {
	c.templates.Release(c.kinds)
	for ; c.ok; c.ok = c.it.Next() {
		c.v.problem("fragment %s is stored and should not be", c.text(c.it.Key()))
	}
	c.v.mu.Lock()
	defer c.v.mu.Unlock()
	*c.found = grow.AddByOrder(*c.found, c.byOrder)
	return errors.Join(c.it.Err(), c.it.Close())
}

func (c *comparison) Abort() { _ = c.it.Close() }

// codes checks what depends on the stored codes alone: the codes, the vocabulary hash and the expansion
// index.
func (v *verifier) codes(info *store.SpaceInfo, space index.Space) error {
	v.o.Progress.Step("check "+info.ID, "fragments", int64(info.Features))
	var bad error
	n := 0
	part, sum, err := v.recode("space "+info.ID, space, info.VocabularyHash, func(add func(index.Code) error) error {
		return eachCode(v.s, info.Number, func(c index.Code) error {
			if n++; n&0xFFF == 1 {
				v.o.Progress.Add(0x1000)
				if err := v.ctx.Err(); err != nil {
					return err
				}
			}
			if bad = space.Check(c, v.syms); bad == nil {
				bad = add(c)
			}
			return bad
		})
	})
	if bad != nil {
		v.problem("space %s: %v", info.ID, bad)
		return nil // with invalid codes, no index is worth comparing
	}
	if err != nil || info.Expansion == "" {
		return err
	}
	x, err := v.openExpansion("space "+info.ID, info.Expansion)
	if x == nil {
		return err
	}
	defer x.Close()
	if !x.Same(part, sum) {
		v.problem("space %s: the expansion index %s is not that of the stored fragments", info.ID, info.Expansion)
	}
	return nil
}

// recode makes the vocabulary hash and the expansion index of the codes again. It reports a wrong hash, and
// returns the index's description and checksum.
func (v *verifier) recode(what string, space index.Space, hash uint64, putAll func(func(index.Code) error) error) (expansion.Part, *expansion.Sum, error) {
	var vocab vocabulary.Hash
	sum := expansion.NewSum()
	trie := expansion.NewBuilderOf(sum, space, v.syms)
	err := putAll(func(c index.Code) error {
		vocab.Add(c)
		return trie.Add(c)
	})
	if err != nil {
		return expansion.Part{}, nil, err
	}
	if h := vocab.Hash(space, v.syms); h != hash {
		v.problem("%s: the record says vocabulary %016x, the fragments give %016x", what, hash, h)
	}
	part, err := trie.Finish()
	return part, sum, err
}

// openExpansion opens and verifies an expansion index. It reports a damaged index, and then returns nil
// without an error.
func (v *verifier) openExpansion(what, file string) (*expansion.Index, error) {
	x, err := expansion.Open(v.s.FS(), v.s.Path(file))
	switch {
	case err != nil && !expansion.IsDamage(err):
		return nil, err
	case err != nil:
		v.problem("%s: %v", what, err)
		return nil, nil
	}
	if err := x.Verify(); err != nil {
		v.problem("%s: %v", what, err)
		return nil, x.Close()
	}
	return x, nil
}
