# What somebody does who has installed the wheel: argv is the folder of the sample treebank.
import csv
import glob
import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import warnings

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


class Node(list):
    """What nltk.Tree is, to fstore."""

    def __init__(self, label, kids):
        super().__init__(kids)
        self.label = lambda: label


class Broken:
    def serialize(self):
        raise KeyError("broken")


# Deep trees are trees; what is none has an empty row, whatever it raises.
deep, ring = Node("S", ["a"]), Node("S", [])
for _ in range(20_000):
    deep = Node("S", [deep])
ring.append(ring)
assert fstore.Tree(deep).text == "(S " * 20_001 + "a" + ")" * 20_001
for bad, why in (ring, "below itself"), (Broken(), "broken"), (b"(S (A a))", "type bytes"), (Node("S", ["a b"]), "white space"):
    try:
        fstore.FragmentVectorizer().fit([trees[0], bad])
        raise SystemExit(f"{why} has passed")
    except (TypeError, ValueError) as error:
        assert str(error).startswith("text 1: ") and why in str(error), error
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        X = fstore.FragmentVectorizer(on_error="empty").fit(trees).transform([bad, None, trees[0]])
    assert why in str(said[-1].message) and (X.getnnz(axis=1) > 0).tolist() == [False, False, True], (why, said)

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


def check(table, *arguments):
    """Compares a table with what the command line prints, to the last value."""
    printed = fstore.run(*arguments, "--limit", "0", "--format", "csv", "--quiet").decode()
    names, *rows = csv.reader(io.StringIO(printed, newline=""))
    assert list(table.columns) == names and len(table) == len(rows) > 0, (arguments, table)
    for name, printed in zip(names, zip(*rows)):
        values = table[name]
        if values.dtype.kind == "O":
            assert values.tolist() == list(printed), name
        else:
            assert all(x == float(y) if y else x != x for x, y in zip(values, printed)), name
        if name.split(":")[0] in ("order", "support", "occurrences", "id", "hits"):
            assert values.dtype == "int64", name


# More rows than Arrow has in one batch, words that are no ASCII, and words that are numbers.
with open("more.mrg", "w", encoding="utf-8") as file:
    file.write("(S (NP (NN na\u00efve) (NN 007)) (X (NN NA) (NN \u6a39) (NN \U0001f332)))\n")
files = glob.glob(os.path.join(sys.argv[1], "*.mrg"))
fstore.run("build", "big", "more.mrg", *files, "--min-support", "1", "--label-from", "file",
           "--document-from", "file", "--quiet")
table = fstore.query("big", columns=["id", "dp"])
check(table, "query", "big", "--columns", "id,dp")
assert len(table) > 2 * 16384 and "(NN \u6a39)" in table.fragment.values, table
check(fstore.contrast("big", "news", "recipe"), "contrast", "big", "news", "recipe")
check(fstore.count("big", "(NN _)", "(NN none)"), "count", "big", "(NN _)", "(NN none)")
check(fstore.examples("big", "(NN _)"), "examples", "big", "(NN _)")
assert fstore.query("big", where="order > 99").order.dtype == "int64"
table = fstore.query(kept, columns="id", where="order == 1")
assert list(table.columns[:4]) == ["fragment", "order", "support", "occurrences"] and (table.order == 1).all(), table
