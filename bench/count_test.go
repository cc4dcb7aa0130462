//go:build unix

package bench

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fstore/mine/count"
	"fstore/mine/query"
	"fstore/store"
)

// BenchmarkCount measures the command count as a user runs it:
//
//	read/match  trees read for each tree with a hit, on average over 100 patterns of two building blocks
//	            whose parts are stored (target: at most 2)
//	bound-ms    the time of a process for such a pattern, the least of five runs (target: at most 100)
//	all-user-s  the CPU time of a pattern for which every tree must be read (target: at most 0.6)
func BenchmarkCount(b *testing.B) {
	for _, c := range []struct{ name, file, bound, all string }{
		{"ewt-train", "ud/en_ewt-ud-train.conllu.gz", "PRON <nsubj VERB >obj NOUN", "_ >acl:relcl _"},
		{"icepahc", "trees/icepahc.psd.gz", "(PP (P _) (NP (NP-POS) (N-D)))", "(IP-SUB ... (NP-SBJ ...) ... (VBDI _) ...)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			file := dataFile(b, c.file)
			bin := program(b)
			dir := filepath.Join(b.TempDir(), "s")
			usage(b, bin, "build", "--quiet", dir, file)
			ratio := readByMatch(b, dir)
			least, user := time.Hour, 0.0
			for b.Loop() {
				for range 5 {
					from := time.Now()
					usage(b, bin, "count", dir, c.bound, "-q", "-o", os.DevNull)
					least = min(least, time.Since(from))
				}
				u, _ := usage(b, bin, "count", dir, c.all, "-q", "-o", os.DevNull)
				user += u
			}
			b.ReportMetric(ratio, "read/match")
			b.ReportMetric(float64(least.Milliseconds()), "bound-ms")
			b.ReportMetric(user/float64(b.N), "all-user-s")
		})
	}
}

// readByMatch returns the number of trees read for each tree with a hit, on average over 100 stored fragments
// of order 2.
func readByMatch(b *testing.B, dir string) float64 {
	b.Helper()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	t, err := query.Open(s, "")
	if err != nil {
		b.Fatal(err)
	}
	x, err := count.Open(s, "")
	if err != nil {
		b.Fatal(err)
	}
	x.NoFragments = true
	const patterns = 100
	step, n, sum, seen := t.Info.Fragments[2]/patterns, 0, 0.0, uint64(0)
	err = t.Each(context.Background(), func(r *query.Row) error {
		if r.Order != 2 || n == patterns {
			return nil
		}
		if seen++; seen%step != 0 {
			return nil
		}
		c, err := x.Parse(string(t.Text(nil, r.Code)))
		if err != nil {
			return err
		}
		found, err := x.Find(context.Background(), []*count.Construction{c}, count.Options{})
		if err == nil && found[0].Match > 0 {
			n++
			sum += float64(found[0].Read) / float64(found[0].Match)
		}
		return err
	})
	if err != nil || n == 0 {
		b.Fatal(n, err)
	}
	return sum / float64(n)
}
