package linearize

import "fstore/index"

// Weight says what a feature's value is.
type Weight string

const (
	Binary      Weight = "binary" // 1
	Count       Weight = "count"  // occurrences in the sample
	KernelValue Weight = "kernel" // the space's own value, see index.Value
	TFIDF       Weight = "tfidf"  // occurrences times the inverse document frequency, see idf
)

// Normalize says what a vector is divided by.
type Normalize string

const (
	NormalizeNone Normalize = "none"
	NormalizeL2   Normalize = "l2" // its own length
	// NormalizeKernel divides each feature by √K(t, t) of its space: the length over all
	// fragments of the space, stored or not.
	NormalizeKernel Normalize = "kernel"
)

// Options are how trees become vectors.
type Options struct {
	// Features are sets side by side, at least one: the ids of each follow those of the
	// one before.
	Features  []FeatureSet
	Weight    Weight    // "" is binary
	Normalize Normalize // "" is none
	Lambda    float64
	// Budget bounds the visited states of one tree, in each feature set, and the pairs of
	// its nodes that NormalizeKernel looks at (index.Quadratic); more is an error of the
	// tree. 0 is DefaultBudget, negative is no bound. It does not hold for K-best lists whose
	// trees are matched together, which are bounded in words instead: see listPacks.
	Budget int64
	// UnknownLabel is what is written for a label that the store does not know;
	// "" makes it an error.
	UnknownLabel string
}

// DefaultBudget is the default of Options.Budget.
const DefaultBudget = index.DefaultBudget
