package store

import (
	"fmt"
	"math/bits"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// Symbols are stored in blocks of up to symbolBlock strings. The key of a block has the id of its first
// string. A run that appends starts a new block.
const symbolBlock = 64

// Symbols returns all symbol tables, which are loaded once and shared. Nobody may intern into them; use
// index.Symbols.Overlay for that.
func (s *Store) Symbols() (*index.Symbols, error) { return s.symbols() }

// MatchingSymbols returns the symbols that are needed to match new trees with codes. The bit set `live` has
// the symbols of the codes. In a large store, MatchingSymbols takes half the time of Symbols.
func (s *Store) MatchingSymbols(live []uint64) (*index.Symbols, error) {
	syms := index.NewSymbols()
	syms.Expect(s.meta.Symbols)
	if err := s.loadClass(syms, index.Productions, live); err != nil {
		return nil, err
	}
	var g errgroup.Group
	for c, set := range syms.Referred() {
		for i := range min(len(set), len(live)) {
			set[i] |= live[i]
		}
		g.Go(func() error { return s.loadClass(syms, index.Class(c), set) })
	}
	g.Go(func() error { return s.loadClass(syms, index.Features, nil) })
	return syms, g.Wait()
}

func (s *Store) loadSymbols() (*index.Symbols, error) {
	syms := index.NewSymbols()
	syms.Expect(s.meta.Symbols)
	var g errgroup.Group // in parallel: half of the time to open a large store is spent here
	for c := range index.NumClasses {
		g.Go(func() error { return s.loadClass(syms, c, nil) })
	}
	return syms, g.Wait()
}

// loadClass loads the symbols of class c, or only those in a bit set of ids if the set is not nil.
func (s *Store) loadClass(syms *index.Symbols, c index.Class, some []uint64) error {
	n := s.meta.Symbols[c]
	if some != nil {
		n = min(n, count(some))
	}
	syms.Reserve(c, n)
	var block [][]byte
	err := s.scan(keyRange{symbolKey(c, 1), symbolKey(c, s.meta.Symbols[c]+1)}, func(key, v []byte) (err error) {
		first, ok := parseNumber(key[2:])
		if !ok || first != uint32(syms.Len(c))+1 {
			return disk.Malformed("symbol key %x after %s %d", key, c, syms.Len(c))
		}
		if block, err = appendBlock(block[:0], v); err != nil {
			return err
		}
		for i := range block {
			if id := first + uint32(i); some != nil && (int(id>>6) >= len(some) || some[id>>6]>>(id&63)&1 == 0) {
				block[i] = nil
			}
		}
		if err := syms.AppendNew(c, block); err != nil {
			return disk.Malformed("%v", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if got, want := syms.Len(c), s.meta.Symbols[c]; got != int(want) {
		return s.db.Damaged(fmt.Sprintf("%d %ss, and there should be %d", got, c, want), nil)
	}
	return nil
}

// appendBlock appends the strings of the block v to dst.
func appendBlock(dst [][]byte, v []byte) ([][]byte, error) {
	for n := 0; len(v) > 0; n++ {
		var symbol []byte
		var ok bool
		if symbol, v, ok = runfile.CutBlock(v); !ok || n == symbolBlock {
			return dst, disk.Malformed("block of symbols")
		}
		dst = append(dst, symbol)
	}
	return dst, nil
}

// flushSymbols writes the symbols that were interned since the last call.
func (w *Writer) flushSymbols() error {
	var block []byte
	t, now := w.change.Table(), w.meta.Symbols
	for c := range index.NumClasses {
		now[c] = uint32(w.symbols.Len(c))
		for id := w.meta.Symbols[c] + 1; id <= now[c]; {
			first := id
			block = block[:0]
			for ; id < first+symbolBlock && id <= now[c]; id++ {
				block = runfile.AppendBlock(block, w.symbols.Bytes(c, id))
			}
			if err := t.Put(symbolKey(c, first), block); err != nil {
				return t.Close(err)
			}
		}
	}
	if err := t.Close(nil); err != nil {
		return err
	}
	w.meta.Symbols = now
	return nil
}

// count returns the number of ids in a bit set.
func count(set []uint64) (n uint32) {
	for _, x := range set {
		n += uint32(bits.OnesCount64(x))
	}
	return n
}
