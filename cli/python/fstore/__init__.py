"""fstore from Python: tables of constructions, trees as pictures, vectors of trees.

    import fstore
    fstore.query("demo.store", where="order <= 3")          # a table: pandas, polars or arrow
    fstore.contrast("demo.store", "news", "recipe", as_="polars")
    fstore.Tree("(S (NP (DT the) (NN sun)) (VP (VBZ shines)))")   # draws itself in a notebook
    fstore.FragmentVectorizer(space="stk", max_order=4)      # a transformer of scikit-learn

Options are those of the command line, with _ for -: min_docs=2 is --min-docs 2, True is a flag
alone, a list repeats it. NumPy, SciPy, scikit-learn, pandas, polars and pyarrow are imported
where they are used, and not before.
"""

import functools
import importlib
import os
import shutil
import subprocess
import sysconfig
import tempfile

__all__ = ["Error", "FragmentVectorizer", "Tree", "collocates", "contrast", "count", "examples", "program", "query", "run"]


class Error(RuntimeError):
    """What fstore said; code is its exit code: 2 wrong usage, 3 bad input, 4 a damaged store."""

    def __init__(self, message, code=1):
        super().__init__(message, code)
        self.message = message
        self.code = code

    def __str__(self):
        return self.message


@functools.cache
def program():
    """Returns the path of the program: that of this environment, else the first in PATH."""
    name = "fstore.exe" if os.name == "nt" else "fstore"
    own = os.path.join(sysconfig.get_path("scripts"), name)
    found = own if os.path.exists(own) else shutil.which(name)
    if found is None:
        raise Error("there is no program fstore, in this environment or in PATH")
    return found


def run(*arguments, input=None):
    """Runs fstore with some arguments and returns what it prints, as bytes."""
    done = subprocess.run([program(), *map(os.fspath, arguments)], input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise Error(done.stderr.decode(errors="replace").strip(), done.returncode)
    return done.stdout


def query(store, pattern=None, *, as_="pandas", **options):
    """Returns the fragments of a store, or those of one page, as `fstore query` has them."""
    return _table("query", [store, pattern], as_, options)


def count(store, *patterns, as_="pandas", **options):
    """Returns how often constructions occur, as `fstore count` has it."""
    return _table("count", [store, *patterns], as_, options)


def collocates(store, pattern, other=None, *, as_="pandas", **options):
    """Returns what fills the slots of a pattern, against elsewhere or another pattern."""
    return _table("collocates", [store, pattern, other], as_, options)


def contrast(store, a=None, b=None, *, as_="pandas", **options):
    """Returns which fragments set label a apart from b, or from the rest; each=True takes no label."""
    return _table("contrast", [store, a, b], as_, options)


def examples(store, pattern, *, as_="pandas", **options):
    """Returns the hits of a fragment or a pattern, with the text around them."""
    return _table("examples", [store, pattern], as_, options)


def _flags(options):
    """Returns options as arguments: where="order > 2" is --where=order > 2."""
    arguments = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                arguments.append(flag)
            elif one is not None and one is not False:
                arguments.append(f"{flag}={one}")
    return arguments


def _table(command, arguments, as_, options):
    readers = {"pandas": _pandas, "polars": _polars, "arrow": _arrow}
    if as_ not in readers:
        raise ValueError(f'as_={as_!r}: expected "pandas", "polars" or "arrow"')
    options.setdefault("limit", 0)
    given = [os.fspath(one) for one in arguments if one is not None]
    call = [program(), command, "--quiet", "--format", "arrows", *_flags(options), "--", *given]
    table = error = None
    with tempfile.TemporaryFile() as said, subprocess.Popen(
        call, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said
    ) as child:
        try:  # while it is printed
            table = readers[as_](child.stdout)
        except ImportError:
            child.kill()
            raise
        except Exception as what:  # of a table without an end, most likely
            error = what
        if child.wait() != 0:
            said.seek(0)
            raise Error(said.read().decode(errors="replace").strip(), child.returncode)
    if error is not None:
        raise error
    return table


def _pandas(printed):
    return importlib.import_module("fstore.arrows").frame(printed)


def _polars(printed):
    return importlib.import_module("polars").read_ipc_stream(printed.read())


def _arrow(printed):
    return importlib.import_module("pyarrow.ipc").open_stream(printed).read_all()


class Tree:
    """A tree, or the first of a text in any treebank format; a notebook shows it as a picture."""

    def __init__(self, text):
        self.text = text if isinstance(text, str) else _bracketed(text)

    def __repr__(self):
        return f"fstore.Tree({self.text!r})"

    def __str__(self):
        return run("draw", "-", input=self.text.encode()).decode().rstrip("\n")

    def svg(self):
        """Returns the picture."""
        return run("draw", "-", "--format", "svg", input=self.text.encode()).decode()

    _repr_svg_ = svg


def _bracketed(tree):
    return importlib.import_module("fstore.vectorizer").text_of(tree)


def __getattr__(name):
    # The class is scikit-learn's, which takes a second to import.
    if name == "FragmentVectorizer":
        return importlib.import_module("fstore.vectorizer").FragmentVectorizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
