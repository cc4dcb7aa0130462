package bench

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/selection"
	"fstore/store"
)

var (
	relabellings = flag.Int("relabellings", 1, "random relabellings of GUM in TestErrorRateOfGUM")
	relabelSeed  = flag.Uint64("relabel-seed", 1, "their seed; 0 is a new one")
)

// gum returns a store of GUM's six files, with the fragments of order at most 5 in two samples or more. The
// parameter labels has the labels of the samples. If it is nil, each file is a label.
func gum(t testing.TB, labels []string) *store.Store {
	t.Helper()
	var files []string
	for _, genre := range []string{"academic", "bio", "court", "interview", "news", "voyage"} {
		files = append(files, dataFile(t, "trees/gum-"+genre+".mrg.gz"))
	}
	fs := vfs.NewMem()
	_, err := builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Event: func() store.Event { return store.Event{} },
		Source: func(s *index.Symbols) (index.Source, error) {
			in, err := read.Open(files, read.InputOptions{Symbols: s, LabelOptions: read.LabelOptions{LabelFrom: []string{"file"}}})
			return &relabelled{in, labels}, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// relabelled is a source that gives other labels to its samples, if labels are set.
type relabelled struct {
	*read.Inputs
	labels []string // labels of the samples that were not read yet
}

func (r *relabelled) Next(t *index.Tree) error {
	err := r.Inputs.Next(t)
	if err == nil && r.labels != nil {
		t.Label, r.labels = r.labels[0], r.labels[1:]
	}
	return err
}

// An independent program has found the same numbers of fragments with exact p-values.
func TestFindingsOfGUM(t *testing.T) {
	s := gum(t, nil)
	alpha := 0.05
	for correct, want := range map[selection.Correction]uint64{selection.BonferroniCorrection: 1139, selection.TaroneCorrection: 1557} {
		got, err := selection.DryRun(context.Background(), s, selection.Options{By: "chi2", Alpha: &alpha, Correct: correct})
		if err != nil || got.Fragments != want {
			t.Errorf("%+v, want %d fragments: %v", got, want, err)
		}
	}
}

// If GUM's labels are given to its trees at random, every finding is false. No correction may have findings
// in more runs than alpha allows, apart from chance.
func TestErrorRateOfGUM(t *testing.T) {
	seed := *relabelSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	var labels []string
	s := gum(t, nil)
	err := s.SampleHeads(0, s.Meta().Samples, func(_ uint32, t *index.Tree) error {
		labels = append(labels, t.Label)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(seed, 1))
	corrections := []selection.Correction{selection.BonferroniCorrection, selection.TaroneCorrection, selection.WestfallYoungCorrection}
	alphas := []float64{0.05, 0.3}
	runs := map[string]int{}
	for range *relabellings {
		random.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		s := gum(t, labels)
		for _, correct := range corrections {
			for _, alpha := range alphas {
				o := selection.Options{By: "chi2", Alpha: &alpha, Correct: correct}
				if correct == selection.WestfallYoungCorrection {
					o.Permutations, o.Seed = 199, random.Uint64()
				}
				got, err := selection.DryRun(context.Background(), s, o)
				if err != nil {
					t.Fatal(err)
				}
				if got.Fragments > 0 {
					runs[fmt.Sprint(correct, " ", alpha)]++
				}
			}
		}
	}
	n := float64(*relabellings)
	for _, correct := range corrections {
		for _, alpha := range alphas {
			rate := float64(runs[fmt.Sprint(correct, " ", alpha)]) / n
			t.Logf("%s, alpha %v: a finding in %.3f of %v runs", correct, alpha, rate, n)
			if most := alpha + 3*math.Sqrt(alpha*(1-alpha)/n); rate > most {
				t.Errorf("more than %.3f", most)
			}
		}
	}
}
