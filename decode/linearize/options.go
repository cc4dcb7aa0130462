package linearize

import (
	"fstore/index"
	"fstore/mine/vocabulary"
)

// Weight says how the value of a feature is computed.
type Weight string

const (
	Binary      Weight = "binary" // the value is always 1
	Count       Weight = "count"  // number of occurrences in the sample
	KernelValue Weight = "kernel" // the space's own value, see index.Value
	TFIDF       Weight = "tfidf"  // number of occurrences times the inverse document frequency, see idf
)

// Normalize names the number by which a vector is divided.
type Normalize string

// FeatureSet describes fragments of a store that are used as features, in the order of their codes.
type FeatureSet struct {
	Space index.Space // a space of the store
	// Selection is the name of a selection of Space, whose fragments are the features. The value "" means all
	// stored fragments of Space.
	Selection string
	// Kept, if not nil, has those fragments of Space or Selection that are features.
	Kept *vocabulary.Subset
}

const (
	NormalizeNone Normalize = "none"
	NormalizeL2   Normalize = "l2" // the length of the vector itself
	// NormalizeKernel divides the features of each space by √K(t, t), where K is the kernel of the space.
	// √K(t, t) is the length of the vector over all fragments of the space, stored or not.
	NormalizeKernel Normalize = "kernel"
)

// Options say how vectors are made of trees.
type Options struct {
	// Features are the feature sets, at least one. The ids of each set follow those of the set before it.
	Features  []FeatureSet
	Weight    Weight    // "" means Binary
	Normalize Normalize // "" means no normalisation
	Lambda    float64
	// Budget limits the states visited for one tree in each feature set, and with NormalizeKernel the pairs
	// of nodes (index.Quadratic). A tree above the limit is an error. 0 means DefaultBudget, and a negative
	// number means no limit. K-best lists that are matched together (package lists) have no limit.
	Budget int64
	// UnknownLabel is written for a label that the store does not have. If it is "", such a label is an
	// error.
	UnknownLabel string
}

// DefaultBudget is the default of Options.Budget.
const DefaultBudget = index.DefaultBudget
