# What somebody does who has installed the wheel: argv is the folder of the sample treebank.
import glob
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import scipy.io
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import fstore

trees, labels = [], []
for file in sorted(glob.glob(os.path.join(sys.argv[1], "*.mrg"))):
    for tree in fstore.run("cat", file, "--to", "ptb", "--quiet").decode().splitlines():
        trees.append(tree)
        labels.append(os.path.basename(file))

model = make_pipeline(fstore.FragmentVectorizer(space="stk", max_order=4), LinearSVC())
accuracy = cross_val_score(model, trees, labels, cv=10).mean()
print(f"accuracy {100 * accuracy:.1f}%")
search = GridSearchCV(model, {"fragmentvectorizer__max_order": [1, 3]}, cv=3).fit(trees, labels)
again = pickle.loads(pickle.dumps(search))
assert (again.predict(trees) == search.predict(trees)).all()

fragments = clone(model[0]).set_params(select="chi2:alpha=0.05", max_order=3).fit(trees, labels)
X, names = fragments.transform(trees), fragments.get_feature_names_out()
assert X.shape == (len(trees), len(names)) and "selected" in str(fstore.run("info", fragments.path_))

# A process that dies is started anew, also in the midst of an answer; it ends with its object.
child = fragments._process.process
os.kill(child.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
assert (fragments.transform(trees) != X).nnz == 0
threading.Timer(0.01, lambda: fragments._process.process.kill()).start()
assert fragments.transform(trees * 20).shape[0] == 20 * len(trees)
child, path = fragments._process.process, fragments.path_
try:
    fragments.transform([trees[0], "(S (NP"])
    raise SystemExit("a bad tree has passed")
except ValueError as error:
    assert str(error).startswith("text 1: the tree that starts here is truncated"), error
fragments.transform(trees[:1])
child = fragments._process.process
del fragments
assert child.poll() is not None and not os.path.exists(path)

# A store that is kept; a pickle of it wants the same fragments.
kept = os.path.join(os.getcwd(), "kept store")
one = fstore.FragmentVectorizer(kept, max_order=2, weight="count", normalize="none").fit(trees, labels)
packed = pickle.dumps(one)
assert (pickle.loads(packed).transform(trees) != one.transform(trees)).nnz == 0
fstore.run("build", kept, "--overwrite", os.path.join(sys.argv[1], "news.mrg"), "--quiet")
try:
    pickle.loads(packed).transform(trees)
    raise SystemExit("another vocabulary has passed")
except RuntimeError as error:
    print(error)

# Matrices in two formats are one.
for name in "m.npz", "m.mtx":
    fstore.run("linearize", kept, "--training", "--weight", "kernel", "-o", name, "--quiet")
assert (sp.load_npz("m.npz") != scipy.io.mmread("m.mtx").tocsr()).nnz == 0

assert fstore.Tree(trees[0])._repr_svg_().startswith("<svg")
try:
    import pandas
except ImportError:
    raise SystemExit(0)
table = fstore.query(kept, columns="id", where="order == 1")
assert list(table.columns[:4]) == ["fragment", "order", "support", "occurrences"] and (table.order == 1).all(), table
