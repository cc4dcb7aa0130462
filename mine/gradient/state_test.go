package gradient

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestHostileCheckpoint: a file that claims more data than it has is an error, and the claimed data take no
// memory.
func TestHostileCheckpoint(t *testing.T) {
	words := func(x ...uint64) (b []byte) {
		for _, n := range x {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
		return b
	}
	none := append(words(2), "[]"...)
	for name, b := range map[string][]byte{
		"nothing":    nil,
		"iterations": words(1<<64-1, 0),
		"no JSON":    append(words(2), "[,"...),
		"features":   append(bytes.Clone(none), words(0, 0, 1<<60, 0)...),
		"block":      append(bytes.Clone(none), words(0, 0, 1, 1<<60, 1<<63)...),
		"no block":   append(bytes.Clone(none), words(0, 0, 1, 9)...),
	} {
		m := &miner{o: &Options{}, s: &streamFiles{fs: vfs.NewMem(), budget: 1 << 20}}
		m.models = []*model{newModel(m.o, m.s)}
		if _, err := m.read(bytes.NewReader(b)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
