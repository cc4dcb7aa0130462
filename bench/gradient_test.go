//go:build unix

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"fstore/bench/lists"
	"fstore/bench/noise"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/gradient"
)

const (
	trainLists = "kbest/ewt-train-10best.kbest.conllu.gz"
	trainGold  = "kbest/ewt-train-10best.gold.conllu.gz"
	testLists  = "kbest/ewt-dev-10best.kbest.conllu.gz"
	testGold   = "kbest/ewt-dev-10best.gold.conllu.gz"
)

// listFiles are the files of lists and of their gold trees.
type listFiles struct{ kbest, gold string }

// writeLists makes two files with the lists that the function write writes.
func writeLists(b *testing.B, write func(w *lists.Writer) error) listFiles {
	b.Helper()
	dir := b.TempDir()
	f := listFiles{filepath.Join(dir, "lists.conllu"), filepath.Join(dir, "gold.conllu")}
	w, err := lists.Create(f.kbest, f.gold)
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(write(w), w.Close()); err != nil {
		b.Fatal(err)
	}
	return f
}

// trainSize is the number of training lists.
const trainSize = 12544

// someLists writes n of the training lists, evenly spread.
func someLists(b *testing.B, n int) listFiles {
	b.Helper()
	return writeLists(b, func(w *lists.Writer) error {
		i := 0
		return lists.Each(context.Background(), dataFile(b, trainLists), dataFile(b, trainGold), func(l *read.List, syms *index.Symbols) error {
			i++
			if (i-1)*n/trainSize == i*n/trainSize {
				return nil
			}
			return w.Add(l, syms)
		})
	})
}

// noisedLists writes n lists that are made from the gold trees of the training lists.
func noisedLists(b *testing.B, n int) listFiles {
	b.Helper()
	trees, syms := readAll(b, trainGold)
	return writeLists(b, func(w *lists.Writer) error {
		return noise.Write(w.KBest, w.Gold, trees, syms, noise.Options{Lists: n, Candidates: 10, Seed: 1})
	})
}

// largeLists is the largest number of lists for which all templates are mined up to order 3, unless
// FSTORE_LARGE is set.
const largeLists = 4000

// BenchmarkGradientGrowth measures how mining by gradient grows with the number of lists. It makes one
// iteration over training lists, and over lists made from their gold trees. A run takes minutes, so it is
// made once. Orders up to 3 of all templates take hours with more than largeLists lists, so they are mined
// only if FSTORE_LARGE is set. A metric with "^" is the exponent of growth from the next smaller number of
// lists.
func BenchmarkGradientGrowth(b *testing.B) {
	for _, space := range []struct {
		name, id string
		order    int
	}{
		{"two-templates", "dep:siblings=adjacent,root-arcs=true,template=rel+h.upos+m.upos,template=h.upos+m.upos+dir+dist", 3},
		{"qian-liu", "dep:siblings=adjacent,templates=qian-liu", 2},
		{"qian-liu", "dep:siblings=adjacent,templates=qian-liu", 3},
	} {
		for _, kind := range []struct {
			name  string
			write func(*testing.B, int) listFiles
			sizes []int
		}{
			{"lists", someLists, []int{1000, 4000, trainSize}},
			{"noised", noisedLists, []int{1000, 4000, trainSize, 40000}},
		} {
			done, smaller := map[int]growth{}, 0
			for _, n := range kind.sizes {
				if space.name == "qian-liu" && space.order == 3 && n > largeLists && os.Getenv("FSTORE_LARGE") == "" {
					continue
				}
				b.Run(fmt.Sprintf("%s/order=%d/%s/%d", space.name, space.order, kind.name, n), func(b *testing.B) {
					for first := true; b.Loop(); first = false {
						if !first {
							continue
						}
						b.StopTimer()
						f := kind.write(b, n)
						b.StartTimer()
						now := mineLists(b, f, space.id, space.order)
						now.lists = float64(n)
						now.report(b, done[smaller])
						done[n] = now
					}
				})
				smaller = n
			}
		}
	}
}

// growth has the counts and costs of a mining run.
type growth struct{ lists, features, candidates, user, peak, spilled float64 }

// mineLists mines lists.
func mineLists(b *testing.B, f listFiles, space string, order int) (g growth) {
	b.Helper()
	bin, dir := program(b), filepath.Join(b.TempDir(), "s")
	usage(b, bin, "build", "--quiet", dir, f.kbest, "--gold", f.gold, "--space", space, "--max-order", "1")
	log := dir + ".log"
	g.user, g.peak = usage(b, bin, "mine", dir, "--quiet", "--by", "gradient", "--min-count", "3", "--max-order", strconv.Itoa(order),
		"--iterations", "1", "--keep", "features", "--memory", "1GiB", "--max-fragments", "0", "--dry-run", "--log", log)
	line, err := os.ReadFile(log)
	if err != nil {
		b.Fatal(err)
	}
	var i gradient.Iteration
	if err := json.Unmarshal(line, &i); err != nil {
		b.Fatal(err)
	}
	g.features, g.spilled = float64(i.Features()), float64(i.SpilledBytes)/1e6
	for _, o := range i.Orders {
		g.candidates += float64(o.Candidates)
	}
	return g
}

func (g *growth) report(b *testing.B, before growth) {
	b.ReportMetric(g.features, "features")
	b.ReportMetric(g.candidates, "candidates")
	b.ReportMetric(g.user, "user-s")
	b.ReportMetric(g.peak, "peak-MB")
	b.ReportMetric(g.spilled, "spilled-MB")
	if before.lists == 0 {
		return
	}
	exponent := func(now, then float64) float64 { return math.Log(now/then) / math.Log(g.lists/before.lists) }
	b.ReportMetric(exponent(g.features, before.features), "features^")
	b.ReportMetric(exponent(g.candidates, before.candidates), "candidates^")
	b.ReportMetric(exponent(g.user, before.user), "user^")
	b.ReportMetric(exponent(g.peak, before.peak), "peak^")
}
