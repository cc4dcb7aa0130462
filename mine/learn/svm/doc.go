// Package svm trains kernel machines over stored trees and evaluates them: soft-margin support vector
// machines ([Train]) and the voted perceptron ([TrainPerceptron]). Any registered space is a kernel.
//
// A [Model] is a list of trees with weights. It is evaluated through the components that its trees share
// (index.Merging). For the tree kernels, identical subtrees are one component, so a tree is compared once
// with each distinct subtree of the model. The rows of the kernel matrix for training are computed in the
// same way.
//
// Where to start reading: model.go defines a model, trees.go evaluates a tree against many trees, smo.go and
// active.go solve the training problem, and train.go trains and cross-validates models.
//
// No result depends on the number of workers or on the memory: rows are evaluated in parallel, but each sum
// is computed by one goroutine in ascending order. The package imports store, index, and other packages of
// mine/learn.
package svm
