package runfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"
)

// FuzzReadBlock: written blocks are read back unchanged, and a wrong length allocates no memory.
func FuzzReadBlock(f *testing.F) {
	f.Add([]byte{3, 'a', 'b', 'c', 0, 1, 'd'})
	f.Add(append(binary.AppendUvarint(nil, 1<<40), "little"...))
	f.Add(binary.AppendUvarint(nil, 1<<63))
	f.Add(append(binary.AppendUvarint(nil, 200_000), make([]byte, 200_000)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := bufio.NewReader(bytes.NewReader(b))
		var again, block []byte
		var err error
		for err == nil {
			if block, err = ReadBlock(r, block); err == nil {
				again = append(binary.AppendUvarint(again, uint64(len(block))), block...)
			}
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20+8*uint64(len(b)) {
			t.Fatalf("%d bytes allocated for %d", n, len(b))
		}
		if len(again) > len(b) { // lengths may be written longer than they are by Append
			t.Fatalf("%d bytes read of %d", len(again), len(b))
		}
	})
}
