package cli

import (
	"context"
	"fmt"
	"strings"

	"fstore/decode"
	"fstore/mine/linear"
	"fstore/mine/svm"
	"fstore/store"
)

// learner is what makes models, and what reads them to predict with.
type learner struct {
	name string
	// train trains with what the flags of c say and puts the model into w, under c.Name.
	// It returns what was decided, for the closing line; nil: models come by import only.
	train func(ctx context.Context, env *Env, c *trainCommand, w *store.Writer) (decided string, err error)
	// check says what is wrong with the flags of c.
	check func(c *trainCommand) error
	// open reads a model to predict with what the flags of c say.
	open func(ctx context.Context, c *predictCommand, s *store.Store, info *store.ModelInfo) (decode.Model, error)
}

// learners are all of them.
func learners() []learner {
	all := []learner{
		{svm.LearnerSVM, trainSVM, (*trainCommand).checkKernel, openKernelModel},
		{svm.LearnerPerceptron, trainPerceptron, (*trainCommand).checkKernel, openKernelModel},
		{svm.LearnerImported, nil, nil, openKernelModel},
		{linearImported, nil, nil, openLinearModel},
	}
	for _, l := range linear.Learners() {
		all = append(all, learner{l.Name, trainLinear, (*trainCommand).checkLinear, openLinearModel})
	}
	return all
}

// trainable are the names of those that train.
func trainable() (names []string) {
	for _, l := range learners() {
		if l.train != nil {
			names = append(names, l.name)
		}
	}
	return names
}

// learnerNamed returns a learner.
func learnerNamed(name string) (learner, error) {
	for _, l := range learners() {
		if l.name == name {
			return l, nil
		}
	}
	return learner{}, fmt.Errorf("no learner %q: there are %s", name, strings.Join(trainable(), ", "))
}
