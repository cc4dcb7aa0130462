package store

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/posting"
)

// Check reads the whole store and reports each damage to the function `problem`. It does not count fragments
// again (package mine/maintain does).
//
// The function `leftover` gets harmless data that are not part of the store. An error means that the check is
// not complete.
func (s *Store) Check(ctx context.Context, problem, leftover func(string)) (err error) {
	defer func() {
		if r := recover(); r != nil { // the database panics over bytes that it did not expect
			err = s.db.Damaged(fmt.Sprint(r), nil)
		}
	}()
	c := &checker{s: s, ctx: ctx, problem: problem}
	if err := c.files(leftover); err != nil {
		return err
	}
	dead, err := s.dead(s.meta)
	for _, d := range dead {
		leftover(d.what)
	}
	if err != nil {
		c.found(err)
	}
	if err := s.db.CheckOrder(problem); err != nil {
		c.found(fmt.Errorf("tables: %w", err))
	}
	for _, step := range []func() error{c.symbols, c.samples, c.labels, c.spaces, c.selections, c.models, c.unknown} {
		err := step()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if disk.IsOfProcess(err) {
			return err
		}
		if err != nil {
			c.found(err)
		}
	}
	return nil
}

type checker struct {
	s       *Store
	ctx     context.Context
	problem func(string)
	keys    int
	has     map[string]*roaring.Bitmap // the samples with each label; nil if they could not be read
}

// tick returns the error of ctx, which it looks at only every few thousand calls.
func (c *checker) tick() error {
	if c.keys++; c.keys%4096 != 0 {
		return nil
	}
	return c.ctx.Err()
}

func (c *checker) found(err error) { c.problem(disk.Plain(err).Error()) }

// foundIn reports err as a problem of the object with this name, unless ctx is done.
func (c *checker) foundIn(what, name string, err error) {
	if err != nil && c.ctx.Err() == nil {
		c.found(fmt.Errorf("%s %s: %w", what, name, disk.Plain(err)))
	}
}

func (c *checker) badf(format string, args ...any) { c.problem(fmt.Sprintf(format, args...)) }

// files checks the store's files. It reports all other files in the directory as leftovers.
func (c *checker) files(leftover func(string)) error {
	db := c.s.db
	err := db.CheckFiles(c.ctx, c.s.meta.Files, c.badFile(), leftover)
	if err != nil {
		return err
	}
	if n, bytes := db.Waiting(); n > 0 {
		leftover(fmt.Sprintf("%s bytes in %s wait for readers of older states", index.Thousands(bytes), index.Plural(n, "file")))
	}
	for _, name := range db.Foreign() {
		leftover(fmt.Sprintf("%q: no part of a store", name))
	}
	for _, name := range c.s.meta.deadFiles(db.Names()) {
		leftover(name + ": an expansion index that is not in use")
	}
	return nil
}

// symbols loads all symbol tables again. Loading checks their blocks, order, productions and counts.
func (c *checker) symbols() error {
	_, err := c.s.loadSymbols()
	return err
}

// samples decodes every tree. It counts the samples again, and compares the counts with those in meta.
func (c *checker) samples() error {
	m := c.s.meta
	var words uint64
	var count sampleCounter
	labels := labelSet{m: map[string]*roaring.Bitmap{}}
	err := c.s.Samples(0, m.Samples, func(id uint32, t *index.Tree) error {
		if t.Kind != m.Kind || t.OneAlphabet != m.OneAlphabet {
			c.badf("sample %d: of another kind than the store's", id)
		}
		words += uint64(t.Words())
		count.add(t)
		labels.add(t.Label, id)
		return c.tick()
	})
	if err != nil {
		return err
	}
	c.has = labels.m
	if words != m.Words || count.documents() != m.Documents || count.sentences != m.Sentences {
		c.badf("samples have %d words, %d documents, %d sentences, and there should be %d, %d, %d",
			words, count.documents(), count.sentences, m.Words, m.Documents, m.Sentences)
	}
	if count.lists != m.Lists {
		c.badf("the lists of the samples are %+v, and there should be %+v", count.lists, m.Lists)
	}
	return nil
}

func (c *checker) labels() error {
	all, err := c.s.LabelBitmaps()
	if err != nil {
		return err
	}
	if uint32(len(all)) != c.s.meta.Labels {
		c.badf("%d labels, and there should be %d", len(all), c.s.meta.Labels)
	}
	if c.has == nil {
		return nil // the samples could not be read
	}
	for _, label := range slices.Sorted(maps.Keys(all)) {
		has := c.has[label]
		if has == nil {
			c.badf("label %q: no sample has it", label)
		} else if differ := roaring.Xor(has, all[label]); !differ.IsEmpty() {
			id := differ.Minimum()
			c.badf("label %q: %d samples too many or too few, the first is %d: the label has it %v, it has the label %v",
				label, differ.GetCardinality(), id, all[label].Contains(id), has.Contains(id))
		}
	}
	for _, label := range slices.Sorted(maps.Keys(c.has)) {
		if all[label] == nil {
			c.badf("label %q: missing", label)
		}
	}
	return nil
}

