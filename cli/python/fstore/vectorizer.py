"""Fragments of parse trees as features for scikit-learn, by way of fstore.

    from fstore import FragmentVectorizer
    model = make_pipeline(FragmentVectorizer(space="stk", max_order=4), LinearSVC())
    model.fit(trees, labels)

Where the package is not installed, `fstore python > fragments.py` writes this module.
"""

import contextlib
import io
import json
import multiprocessing
import multiprocessing.util
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import threading
import warnings
import weakref

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

try:
    from fstore import program as _program
except ImportError:  # this file alone

    def _program():
        return "fstore"


class FragmentVectorizer(TransformerMixin, BaseEstimator):
    """Makes of trees a CSR matrix over their fragments.

    A tree is a text in any format that fstore reads, an nltk.Tree, a TokenList of conllu, or a
    path (os.PathLike) of a file with one.

    store       None: fit builds a store of the trees, which goes with this object. A path where
                there is nothing yet: fit builds it there, and it stays. A path of a store: it
                is used as it is, and fit learns nothing.
    space, max_order, min_support
                as `fstore build --help` has them, for a store that is built
    select      fragments to choose among, as mine has them: "chi2:alpha=0.001", "support:top=500"
    selection   of a store that is there: a name, or a list of them, that `fstore mine` has given
    weight, normalize, decay
                as `fstore linearize --help` has them (decay is its --lambda). The defaults here
                are the kernel's: they decide better than binary values for most learners.
    on_error    "stop" raises where a tree is not one good tree; "empty" gives it a row without
                features: a bad text, an empty one, None, NaN, a tree of another kind
    options     more options of build and linearize, as a list: ["--as", "grct"]
    fstore      the program, None for that of this environment

    Once fitted, a store whose fragments have changed is refused. One process makes the vectors of
    all calls. It is started anew where it died, and ends with this object. A pickle holds a store
    that was built for this object alone.
    """

    def __init__(self, store=None, *, space=None, max_order=None, min_support=None, select=None, selection=None,
                 weight="kernel", normalize="l2", decay=0.4, on_error="stop", options=(), fstore=None):
        self.store = store
        self.space, self.max_order, self.min_support = space, max_order, min_support
        self.select, self.selection = select, selection
        self.weight, self.normalize, self.decay = weight, normalize, decay
        self.on_error = on_error
        self.options = options
        self.fstore = fstore

    def fit(self, trees, y=None):
        """Builds a store of the trees, or finds out what the features of one are."""
        texts = _texts(trees, self.on_error)
        self._close()
        there = self.store is not None and os.path.exists(os.fspath(self.store))
        if there and any(x is not None for x in (self.max_order, self.min_support, self.select)):
            raise ValueError(f"{self.store} is there already: max_order, min_support and select are for a store to be built")
        self._owned = _Directory() if self.store is None else None
        self.path_ = os.path.join(self._owned.path, "store") if self._owned else os.fspath(self.store)
        self.selection_ = self.selection
        if not there:
            self._build(texts, y)
        info = json.loads(self._run("info", self.path_, "--format", "jsonl"))
        self.kind_ = info["trees"]
        with tempfile.TemporaryDirectory() as scratch:
            names, npz = os.path.join(scratch, "names"), os.path.join(scratch, "none.npz")
            self._run(*self._linearize("empty", npz), "--names", names, input=b'""\n')
            with np.load(npz) as arrays:
                self.vocabulary_ = str(arrays["vocabulary"])
            with open(names, encoding="utf-8", newline="\n") as lines:
                self.feature_names_ = np.array([line[:-1] for line in lines], dtype=object)
        return self

    def transform(self, trees):
        """Returns a row for each tree."""
        check_is_fitted(self, "vocabulary_")
        if self.on_error not in ("stop", "empty"):
            raise ValueError(f'on_error={self.on_error!r}: "stop" or "empty", so that each tree has a row')
        texts = _texts(trees, self.on_error)
        if not texts:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        rows = self._rows(texts)
        ends = np.cumsum([0] + [len(row["features"]) for row in rows], dtype=np.int64)
        if ends[-1] <= np.iinfo(np.int32).max:
            ends = ends.astype(np.int32)  # as the ids: scipy would look for a type that holds both
        ids = np.fromiter((i for row in rows for i in row["features"]), dtype=np.int32, count=ends[-1])
        values = np.fromiter((x for row in rows for x in row["values"]), dtype=np.float64, count=ends[-1])
        return sp.csr_matrix((values, ids - 1, ends), shape=(len(rows), len(self.feature_names_)))

    def _rows(self, texts, again=True):
        """Returns what the process answers; one that was killed is started once more."""
        with _LOCK:
            try:
                return self._child().rows(texts)
            except _Ended as ended:
                self._stop()
                error, again = ended.error, again and ended.killed
            except BaseException:  # in the midst of an answer
                self._stop()
                raise
        try:
            if again:
                return self._rows(texts, again=False)
            raise error
        finally:
            del error  # whose traceback has this frame, and so this object

    def get_feature_names_out(self, input_features=None):
        """Returns the fragments, one a column."""
        check_is_fitted(self, "vocabulary_")
        return self.feature_names_

    def _build(self, texts, y):
        labels = [None] * len(texts) if y is None else [str(label) for label in y]
        if any("," in label for label in labels if label is not None):
            raise ValueError("a label has a comma in it, which stands between several labels of a sample")
        if len(labels) != len(texts):
            raise ValueError(f"{len(texts)} trees and {len(labels)} labels: expected as many")
        lines = "".join(json.dumps({"text": text} if label is None else {"text": text, "label": label}) + "\n"
                        for text, label in zip(texts, labels)).encode()
        flags = _flags(space=self.space, max_order=self.max_order, min_support=self.min_support)
        skip = "skip" if self.on_error == "empty" else "stop"
        self._run("build", self.path_, "-", "--input-format", "jsonl", "--on-error", skip, *flags, *self.options, input=lines)
        if self.select is None:
            return
        if self.selection is not None:
            raise ValueError("select and selection: one of them")
        by, _, settings = self.select.partition(":")
        chosen = dict(one.split("=", 1) for one in settings.split(",") if one)
        self.selection_ = "selected"
        self._run("mine", self.path_, "--name", self.selection_, "--by", by, *_flags(**chosen))

    def _linearize(self, on_error, out="-"):
        """Returns the command that makes vectors of lines of JSON."""
        flags = _flags(selection=self.selection_, space=None if self.selection_ else self.space, expect=getattr(self, "vocabulary_", None))
        to = ["--format", "jsonl"] if out == "-" else ["-o", out]
        return ["linearize", self.path_, "-", "--input-format", "jsonl", *to, "--weight", self.weight, "--normalize", self.normalize,
                *(["--lambda", str(self.decay)] if "kernel" in (self.weight, self.normalize) else []), "--on-error", on_error, "--unknown-label", "0", *flags, *self.options]

    def _command(self, arguments):
        return [self.fstore or _program(), *map(os.fspath, arguments), "--quiet"]

    def _run(self, *arguments, input=b""):
        """Returns what fstore prints."""
        done = subprocess.run(self._command(arguments), input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise _error(done.stderr.decode(errors="replace"), done.returncode)
        return done.stdout

    def _child(self):
        """Returns the process of this object: one of this process, which runs."""
        command = self._command(self._linearize(self.on_error))
        child = self.__dict__.get("_process")
        if child is None or child.command != command or not child.runs():
            self._stop()
            self._process = child = _Child(command)
            child.ended = weakref.finalize(self, child.close)
        return child

    def _stop(self):
        child = self.__dict__.pop("_process", None)
        if child is not None:
            child.ended.detach()
            child.close()

    def _close(self):
        """Ends the process, and removes what was built for this object alone."""
        self._stop()
        self.__dict__.pop("vocabulary_", None)
        self._owned = None

    def __getstate__(self):
        state = dict(super().__getstate__())
        state.pop("_process", None)
        if state.pop("_owned", None):
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode="w") as tar:
                tar.add(self.path_, "store")
            state["_packed"] = packed.getvalue()
        return state

    def __setstate__(self, state):
        packed = state.pop("_packed", None)
        super().__setstate__(state)
        if packed is not None:
            self._owned = _Directory()
            with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
                tar.extractall(self._owned.path)
            self.path_ = os.path.join(self._owned.path, "store")

    def _more_tags(self):
        return {"X_types": ["string"], "requires_fit": True, "no_validation": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


_LOCK = threading.RLock()


class _Directory:
    """A directory that goes with this object."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="fstore-python-")
        weakref.finalize(self, _remove, self.path, os.getpid())
        if multiprocessing.parent_process() is not None:  # a worker's end asks no weakref
            multiprocessing.util.Finalize(self, _remove, args=(self.path, os.getpid()), exitpriority=0)


def _remove(path, owner):
    if os.getpid() == owner:  # not in a child of it
        shutil.rmtree(path, ignore_errors=True)


class _Ended(Exception):
    """The process is over; error says why. One that was killed said nothing."""

    def __init__(self, error, killed):
        super().__init__(error)
        self.error = error
        self.killed = killed


class _Child:
    """A process that answers lines of JSON with vectors."""

    def __init__(self, command):
        self.owner = os.getpid()
        self.command = command
        self.messages = tempfile.TemporaryFile()  # a pipe would fill up
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.messages)

    def runs(self):
        return self.owner == os.getpid() and self.process.poll() is None

    def rows(self, texts):
        """Returns the vectors of texts. One thread writes while this one reads: pipes are short."""
        lines = [json.dumps(text).encode() + b"\n" for text in texts]
        writer = None
        if sum(map(len, lines)) <= _PIPE:
            self._write(lines)
        else:
            writer = threading.Thread(target=self._write, args=(lines,), daemon=True)
            writer.start()
        rows = []
        for i in range(len(texts)):
            line = self.process.stdout.readline()
            if not line.endswith(b"\n"):
                raise self._why(i)
            rows.append(json.loads(line))
        if writer is not None:
            writer.join()
        return rows

    def _write(self, lines):
        with contextlib.suppress(OSError):  # the reader says why
            self.process.stdin.write(b"".join(lines))
            self.process.stdin.flush()

    def _why(self, i):
        """Returns the error with which the process ended at text i."""
        code = self.process.wait()
        self.messages.seek(0)
        message = self.messages.read().decode(errors="replace")
        # 130 is of a signal that the program catches; others leave no word.
        return _Ended(_error(message, code, f"text {i}: "), not message or code == 130)

    def close(self):
        """Ends the process, where it is this process's own."""
        if self.owner != os.getpid():
            return
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        self.process.kill()
        self.process.wait()
        self.messages.close()


# What any pipe takes without a reader, in bytes.
_PIPE = 4096


def _error(message, code, where=""):
    """Returns what to raise for what fstore said."""
    message = message.strip()
    if code != 3:
        return RuntimeError(message or f"fstore ended with exit code {code}")
    # Bad input: what is said of a line of standard input is of a text.
    found = re.search(r"stdin:(\d+): sentence \d+: (.*)", message, re.DOTALL)
    if found is None:
        return ValueError(message)
    return ValueError((where or f"text {int(found[1]) - 1}: ") + found[2])


def _flags(**options):
    """Returns options as arguments; None is none, a list several."""
    arguments = []
    for name, value in options.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                arguments += ["--" + name.replace("_", "-"), str(one)]
    return arguments


def _texts(trees, on_error):
    if isinstance(trees, (str, bytes)):
        raise ValueError("Iterable over raw text documents expected, string object received.")
    texts, none = [], []
    for i, tree in enumerate(trees):
        try:
            texts.append(text_of(tree))
        except Exception as error:  # also what an object's own methods raise
            said = f"text {i}: {str(error) or type(error).__name__}"
            if on_error != "empty":
                raise (type(error) if isinstance(error, (TypeError, OSError)) else ValueError)(said) from error
            texts.append("")
            none.append(said)
    if none:  # other than None and NaN, these are most likely a mistake
        warnings.warn(f"{len(none)} of {len(texts)} are no trees, and have rows without features: {none[0]}", stacklevel=3)
    return texts


def text_of(tree):
    """Returns the text of a tree, "" where there is none."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, os.PathLike):
        with open(tree, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    if tree is None or isinstance(tree, (float, np.floating)) and np.isnan(tree) or type(tree).__name__ == "NAType":
        return ""
    if callable(getattr(tree, "serialize", None)):  # conllu.TokenList
        return tree.serialize()
    if _is_tree(tree):
        return _brackets(tree)
    raise TypeError(f"a tree of type {type(tree).__name__}: expected a text, an nltk.Tree, a TokenList of conllu or a path")


def _brackets(tree):
    """Returns an nltk.Tree in brackets on one line. It may be deeper than Python's stack."""
    parts, path = [" (" + _escaped(tree.label())], {id(tree): iter(tree)}
    while path:
        for child in path[next(reversed(path))]:
            if _is_tree(child):
                if id(child) in path:
                    raise ValueError("a tree that is below itself")
                parts.append(" (" + _escaped(child.label()))
                path[id(child)] = iter(child)
                break
            word = _escaped("/".join(map(str, child)) if isinstance(child, tuple) else child)
            if word == "":
                raise ValueError("a word without letters: brackets have no place for it")
            parts.append(" " + word)
        else:
            path.popitem()
            parts.append(")")
    return "".join(parts)[1:]


def _is_tree(value):
    return isinstance(value, (list, tuple)) and callable(getattr(value, "label", None))


def _escaped(name):
    """Returns a label or a word as brackets have it."""
    if isinstance(name, bytes):
        raise TypeError(f"{name!r} is bytes: expected a text")
    name = str(name)
    if any(map(str.isspace, name)):
        raise ValueError(f"{name!r} has white space in it: brackets have no place for that")
    return name.replace("(", "\\(").replace(")", "\\)")
