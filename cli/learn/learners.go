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

// learner is what makes models, and what reads them to predict with.
type learner struct {
	name   string
	train  trainer // nil: no --learner of that name trains
	rerank trainer // train over K-best lists with gold trees; nil: it learns from labels only
	// rerankOver is rerank with --over all.
	rerankOver trainer
	// check says what is wrong with the flags of c.
	check func(c *training) error
	// open reads a model to predict with what the flags of c say: a lists.ListModel, or a predict.Model.
	open func(ctx context.Context, c *prediction, s *store.Store, info *store.ModelInfo) (predict.Readable, error)

	linear linear.Learner // of linear models
}

// trainer trains with what the flags of c say and puts the model into w, under c.Name. It returns what
// was decided, for the closing line.
type trainer func(ctx context.Context, env *command.Env, c *training, w *store.Writer) (decided string, err error)

// learners are all of them.
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

// Trainable are the names of those that train.
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
