package learn

import (
	"context"
	"fmt"
	"strings"

	"fstore/cli/command"
	"fstore/decode/predict"
	"fstore/mine/learn/linear"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
	"fstore/store"
)

// learner is a kind of model: how to train it, and how to open it for predictions.
type learner struct {
	name   string
	train  trainer // nil if --learner does not accept the name
	rerank trainer // like train, but from K-best lists with gold trees; nil if the learner needs labels
	// rerankOver is like rerank, for --over all.
	rerankOver trainer
	// check returns an error if the flags of c do not fit the learner.
	check func(c *training) error
	// open opens a model for predictions, with the flags of c. The result is a lists.ListModel or a
	// predict.Model.
	open func(ctx context.Context, c *prediction, s *store.Store, info *store.ModelInfo) (predict.Readable, error)

	linear linear.Learner // for linear models only
}

// trainer trains with the flags of c and puts the model into w as c.Name. It returns the closing line of the
// output, which tells what was decided.
type trainer func(ctx context.Context, env *command.Env, c *training, w *store.Writer) (decided string, err error)

// learners returns all learners.
func learners() []learner {
	all := []learner{
		{name: svm.LearnerSVM, train: trainSVM, check: (*training).checkKernel, open: openKernelModel},
		{name: svm.LearnerPerceptron, train: trainPerceptron, rerank: trainKernelReranker, check: (*training).checkKernel, open: openKernelModel},
		{name: svm.LearnerImported, open: openKernelModel},
		{name: linearImported, open: openLinearModel},
		{name: rerank.LearnerLinear, open: openReranker},
		{name: rerank.LearnerSVM, open: openReranker},
		{name: rerank.LearnerKernel, open: openKernelReranker},
	}
	for _, l := range linear.Learners() {
		x := learner{name: l.Name, train: trainLinear, check: (*training).checkLinear, open: openLinearModel, linear: l}
		switch l.Name {
		case linear.AveragedPerceptron:
			x.rerank = trainReranker
		case linear.L1SVM:
			x.rerankOver = trainOverLists
		}
		all = append(all, x)
	}
	return all
}

// Trainable returns the names of the learners that can be trained.
func Trainable() (names []string) {
	for _, l := range learners() {
		if l.train != nil {
			names = append(names, l.name)
		}
	}
	return names
}

func learnerNamed(name string) (learner, error) {
	for _, l := range learners() {
		if l.name == name {
			return l, nil
		}
	}
	return learner{}, fmt.Errorf("no learner %q: there are %s", name, strings.Join(Trainable(), ", "))
}
