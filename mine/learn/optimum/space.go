package optimum

import (
	"cmp"
	"context"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/judge"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/linear"
)

// Options say what Run does. A field that is zero takes its default.
type Options struct {
	// Learner is l1-svm or l1-logistic. It is ignored for K-best lists.
	Learner    string
	Space      string // the name or ID of the space; "" is the only space of the store
	MinSupport uint32 // the least number of samples that are trained on and have the fragment; 0 is 1
	MaxOrder   int    // 0: not limited

	C           float64 // the last price of the path
	Values      int     // how many prices the path has, both ends included; 0 is DefaultValues, or 1 with Lists
	ClassWeight map[string]float64
	Positive    string // see linear.Options
	// Folds are the folds of the labelled samples. With folds, the model gets the price with the best
	// accuracy on the held-out samples. Without folds, it gets the price C.
	Folds crossval.Folds

	// Lists says to train on the K-best lists of the store (see ranking), not on its labels. Folds and
	// ClassWeight are not used then. A candidate's score includes Base times its score from the parser.
	Lists bool
	Base  float64

	// Gap is the largest relative duality gap on the path: an objective can fall by at most this share. 0
	// stands for DefaultGap.
	Gap float64

	Workers  int   // 0: one for each processor
	Memory   int64 // about how many bytes growing fragments can take; 0 is 1 GiB
	Progress index.Progress
}

// Defaults of Options.
const (
	DefaultValues = 20
	DefaultGap    = 1e-4
)

func (o *Options) setDefaults() {
	o.MinSupport = cmp.Or(o.MinSupport, 1)
	o.C = cmp.Or(o.C, 1)
	if o.Values == 0 {
		if o.Values = DefaultValues; o.Lists {
			o.Values = 1
		}
	}
	o.Gap = cmp.Or(o.Gap, DefaultGap)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Workers = index.Workers(o.Workers)
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// space is the data that all machines share.
type space struct {
	ctx     context.Context
	o       *Options
	from    *judge.Source
	learner linear.Learner
	labels  [][]string // by sample
	plan    []string   // the labels that classes.Plan returns
	trees   [][2]uint64
	lists   *gradient.Problem // nil if the problem is one of labels
	trained []bool            // by sample: whether it is trained on
	active  bool              // whether passes count only samples with a θ, see dual.among
}

// firstOf maps each training sample to the first training sample with an equal tree.
func (s *space) firstOf(trained []bool) []uint32 {
	first := make([]uint32, len(trained))
	known := map[[2]uint64]uint32{}
	for i, ok := range trained {
		first[i] = uint32(i)
		if !ok {
			continue
		}
		if at, seen := known[s.trees[i]]; seen {
			first[i] = at
		} else {
			known[s.trees[i]] = uint32(i)
		}
	}
	return first
}

// treeKey returns a hash of a tree without its lines, comments, corrections, and candidate data.
func treeKey(t *index.Tree, buf []byte) ([2]uint64, []byte) {
	only := *t
	only.Lines, only.Comments, only.Corrections = nil, nil, nil
	only.Group, only.Candidate, only.Score, only.Gold = "", 0, 0, index.NotGold
	buf = index.AppendTree(buf[:0], &only)
	h := xxh3.Hash128(buf)
	return [2]uint64{h.Hi, h.Lo}, buf
}
