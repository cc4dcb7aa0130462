package store

import (
	"sync"

	"github.com/dgraph-io/ristretto/v2"
)

// cache holds hot values within a budget of bytes. Sets are asynchronous, and dropped under load: only
// speed may depend on it.
type cache struct {
	bytes int64
	once  sync.Once // most runs never read one fragment twice
	c     *ristretto.Cache[[]byte, []byte]
}

// entryOverhead is about what an entry costs beside its key and value: its item in
// the maps of values and of costs, and the headers of two slices.
const entryOverhead = 160

// start returns nil where there is no budget: a cache of the library that keeps nothing.
func (c *cache) start() *ristretto.Cache[[]byte, []byte] {
	c.once.Do(func() {
		if c.bytes <= 0 {
			return
		}
		c.c, _ = ristretto.NewCache(&ristretto.Config[[]byte, []byte]{
			// Ten counters for each entry that fits, of half a byte each.
			NumCounters:        max(1000, 10*c.bytes/(entryOverhead+32)),
			MaxCost:            c.bytes,
			BufferItems:        64,
			IgnoreInternalCost: true, // it is in entryOverhead
		})
	})
	return c.c
}

func (c *cache) get(key []byte) ([]byte, bool) { return c.start().Get(key) }

// set keeps value, which must not change after.
func (c *cache) set(key, value []byte) {
	c.start().Set(key, value, int64(len(key)+len(value)+entryOverhead))
}

func (c *cache) close() {
	c.once.Do(func() {})
	c.c.Close()
}

// Keep keeps what was computed of the store among its hot values, under a name of the caller's.
func (s *Store) Keep(name string, value []byte) { s.hot.set(keptKey(name), value) }

// Kept returns what Keep was given; ok is false where it is not there, or no longer. It must not be
// changed.
func (s *Store) Kept(name string) (value []byte, ok bool) { return s.hot.get(keptKey(name)) }

// keptKey is a key that no fragment has: 0 is no Kind.
func keptKey(name string) []byte { return append([]byte{0}, name...) }
