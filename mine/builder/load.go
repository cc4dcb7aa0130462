package builder

import (
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/grow"
	"fstore/mine/grown"
	"fstore/mine/template"
	"fstore/mine/vocabulary"
	"fstore/store"
	"fstore/store/posting"
	"fstore/store/runfile"
)

// rangeLoad is the sink for one range of codes. It loads and counts fragments, and makes a part of the
// expansion index.
type rangeLoad struct {
	b       *builder
	run     *grow.Tallied
	loader  *store.FragmentLoader
	file    *runfile.File // blocks of the expansion index
	name    string
	counter *grown.Counter
	samples []uint32 // samples of a fragment, for the shares
	share   grow.Share
	puts    uint64
}

// startRange opens the sink for a range.
func (b *builder) startRange(space uint32, s *grow.Tallied, number int) (*rangeLoad, error) {
	l := &rangeLoad{b: b, run: s, share: grow.Share{Budget: b.budget}, name: fmt.Sprintf("part-%d-%d", space, number)}
	var err error
	if l.file, err = b.W.Scratch().CreateFile(l.name); err != nil {
		return nil, err
	}
	if l.loader, err = b.W.Fragments(space); err != nil {
		l.file.Abort()
		return nil, err
	}
	l.counter = grown.NewCounter(l.file.Writer, s.Space, b.Syms, s.Templates, false)
	return l, nil
}

func (l *rangeLoad) Put(c index.Code, order int, list []byte) error {
	if l.puts++; l.puts%sharesStep == 1 && l.b.shares != nil {
		var err error
		if l.samples, err = posting.IDs(list, l.b.Meta.Samples, l.samples[:0]); err != nil {
			return err
		}
		l.b.shares.add(l.samples)
	}
	return l.add(c, order, list)
}

func (l *rangeLoad) add(c index.Code, order int, value []byte) error {
	if err := l.share.Add(grown.SizeOf(order)); err != nil {
		return err
	}
	if err := l.loader.Put(c, value); err != nil {
		return err
	}
	return l.counter.Add(c, order)
}

func (l *rangeLoad) Finish() (err error) {
	return errors.Join(l.counter.Finish(), l.share.Finish(), l.loader.Close(), l.file.Finish())
}

// Abort closes the tables and the file. The writer deletes them when it is aborted.
func (l *rangeLoad) Abort() {
	_ = l.loader.Close()
	l.file.Abort()
}

// setSpace makes a space ready for new fragments, and returns the number of the space.
func (b *builder) setSpace(s *grow.SpaceLimits) uint32 {
	return b.W.SetSpace(store.SpaceInfo{
		ID: s.Space.ID(), MinSupport: s.Limits.MinSupport, MaxOrder: s.Limits.MaxOrder, Closed: s.Limits.Closed, Places: true,
	})
}

// finishSpace completes a space whose fragments are all loaded: the ranks, the counts and the expansion
// index.
func (b *builder) finishSpace(number uint32, space index.Space, counts index.Counts, t *template.Templates, wide uint64, ranges []*grown.Range, blocks []io.Reader) error {
	if _, err := b.W.FinishFragments(number); err != nil {
		return err
	}
	info := &b.Meta.Spaces[number]
	info.Candidates, info.Below = counts.Candidates, counts.Below
	info.Templates, info.WideHeads = t.ByOrder(), wide
	var vocab vocabulary.Hash
	var parts []expansion.Part
	for _, r := range ranges {
		vocab.Join(&r.Vocab)
		info.Fragments = grow.AddByOrder(info.Fragments, r.ByOrder)
		parts = append(parts, r.Part)
	}
	info.VocabularyHash = vocab.Hash(space, b.Syms)
	f, err := b.W.CreateExpansion()
	if err != nil {
		return err
	}
	info.Expansion = f.Name()
	return errors.Join(expansion.Join(f, parts, blocks), f.Close())
}

// scratchReader has its file open only while it reads, since a process cannot open the files of all ranges at
// once.
type scratchReader struct {
	b    *builder
	name string
	left int64
	file vfs.File
}

func (r *scratchReader) Read(p []byte) (n int, err error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	if r.file == nil {
		if r.file, err = r.b.W.Scratch().Open(r.name, vfs.SequentialReadsOption); err != nil {
			return 0, err
		}
	}
	n, err = r.file.Read(p[:min(int64(len(p)), r.left)])
	if r.left -= int64(n); r.left == 0 || err != nil {
		r.left = 0
		err = errors.Join(err, r.file.Close())
	}
	return n, err
}
