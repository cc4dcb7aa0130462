package bench

import (
	"fmt"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/vector"
	"fstore/store/runfile"
)

// BenchmarkWrite measures writing vectors from memory in each format. The vectors have 100 features, with one
// value or with twenty values. The writer is closed after every 10,000 vectors, because some formats write
// only then.
func BenchmarkWrite(b *testing.B) {
	const rows, distinct = 10_000, 20
	for _, f := range vector.Formats() {
		for _, values := range []int{1, distinct} {
			b.Run(fmt.Sprintf("%s/%d", f.Name, values), func(b *testing.B) {
				v := vector.Vector{Sample: "a treebank.mrg#1", Label: "+1"}
				for id := uint32(1); id < 1_000_000; id += 10_007 {
					v.ID, v.Value = append(v.ID, id), append(v.Value, 1/float64(1+len(v.ID)%values))
				}
				o := vector.Options{Features: 1_000_000, Scratch: runfile.Dir{FS: vfs.Default}}
				b.ReportAllocs()
				for b.Loop() {
					o.Scratch.Path = b.TempDir() + "/scratch"
					w := f.Open(io.Discard, o)
					for range rows {
						if err := w.Write(&v); err != nil {
							b.Fatal(err)
						}
					}
					if err := w.Close(); err != nil {
						b.Fatal(err)
					}
				}
				perSecond(b, rows*len(v.ID), "Mvalues/s")
			})
		}
	}
}
