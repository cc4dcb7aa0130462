package mine

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store"
)

// rangeLoad is what one task of a build makes: tables of fragments, a part of the
// expansion index, and counts.
type rangeLoad struct {
	b       *builder
	loader  *store.FragmentLoader
	file    vfs.File // blocks of the expansion index
	name    string
	buf     *bufio.Writer
	trie    *expansion.Builder
	part    expansion.Part
	byOrder []uint64
	vocab   vocabulary
	value   []byte
	pending uint64 // fragments not yet taken from the budget
}

// startRange opens what the fragments of the number-th range go to.
func (b *builder) startRange(space uint32, number int) (*rangeLoad, error) {
	l := &rangeLoad{b: b, name: fmt.Sprintf("part-%d-%d", space, number)}
	var err error
	if l.file, err = b.w.CreateScratch(l.name); err != nil {
		return nil, err
	}
	if l.loader, err = b.w.Fragments(space); err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	l.buf = bufio.NewWriterSize(l.file, 1<<16)
	l.trie = expansion.NewBuilder(l.buf)
	return l, nil
}

// budgetStep is how many fragments a worker makes between two looks at the budget.
const budgetStep = 256

func (l *rangeLoad) emit(c index.Code, order int, _ uint32, occ occurrences) error {
	if l.pending++; l.pending == budgetStep {
		if err := l.take(); err != nil {
			return err
		}
	}
	for order >= len(l.byOrder) {
		l.byOrder = append(l.byOrder, 0)
	}
	l.byOrder[order]++
	l.vocab.add(c)
	l.value = occ.appendPosting(l.value[:0])
	if err := l.loader.Put(c, l.value); err != nil {
		return err
	}
	return l.trie.Add(c)
}

func (l *rangeLoad) take() error {
	n := l.pending
	l.pending = 0
	return l.b.budget.take(n)
}

// done ends the range.
func (l *rangeLoad) done() (err error) {
	l.part, err = l.trie.Finish()
	return errors.Join(err, l.take(), l.loader.Close(), l.buf.Flush(), l.file.Close())
}

// index mines one space and loads what is found: its fragments, its ranks and its
// expansion index.
func (b *builder) index(s *spaceRun) error {
	number := b.w.SetSpace(store.SpaceInfo{
		ID: s.Space.ID(), MinSupport: s.Limits.MinSupport, MaxOrder: s.Limits.MaxOrder, Closed: s.Limits.Closed,
	})
	var loads []*rangeLoad
	g := &growth{
		ctx: b.ctx, space: s.Space, limits: s.Limits, syms: b.syms, roots: rootsOf(s.tally),
		items: s.items, st: b.w.Store(), samples: b.meta.Samples,
		workers: b.o.Workers, memory: b.o.Memory / 2, progress: b.o.Progress,
	}
	err := g.run(func(index.Range) (emit, func() error, error) {
		l, err := b.startRange(number, len(loads))
		if err != nil {
			return nil, nil, err
		}
		loads = append(loads, l)
		return l.emit, l.done, nil
	})
	if err != nil {
		return err
	}
	if _, err := b.w.FinishFragments(number); err != nil {
		return err
	}
	info := &b.meta.Spaces[number]
	info.Candidates, info.Below = g.counts.Candidates, g.counts.Below
	var vocab vocabulary
	for _, l := range loads {
		vocab.join(&l.vocab)
		for o, n := range l.byOrder {
			for o >= len(info.Fragments) {
				info.Fragments = append(info.Fragments, 0)
			}
			info.Fragments[o] += n
		}
	}
	info.VocabularyHash = vocab.hash(s.Space, b.syms)
	return b.join(info, loads)
}

// join writes the expansion index of a space from the parts of its ranges.
func (b *builder) join(info *store.SpaceInfo, loads []*rangeLoad) error {
	var parts []expansion.Part
	var blocks []io.Reader
	for _, l := range loads {
		f, err := b.w.OpenScratch(l.name)
		if err != nil {
			return err
		}
		defer f.Close()
		parts, blocks = append(parts, l.part), append(blocks, f)
	}
	f, err := b.w.CreateExpansion(int(info.Number))
	if err != nil {
		return err
	}
	info.Expansion = f.Name()
	return errors.Join(expansion.Join(f, parts, blocks), f.Close())
}
