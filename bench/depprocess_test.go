//go:build unix

package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkDepProgram measures two runs on English-EWT train as a user makes them. (1) Every subtree of up to
// four arcs. The targets are 4 s of user CPU and 400 MB. (2) Table 1 of Qian & Liu with up to two arcs. The
// targets are 100 s, 1.5 GB and 1 GB on disk. The vectors are of English-EWT dev.
func BenchmarkDepProgram(b *testing.B) {
	for _, c := range []struct {
		name, space, order, support string
	}{
		{"any", "dep:siblings=any,template=rel+h.upos+m.upos", "4", "1"},
		{"any-dir", "dep:siblings=any,template=rel+h.upos+m.upos+dir", "4", "1"},          // 1,210,382 fragments
		{"qian-liu", "dep:siblings=adjacent,templates=qian-liu", "2", "3"},                // 24,592,519
		{"qian-liu-root", "dep:siblings=adjacent,templates=qian-liu,root-arcs", "2", "3"}, // 30,062,825
	} {
		train, dev := "ud/en_ewt-ud-train.conllu.gz", "ud/en_ewt-ud-dev.conllu.gz"
		dir := ""
		build := func(b *testing.B, bin string) (user, peak float64) {
			return usage(b, bin, "build", "--quiet", "--overwrite", dir, dataFile(b, train),
				"--space", c.space, "--max-order", c.order, "--min-support", c.support)
		}
		b.Run("build/"+c.name, func(b *testing.B) {
			bin := program(b)
			var user, peak float64
			dir = filepath.Join(b.TempDir(), "s")
			for b.Loop() {
				u, p := build(b, bin)
				user, peak = user+u, max(peak, p)
			}
			index, rest := sizes(b, dir)
			b.ReportMetric(user/float64(b.N), "user-s/op")
			b.ReportMetric(peak, "peak-MB")
			b.ReportMetric(float64(index)/1e6, "index-MB")
			b.ReportMetric(float64(rest)/1e6, "store-MB")
		})
		b.Run("linearize/"+c.name, func(b *testing.B) {
			bin := program(b)
			dir = filepath.Join(b.TempDir(), "s")
			build(b, bin)
			var user, peak float64
			for b.Loop() {
				u, p := usage(b, bin, "linearize", "--quiet", dir, dataFile(b, dev), "--workers", "1", "-o", os.DevNull)
				user, peak = user+u, max(peak, p)
			}
			b.ReportMetric(user/float64(b.N), "user-s/op")
			b.ReportMetric(peak, "peak-MB")
		})
	}
}