func (c *checker) spaces() error {
	for _, info := range c.s.meta.Spaces {
		c.foundIn("space", info.ID, c.space(info))
	}
	return nil
}

func (c *checker) space(info SpaceInfo) error {
	ranks, err := c.s.rankTable(info.Number)
	if err != nil {
		return err
	}
	it, err := c.s.Iter(info.Number, nil, nil)
	if err != nil {
		return err
	}
	defer it.Close()
	var steps []index.Step
	var ids, counts, places []uint32
	id, mark := uint32(0), 0
	lastMark := uint32(1)
	var last index.Code
	for it.Next() {
		if err := c.tick(); err != nil {
			return err
		}
		id++
		if id > 1 && bytes.Compare(last, it.Key()) >= 0 {
			c.badf("space %s: key %x after %x", info.ID, []byte(it.Key()), []byte(last))
		}
		last = append(last[:0], it.Key()...)
		var ok bool
		if steps, ok = index.Code(it.Key()).Steps(steps[:0]); !ok || len(steps) == 0 {
			c.badf("space %s: key %x is no code", info.ID, []byte(it.Key()))
		}
		ids, counts, places, err = posting.DecodePlaces(it.Value(), c.s.meta.Samples, ids[:0], counts[:0], places[:0])
		if err != nil {
			c.badf("space %s: fragment %x: %v", info.ID, []byte(it.Key()), err)
		}
		if mark < len(ranks.ids) && ranks.ids[mark] == id {
			if !bytes.Equal(ranks.codes[mark], it.Key()) {
				c.badf("space %s: rank %d has another code", info.ID, id)
			}
			mark, lastMark = mark+1, id
		} else if id-lastMark >= rankStep || id == 1 {
			c.badf("space %s: rank %d is missing", info.ID, id)
			lastMark = id
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if id != info.Features || mark != len(ranks.ids) {
		c.badf("space %s: %d fragments and %d of %d ranks, and there should be %d fragments",
			info.ID, id, mark, len(ranks.ids), info.Features)
	}
	return nil
}

func (c *checker) selections() error {
	for _, info := range c.s.meta.Selections {
		var last index.Code
		err := c.s.Entries(info.Name, 1, info.Features+1, func(id uint32, e *Entry) error {
			if _, ok := e.Code.Steps(nil); !ok || id > 1 && bytes.Compare(last, e.Code) >= 0 {
				c.badf("selection %q: entry %d: code %x", info.Name, id, []byte(e.Code))
			}
			last = append(last[:0], e.Code...)
			return c.tick()
		})
		c.foundIn("selection", strconv.Quote(info.Name), err)
	}
	return nil
}

func (c *checker) models() error {
	for _, info := range c.s.meta.Models {
		_, err := c.s.Model(info.Name)
		c.foundIn("model", strconv.Quote(info.Name), err)
	}
	return nil
}

// unknown reports keys that no method reads.
func (c *checker) unknown() error {
	var none, known []keyRange // spans that must be empty, and spans that methods read, ascending
	for _, s := range c.s.meta.Selections {
		p := keyspace{KindSelection, s.Generation, s.Number}
		none = append(none, keyRange{p.numbered(s.Features + 1), p.span().hi}, keyRange{p.prefix(), p.numbered(1)})
	}
	for class := range index.NumClasses {
		known = append(known, classSpan(class))
	}
	for k := KindSample; k <= KindModel; k++ {
		known = append(known, kindSpan(k))
	}
	known = append(known, keyRange{metaKey, append(slices.Clone(metaKey), 0)}, keyRange{lo: []byte{0xFF, 0xFF}})
	var lo []byte // nil means no bound
	for _, p := range known {
		none = append(none, keyRange{lo, p.lo})
		lo = p.hi
	}
	for _, p := range none {
		if err := c.reportKeys(p); err != nil {
			return err
		}
	}
	return c.s.eachPlace(func(_ keyspace, key []byte, ok bool) {
		if !ok {
			c.badf("unknown key %x", key)
		}
	})
}

// reportKeys reports every key in p as a problem.
func (c *checker) reportKeys(p keyRange) error {
	it, err := c.s.iter(p)
	if err != nil {
		return err
	}
	for ok := it.First(); ok && c.tick() == nil; ok = it.Next() {
		c.badf("unknown key %x", it.Key())
	}
	return it.Close()
}

// badFile returns a function that reports what is wrong with a file, and which data the file holds.
func (c *checker) badFile() func(name, what string) {
	holds, live := map[string]string{}, c.s.meta.files()
	c.s.db.EachTable(func(name string, first, last []byte) {
		const and = ", and "
		holds[name] = strings.TrimPrefix(holds[name]+and+c.s.meta.describeKeys(first, last), and)
	})
	return func(name, what string) {
		text := name + ": " + what
		switch {
		case holds[name] != "":
			text += "; it holds " + holds[name]
		case disk.IsExpansionName(name) && slices.Contains(live, name):
			text += "; it is an expansion index: that follows from the fragments"
		case disk.IsCopyName(name):
			text += "; it is the copy of the record of what the store holds: the next run that writes makes it anew"
		}
		c.problem(text)
	}
}
