# Trains on TRAIN.npz and on TRAIN.svmlight what liblinear-train -s 5 -B 1 does, with its
# tolerance, and tests on TEST: argv are TRAIN, TEST, the width and C.
import sys

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC

train, test, width, C = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])


def from_npz(name):
    return sp.load_npz(name + ".npz"), np.load(name + ".npz")["labels"]


def from_svmlight(name):
    return load_svmlight_file(name + ".svmlight", n_features=width, zero_based=False)


def same(a, b):
    return a[0].shape == b[0].shape and (a[0] != b[0]).nnz == 0 and (a[1] == b[1]).all()


assert same(from_npz(train), from_svmlight(train)) and same(from_npz(test), from_svmlight(test))
for load in from_npz, from_svmlight:
    X, y = load(train)
    learner = LinearSVC(penalty="l1", loss="squared_hinge", dual=False, C=C, tol=0.01, random_state=0)
    print(f"{load.__name__}: accuracy {100 * learner.fit(X, y).score(*load(test)):.4f}%")
