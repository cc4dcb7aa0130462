package store

import (
	"encoding/binary"
	"fmt"

	"fstore/index"
)

// Symbols are stored in blocks of up to symbolBlock strings, under the id of the
// first: uvarint length and bytes of each. A key a string would take more bytes
// for keys than for words. An appending run starts a new block.
const symbolBlock = 64

// Symbols returns all symbol tables. They are loaded once and shared: nobody may
// intern into them (index.Symbols.Clone gives a copy to add to).
func (s *Store) Symbols() (*index.Symbols, error) {
	s.symbolsOnce.Do(func() {
		if s.symbols == nil { // a writer's are there
			s.symbols, s.symbolsErr = s.loadSymbols()
		}
	})
	return s.symbols, s.symbolsErr
}

func (s *Store) loadSymbols() (*index.Symbols, error) {
	syms := index.NewSymbols()
	for c := index.Class(0); c < index.NumClasses; c++ {
		err := s.scan(s.symbolSpan(c), func(key, v []byte) error {
			_, first, ok := parseSymbolKey(key)
			if !ok || first != uint32(syms.Len(c))+1 {
				return malformed("symbol key %x after %s %d", key, c, syms.Len(c))
			}
			return eachSymbol(v, func(b []byte) error {
				if c == index.Productions {
					if err := syms.CheckProduction(b); err != nil {
						return malformed("%v", err)
					}
				}
				if n := syms.Len(c); syms.Intern(c, b) != uint32(n)+1 {
					return malformed("%s %q has two ids", c, b)
				}
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
		if got, want := syms.Len(c), s.meta.Symbols[c]; got != int(want) {
			return nil, damaged(s.dir, fmt.Sprintf("%d %ss, and there should be %d", got, c, want), nil)
		}
	}
	return syms, nil
}

// symbolSpan are the blocks of class c that meta counts.
func (s *Store) symbolSpan(c index.Class) span {
	return span{symbolKey(c, 1), symbolKey(c, s.meta.Symbols[c]+1)}
}

// eachSymbol calls f for the strings of a block.
func eachSymbol(v []byte, f func(b []byte) error) error {
	for n := 0; len(v) > 0; n++ {
		k, w := binary.Uvarint(v)
		if w <= 0 || k > uint64(len(v)-w) || n == symbolBlock {
			return malformed("block of symbols")
		}
		if err := f(v[w : w+int(k)]); err != nil {
			return err
		}
		v = v[w+int(k):]
	}
	return nil
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
