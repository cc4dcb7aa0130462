package svm

import (
	"fmt"
	"slices"
	"strconv"

	"fstore/index"
)

// Names of learners, in store.ModelInfo.Learner.
const (
	LearnerSVM        = "svm"
	LearnerPerceptron = "voted-perceptron"
	LearnerImported   = "svm-light-tk"
)

// Model has a kernel machine for each label, or one machine for two labels:
//
//	score(x) = Σ over the vectors of weight · K(vector, x) + Bias
//
// where K is normalised if Kernel.Normalize is set.
type Model struct {
	Config
	// Kind and OneAlphabet are those of the model's trees, and of all trees that it can score.
	Kind        index.Kind
	OneAlphabet bool

	// Labels are as classes.Plan returns them. Several machines have one label each. A single machine has
	// positive scores for Labels[0] and negative scores for Labels[1].
	Labels   []string
	Machines []Machine
	Vectors  []Vector
}

// Machine is the part of a model that belongs to one label.
type Machine struct {
	Bias float64
	// Steps are the steps of a voted perceptron, in order; nil for other learners.
	Steps []Step
}

// Vector is a training tree, with symbols from the store, and its weight in each machine.
type Vector struct {
	Tree    index.Tree
	Weights []float64
}

// Step is one correction of a perceptron (Freund & Schapire 1999). It adds Sign · K(v, x) to the score of a
// tree x, where v is Model.Vectors[Vector]. Votes is 1 plus the number of samples that the machine gets right
// until the next correction.
type Step struct {
	Vector uint32
	Sign   int8 // 1 or −1
	Votes  uint64
}

// binary says whether a single machine tells two labels apart.
func (m *Model) binary() bool { return len(m.Machines) == 1 }

// support returns the number of vectors that machine i uses.
func (m *Model) support(i int) (n int) {
	for v := range m.Vectors {
		if m.Vectors[v].Weights[i] != 0 {
			n++
		}
	}
	return n
}

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

// Settings returns the options of the kernel, in the form in which a store lists them.
func (k *Config) Settings() map[string]string {
	normalize := "none"
	if k.Normalize {
		normalize = "kernel"
	}
	return map[string]string{"lambda": strconv.FormatFloat(k.Lambda, 'g', -1, 64), "normalize": normalize}
}
