package store

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sync/errgroup"

	"fstore/index"
)

// Symbols are stored in blocks of up to symbolBlock strings, under the id of the
// first: uvarint length and bytes of each. A key a string would take more bytes
// for keys than for words. An appending run starts a new block.
const symbolBlock = 64

// Symbols returns all symbol tables. They are loaded once and shared: nobody may
// intern into them (index.Symbols.Overlay is for that).
func (s *Store) Symbols() (*index.Symbols, error) {
	s.symbolsOnce.Do(func() {
		if s.symbols == nil { // a writer's are there
			s.symbols, s.symbolsErr = s.loadSymbols(0, nil)
		}
	})
	return s.symbols, s.symbolsErr
}

// SymbolsIn returns the symbol tables without those symbols of a class that live is
// false for: to match new trees, where a symbol that is in no code is like an unknown
// one. That opens a large store in a third of the time.
func (s *Store) SymbolsIn(c index.Class, live func(id uint32) bool) (*index.Symbols, error) {
	return s.loadSymbols(c, live)
}

// loadSymbols loads the symbols, of one class only those that live is true for; nil is
// true for all.
func (s *Store) loadSymbols(part index.Class, live func(id uint32) bool) (*index.Symbols, error) {
	syms := index.NewSymbols()
	syms.Expect(s.meta.Symbols)
	var g errgroup.Group
	for c := range index.NumClasses {
		some := live
		if c != part {
			some = nil
		}
		g.Go(func() error { return s.loadClass(syms, c, some) })
	}
	return syms, g.Wait()
}

// loadClass fills one table.
func (s *Store) loadClass(syms *index.Symbols, c index.Class, live func(id uint32) bool) error {
	if live == nil {
		syms.Reserve(c, s.meta.Symbols[c])
	}
	var block [][]byte
	err := s.scan(s.symbolSpan(c), func(key, v []byte) (err error) {
		_, first, ok := parseSymbolKey(key)
		if !ok || first != uint32(syms.Len(c))+1 {
			return malformed("symbol key %x after %s %d", key, c, syms.Len(c))
		}
		if block, err = appendBlock(block[:0], v); err != nil {
			return err
		}
		for i := range block {
			if live != nil && !live(first+uint32(i)) {
				block[i] = nil
			}
		}
		if err := syms.AppendNew(c, block); err != nil {
			return malformed("%v", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if got, want := syms.Len(c), s.meta.Symbols[c]; got != int(want) {
		return damaged(s.dir, fmt.Sprintf("%d %ss, and there should be %d", got, c, want), nil)
	}
	return nil
}

// symbolSpan are the blocks of class c that meta counts.
func (s *Store) symbolSpan(c index.Class) span {
	return span{symbolKey(c, 1), symbolKey(c, s.meta.Symbols[c]+1)}
}

// appendBlock appends the strings of a block, which v holds.
func appendBlock(dst [][]byte, v []byte) ([][]byte, error) {
	for n := 0; len(v) > 0; n++ {
		k, w := binary.Uvarint(v)
		if w <= 0 || k > uint64(len(v)-w) || n == symbolBlock {
			return dst, malformed("block of symbols")
		}
		dst = append(dst, v[w:w+int(k)])
		v = v[w+int(k):]
	}
	return dst, nil
}

// writeSymbols writes the symbols of syms that before does not count.
func writeSymbols(w *sortedWriter, syms *index.Symbols, before [index.NumClasses]uint32) error {
	var block []byte
	for c := index.Class(0); c < index.NumClasses; c++ {
		for id := before[c] + 1; id <= uint32(syms.Len(c)); {
			first := id
			block = block[:0]
			for ; id < first+symbolBlock && id <= uint32(syms.Len(c)); id++ {
				b := syms.Bytes(c, id)
				block = binary.AppendUvarint(block, uint64(len(b)))
				block = append(block, b...)
			}
			if err := w.put(symbolKey(c, first), block); err != nil {
				return err
			}
		}
	}
	return nil
}
