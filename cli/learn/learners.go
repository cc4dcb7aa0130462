package learn

import (
	"fmt"
	"strings"

	"fstore/mine/learn/linear"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
)

func allLearners() []learner {
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

// Trainable returns the values of --learner.
func Trainable() (names []string) {
	for _, l := range allLearners() {
		if l.train != nil {
			names = append(names, l.name)
		}
	}
	return names
}

func learnerNamed(name string) (learner, error) {
	for _, l := range allLearners() {
		if l.name == name {
			return l, nil
		}
	}
	return learner{}, fmt.Errorf("no learner %q: there are %s", name, strings.Join(Trainable(), ", "))
}
