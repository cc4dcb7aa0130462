"""Fragments of parse trees as features for scikit-learn, by way of fstore.

    fstore python > fragments.py

    from fragments import FragmentVectorizer
    model = make_pipeline(FragmentVectorizer("demo.store"), LinearSVC())
    model.fit(trees, labels)  # a text for each tree, as any treebank has it
"""

import io
import os
import subprocess
import tempfile

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted


class FragmentVectorizer(TransformerMixin, BaseEstimator):
    """Makes of trees a CSR matrix over the fragments of a store.

    store       what `fstore build` has made
    selection   a name, or a list of them, that `fstore mine` has given
    space       the same of spaces; with neither, all fragments of the store's one space
    weight, normalize, decay, input_format, on_error
                as `fstore linearize --help` has them (decay is its --lambda);
                on_error="empty" gives a bad tree a row without features, and "stop" raises
    options     more of its options, as a list: ["--strip-traces", "--workers", "2"]
    fstore      the program

    Nothing is learned from trees but which features there are: once fitted, a store whose
    fragments have changed is refused.
    """

    def __init__(self, store, selection=None, space=None, weight="binary", normalize="none", decay=0.4,
                 input_format=None, on_error="stop", options=(), fstore="fstore"):
        self.store = store
        self.selection = selection
        self.space = space
        self.weight = weight
        self.normalize = normalize
        self.decay = decay
        self.input_format = input_format
        self.on_error = on_error
        self.options = options
        self.fstore = fstore

    def fit(self, trees, y=None):
        """Finds out what the features are: the trees do not matter, bad ones neither."""
        some = next((tree for tree in trees if tree.strip()), "(")
        with tempfile.TemporaryDirectory() as scratch:
            names = os.path.join(scratch, "names")
            with np.load(io.BytesIO(self._linearize([some], "empty", "--names", names)[0])) as arrays:
                self.vocabulary_ = str(arrays["vocabulary"])
            with open(names, encoding="utf-8", newline="\n") as lines:
                self.feature_names_ = np.array([line[:-1] for line in lines], dtype=object)
        return self

    def transform(self, trees):
        """Returns a row for each tree."""
        check_is_fitted(self)
        if self.on_error not in ("stop", "empty"):
            raise ValueError(f"on_error={self.on_error!r}: \"stop\" or \"empty\", so that each tree has a row")
        trees = list(trees)
        with tempfile.TemporaryDirectory() as scratch:
            where = os.path.join(scratch, "lines")
            rows, ends = self._linearize(trees, self.on_error, "--expect", self.vocabulary_, "--lines-file", where)
            lines = np.loadtxt(where, dtype=np.int64, ndmin=1)
        X = sp.load_npz(io.BytesIO(rows))
        # The text that the tree of each row is in.
        texts = np.searchsorted(ends, lines)
        if not np.array_equal(texts, np.arange(len(trees))):
            count = np.bincount(texts, minlength=len(trees))
            wrong = np.argmax(count[:len(trees)] != 1)
            raise ValueError(f"text {wrong} holds {count[wrong]} trees: expected one")
        return X

    def get_feature_names_out(self, input_features=None):
        """Returns the fragments, one a column."""
        check_is_fitted(self)
        return self.feature_names_

    def _linearize(self, trees, on_error, *more):
        """Pipes trees through fstore and returns the npz file that it writes, and the line
        on which each tree ends."""
        if not trees:
            raise ValueError("no trees")
        command = [self.fstore, "linearize", self.store, "-", "--format", "npz", "--quiet", "--unknown-label", "0",
                   "--weight", self.weight, "--normalize", self.normalize, "--lambda", str(self.decay),
                   "--on-error", on_error, *self.options, *more]
        for flag, value in ("--selection", self.selection), ("--space", self.space), ("--input-format", self.input_format):
            for one in [value] if isinstance(value, str) else value or []:
                command += [flag, one]
        texts = [tree.rstrip("\n") + "\n\n" for tree in trees]
        done = subprocess.run(command, input="".join(texts).encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode(errors="replace").strip())
        return done.stdout, np.cumsum([text.count("\n") for text in texts])
