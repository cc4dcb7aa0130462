// Package svm trains kernel machines over stored trees and evaluates them: soft-margin
// support vector machines ([Train]) and the voted perceptron ([TrainPerceptron]). Any
// registered space is a kernel.
//
// A [Model] is trees with weights. It is evaluated through the components that its trees
// share (index.Merging): for the tree kernels, identical subtrees are one node, so that a
// tree is compared with each of them once, and not with each support vector. The rows
// that training needs are made in the same way.
//
// Where to start reading: model.go says what a model is, trees.go how a tree is evaluated
// against many, smo.go how a machine is found, active.go what its steps pass over, train.go
// how labels become machines.
//
// It imports store and index. Nothing depends on the number of workers or on the
// memory: rows are evaluated side by side, each sum by one goroutine in ascending order.
package svm
