"""Fragments of parse trees as features for scikit-learn, by way of fstore.

    fstore python > fragments.py

    from fragments import FragmentVectorizer
    model = make_pipeline(FragmentVectorizer("demo.store"), LinearSVC())
    model.fit(trees, labels)  # a text for each tree, as any treebank has it, or an nltk.Tree
"""

import collections
import io
import json
import os
import re
import subprocess
import tempfile
import warnings

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
                on_error="empty" gives a row without features to what is not one good tree: a
                bad text, an empty one, None, NaN, a tree of another kind; "stop" raises.
                A text stands alone: what is in it changes no other row
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
        _refuse_string(trees)
        info = json.loads(self._run(["info", self.store, "--format", "jsonl"]))
        marked = re.search("svmtk|klp", info["format"])
        self.kind_ = "dependency" if info["trees"] == "dependency" else "marked" if marked else "brackets"
        with tempfile.TemporaryDirectory() as scratch:
            names = os.path.join(scratch, "names")
            rows, _ = self._linearize([_BAD[self.kind_]], "empty", "--names", names)
            with np.load(io.BytesIO(rows)) as arrays:
                self.vocabulary_ = str(arrays["vocabulary"])
            with open(names, encoding="utf-8", newline="\n") as lines:
                self.feature_names_ = np.array([line[:-1] for line in lines], dtype=object)
        return self

    def transform(self, trees):
        """Returns a row for each tree."""
        check_is_fitted(self)
        if self.on_error not in ("stop", "empty"):
            raise ValueError(f"on_error={self.on_error!r}: \"stop\" or \"empty\", so that each tree has a row")
        _refuse_string(trees)
        texts = [_text(tree, i) for i, tree in enumerate(trees)]
        if not texts:
            raise ValueError("no trees")
        empty = self.on_error == "empty"
        for i, text in enumerate(texts):
            if message := self._wrong(text):
                if not empty:
                    raise ValueError(f"text {i} {message}")
                texts[i] = ""
        # What stands first tells the format of all: it must be no bad text. Its row goes.
        lead = [_lead(texts, self.kind_)] if empty else []
        X, text = self._rows(lead + _with_columns(texts), "--expect", self.vocabulary_)
        return _one_each(X, text - len(lead), len(texts), empty)

    def get_feature_names_out(self, input_features=None):
        """Returns the fragments, one a column."""
        check_is_fitted(self)
        return self.feature_names_

    def _wrong(self, text):
        """Says why a text is left out before its format is known, "" for no reason."""
        if text == "":
            return "is empty: expected a tree"
        found = _SHAPE.match(text)
        if self.input_format is None and found and _KINDS[found.lastindex] != self.kind_:
            return f"is of the kind {_KINDS[found.lastindex]}: the store has {self.kind_}"
        if self.kind_ == "brackets" and _BLOCK.search(text):
            # Where the block has no end, what stands after the text has no row.
            _, rows = self._rows([_BAD["brackets"], text, "(S a)"], on_error="empty")
            if 2 not in rows:
                return "has a block without an end: expected */ or *~/"
        return ""

    def _rows(self, texts, *more, on_error=None):
        """Returns the rows of texts, and the text that the tree of each row is in."""
        with tempfile.TemporaryDirectory() as scratch:
            where = os.path.join(scratch, "lines")
            rows, ends = self._linearize(texts, on_error or self.on_error, "--lines-file", where, *more)
            lines = np.loadtxt(where, dtype=np.int64, ndmin=1)
        return sp.load_npz(io.BytesIO(rows)), np.searchsorted(ends, lines)

    def _linearize(self, texts, on_error, *more):
        """Pipes texts through fstore and returns the npz file that it writes, and the line
        on which each text ends."""
        command = ["linearize", self.store, "-", "--format", "npz", "--quiet", "--unknown-label", "0",
                   "--weight", self.weight, "--normalize", self.normalize, "--lambda", str(self.decay),
                   "--on-error", on_error, *self.options, *more]
        for flag, value in ("--selection", self.selection), ("--space", self.space), ("--input-format", self.input_format):
            for one in [value] if isinstance(value, str) else value or []:
                command += [flag, one]
        ends = np.cumsum([text.count("\n") + 2 for text in texts])
        return self._run(command, texts, ends), ends

    def _run(self, command, texts=(), ends=()):
        """Returns what fstore prints."""
        piped = "".join(text + "\n\n" for text in texts).encode(errors="surrogatepass")
        done = subprocess.run([self.fstore, *command], input=piped, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            message = done.stderr.decode(errors="replace").strip()
            if found := re.match(r"stdin:(\d+): ", message):
                message = f"text {np.searchsorted(ends, int(found[1]))}: {message}"
            raise RuntimeError(message)
        return done.stdout


# How a text with a tree begins, below comments: brackets, CoNLL, SVM-Light-TK and KeLP, SVM-light, K-best lists.
_SHAPE = re.compile(r"(?:\s*#[^\n]*\n)*\s*(?:(\()|(\d+\t[^\t\n]*\t[^\t\n]*\t)|(\S*\s*\|B[TVS][|:])|(\S+\s+(?:qid:\S+\s+)?\d+:)|(\d+\s\S+\n[^\n]*\n\())")

# The kinds of trees that these are.
_KINDS = [None, "brackets", "dependency", "marked", "marked", "brackets"]

# A text of each kind that is bad: a vector without features.
_BAD = {"brackets": "(S", "dependency": "1\t_", "marked": "0 |BT| (S |ET|"}

# Where a block of CorpusSearch may begin.
_BLOCK = re.compile(r"(?m)(?:^|\)|\*~?/)\s*/~?\*")

# The columns of CoNLL-U Plus, and those that a text has without them.
_COLUMNS = re.compile(r"(?m)^\s*#\s*global\.columns\s*=")
_CONLLU = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n"


def _lead(texts, kind):
    """Returns a text that begins as most of those of a kind do."""
    found = [(match.lastindex, text) for text in texts if (match := _SHAPE.match(text)) and _KINDS[match.lastindex] == kind]
    if not found:
        return _BAD[kind]
    times = collections.Counter(shape for shape, _ in found)
    most = max(times, key=lambda shape: (times[shape], -shape))
    return next(text for shape, text in found if shape == most)


def _with_columns(texts):
    """Returns texts none of which has the columns that an earlier one names."""
    named = [bool(_COLUMNS.search(text)) for text in texts]
    if not any(named):
        return texts
    return [text if own or text.startswith("(") else _CONLLU + text for own, text in zip(named, texts)]


def _refuse_string(trees):
    if isinstance(trees, str):
        raise ValueError("Iterable over raw text documents expected, string object received.")


def _text(tree, i):
    """Returns the text of a tree, "" where there is none."""
    if isinstance(tree, str):
        # At the beginning of a line a tree is found, whatever is before it.
        return tree.strip("\ufeff \t\r\n")
    if tree is None or isinstance(tree, (float, np.floating)) and np.isnan(tree) or type(tree).__name__ == "NAType":
        return ""
    if _is_tree(tree):
        return _brackets(tree)
    raise TypeError(f"text {i} is of type {type(tree).__name__}: expected a text or an nltk.Tree")


def _brackets(tree):
    """Returns an nltk.Tree in brackets on one line; "" where they have no place for a name."""
    names = [str(tree.label())]
    parts = []
    for child in tree:
        if _is_tree(child):
            parts.append(_brackets(child))
        else:
            names.append("/".join(map(str, child)) if isinstance(child, tuple) else str(child))
            parts.append(_escaped(names[-1]))
    if "" in parts or any(re.search(r"\s", name) for name in names):
        return ""
    return "(" + " ".join([_escaped(names[0])] + parts) + ")"


def _is_tree(value):
    return isinstance(value, (list, tuple)) and callable(getattr(value, "label", None))


def _escaped(name):
    return name.replace("(", "\\(").replace(")", "\\)")


def _one_each(X, text, texts, empty):
    """Returns a row for each text: that of its tree, or one without features."""
    trees = np.bincount(text[text >= 0], minlength=texts)[:texts]
    wrong = np.flatnonzero(trees > 1 if empty else trees != 1)
    if len(wrong):
        message = f"text {wrong[0]} holds {trees[wrong[0]]} trees: expected one"
        if not empty:
            raise ValueError(message)
        warnings.warn(f"{message}; {len(wrong)} such texts get rows without features", stacklevel=3)
    kept = np.flatnonzero((text >= 0) & (trees[text] == 1))
    X = X[kept]
    ends = np.zeros(texts + 1, dtype=X.indptr.dtype)
    ends[text[kept] + 1] = np.diff(X.indptr)
    return sp.csr_matrix((X.data, X.indices, np.cumsum(ends)), shape=(texts, X.shape[1]))
