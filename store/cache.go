package store

import (
	"sync"

	"github.com/dgraph-io/ristretto/v2"
)

// cache keeps values that are read often, within a budget of bytes. Ristretto may drop any value, so no
// result may depend on whether get finds a value.
type cache struct {
	bytes int64
	once  sync.Once // started late, since most runs never read a fragment twice
	c     *ristretto.Cache[[]byte, []byte]
}

// entryOverhead is about how many bytes an entry takes in addition to its key and its value.
const entryOverhead = 160

// start returns Ristretto's cache, or nil if the budget is 0. A nil Ristretto cache keeps nothing.
func (c *cache) start() *ristretto.Cache[[]byte, []byte] {
	c.once.Do(func() {
		if c.bytes <= 0 {
			return
		}
		c.c, _ = ristretto.NewCache(&ristretto.Config[[]byte, []byte]{
			// Ristretto wants ten counters for each entry that fits. A counter takes half a byte.
			NumCounters:        max(1000, 10*c.bytes/(entryOverhead+32)),
			MaxCost:            c.bytes,
			BufferItems:        64,
			IgnoreInternalCost: true, // entryOverhead counts it already
		})
	})
	return c.c
}

func (c *cache) get(key []byte) ([]byte, bool) { return c.start().Get(key) }

// set puts value into the cache under key. The caller must not change value afterwards.
func (c *cache) set(key, value []byte) {
	c.start().Set(key, value, int64(len(key)+len(value)+entryOverhead))
}

func (c *cache) close() {
	c.once.Do(func() {})
	c.c.Close()
}
