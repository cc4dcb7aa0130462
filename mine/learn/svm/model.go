package svm

import (
	"fmt"
	"slices"
	"strconv"

	"fstore/index"
)

// Learners of models, as store.ModelInfo.Learner names them.
const (
	LearnerSVM        = "svm"
	LearnerPerceptron = "voted-perceptron"
	LearnerImported   = "svm-light-tk"
)

// Model is a kernel machine for each label, or one machine for two labels:
//
//	score(x) = Σ over the vectors of weight · K(vector, x) + Bias
//
// with K normalised where Kernel.Normalize is set.
type Model struct {
	Kernel
	// Kind and OneAlphabet are those of the trees, and of what is scored.
	Kind        index.Kind
	OneAlphabet bool

	// Labels has a machine each, in byte order. Where there is one machine, it is positive
	// for Labels[0] and negative for Labels[1], which may be "": any other.
	Labels   []string
	Machines []Machine
	Vectors  []Vector
}

// Machine is the part of a model that is of one label alone.
type Machine struct {
	Bias float64
	// Steps are those of a voted perceptron, in order; nil: it is none.
	Steps []Step
}

// Vector is a tree, over the symbols of the store, and its weight in each machine, 0
// where it is none of the machine's.
type Vector struct {
	Tree    index.Tree
	Weights []float64
}

// Step is a correction of a perceptron (Freund & Schapire 1999): from it on, until
// the next, the machine had the vector's kernel added Sign times, and got Votes samples
// right, the correction counted.
type Step struct {
	Vector uint32
	Sign   int8 // 1 or −1
	Votes  uint64
}

// binary says whether one machine tells two labels apart.
func (m *Model) binary() bool { return len(m.Machines) == 1 }

// support is the number of vectors that machine i has.
func (m *Model) support(i int) (n int) {
	for v := range m.Vectors {
		if m.Vectors[v].Weights[i] != 0 {
			n++
		}
	}
	return n
}

// check says what is wrong with a model that was read.
func (m *Model) check() error {
	labels := len(m.Machines)
	if m.binary() {
		labels = 2
	}
	if len(m.Machines) == 0 || len(m.Labels) != labels || !m.binary() && !slices.IsSorted(m.Labels) {
		return fmt.Errorf("%d machines for %d labels", len(m.Machines), len(m.Labels))
	}
	for i := range m.Vectors {
		v := &m.Vectors[i]
		if v.Tree.Kind != m.Kind || v.Tree.OneAlphabet != m.OneAlphabet {
			return fmt.Errorf("vector %d is a tree of another kind", i)
		}
	}
	for _, x := range m.Machines {
		for _, s := range x.Steps {
			if int(s.Vector) >= len(m.Vectors) || s.Sign != 1 && s.Sign != -1 {
				return fmt.Errorf("a step of vector %d", s.Vector)
			}
		}
	}
	return nil
}

// Settings are the options of the kernel as a store lists them.
func (k *Kernel) Settings() map[string]string {
	normalize := "none"
	if k.Normalize {
		normalize = "kernel"
	}
	return map[string]string{"lambda": strconv.FormatFloat(k.Lambda, 'g', -1, 64), "normalize": normalize}
}
