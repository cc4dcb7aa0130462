# What FragmentVectorizer makes of texts that are not one good tree each: argv are the
# program, a store of three trees, of which good is one, and one of two dependency trees like
# words.
import sys

import numpy as np

from fragments import FragmentVectorizer

program, store, dependencies = sys.argv[1:]


class Tree(list):
    """What fragments.py needs of an nltk.Tree."""

    def __init__(self, label, children):
        super().__init__(children)
        self._label = label

    def label(self):
        return self._label


def sentence(noun, label="S"):
    return Tree(label, [Tree("NP", [Tree("DT", ["the"]), Tree("NN", [noun])]), Tree("VP", [Tree("VBD", ["sat"])])])


good = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"
words = "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\tcat\tcat\tNOUN\t_\t_\t3\tnsubj\t_\t_\n3\tsat\tsit\tVERB\t_\t_\t0\troot\t_\t_"
plus = "# global.columns = ID FORM UPOS HEAD DEPREL\n1\tthe\tDET\t2\tdet\n2\tcat\tNOUN\t3\tnsubj\n3\tsat\tVERB\t0\troot"
cases = [
    ([good, ""], [15, 0]),
    (["  \n", good], [0, 15]),
    ([good, "(S"], [15, 0]),
    (["(S"], [0]),
    ([good, "the cat sat"], [15, 0]),
    (["the cat sat"], [0]),
    ([""], [0]),
    (["", ""], [0, 0]),
    ([good, None], [15, 0]),
    ([float("nan"), good], [0, 15]),
    ([good, sentence("cat")], [15, 15]),
    # More of each kind.
    ([None], [0]),
    ([np.float32("nan"), np.str_(good)], [0, 15]),
    (np.array([good, good]), [15, 15]),
    (["# a comment", "#"], [0, 0]),
    (["1", good], [0, 15]),
    (["1\tfoo", good], [0, 15]),
    (["+1 |BT| (S a) |ET|", good, good], [0, 15, 15]),
    (["\\", "\x00", "\ufeff" + good], [0, 0, 15]),
    (["x\n\ny", "z", good], [0, 0, 15]),
    (["(S (NP", "  " + good, good], [0, 15, 15]),
    ([good, "(S a))", ")", good], [15, 0, 0, 15]),
    ([good + " " + good, good], [0, 15]),
    ([sentence("New York"), sentence(""), sentence("cat", "S V"), sentence("(")], [0, 0, 0, 15]),
    ([Tree("", [sentence("cat")]), Tree("S", [])], [15, 0]),
    (["x"] * 1000 + [good], [0] * 1000 + [15]),
    # A block without an end ends with its text.
    ([good, "/* x", good], [15, 0, 15]),
    (["/~*", good], [0, 15]),
    ([good + "\n/* x", good], [0, 15]),
    (["/~* x\n*/\n" + good, good], [0, 15]),
    (["/* x */\n" + good, good + "\n/~* x\n*~/", "*/", good], [15, 15, 0, 15]),
    # Halves of a surrogate pair are no text; a whole one is a word.
    (["(S (NP (DT the) (NN cat)) (VP (VBD \udce9)))", good, "(S \ud800)", "(S \U0001f600)"], [0, 15, 0, 0]),
    ([sentence("\udc80"), sentence(b"cat"), good], [0, 0, 15]),
    # Trees of another kind.
    ([words], [0]),
    ([words, words, good], [0, 0, 15]),
    (["+1 |BT| (S a) |ET|"], [0]),
]
of_words = [
    ([words, words], [3, 3]),
    ([good], [0]),
    ([good, good, words], [0, 0, 3]),
    # Columns that a text names are its own.
    ([words, plus, words], [3, 3, 3]),
    ([plus, words, plus.split("\n", 1)[1]], [3, 3, 0]),
    (["# global.columns = ID FORM", words], [0, 3]),
    (["# global.columns = FORM\n1", words], [0, 3]),
]
for trees, texts, want in [(store, *c) for c in cases] + [(dependencies, *c) for c in of_words]:
    X = FragmentVectorizer(trees, weight="binary", on_error="empty", fstore=program).fit(texts).transform(texts)
    got = X.getnnz(axis=1).tolist()
    if got != want:
        raise SystemExit(f"{texts}: {got} features, want {want}")

stop = FragmentVectorizer(store, fstore=program).fit([])
for texts, want in [([good, ""], "text 1: the text is empty"), ([None], "text 0: the text is empty"), ([good, 3.5], "type float"),
                    ([good, "(S"], "truncated"), ([good + good], "text 0: more than one tree"), ([], "0 sample"),
                    ([good, "/* x", good], "text 1: the block"), ([words], "different kinds"),
                    ([good, "(S (N caf\udce9))"], "text 1: \\udce9 at column 11 is half of a surrogate pair, and no character: Python has it for the byte 0xe9"),
                    ([good.encode()], "a tree of type bytes"), ([sentence(b"cat")], "is bytes: expected a text"),
                    ([good, words], "different kinds"), (good, "string object received")]:
    try:
        stop.transform(texts)
    except (ValueError, TypeError, RuntimeError) as e:
        if want not in str(e):
            raise SystemExit(f"{texts}: {e}, want {want}")
    else:
        raise SystemExit(f"{texts} have passed")

# Labels too are texts.
try:
    FragmentVectorizer(fstore=program).fit([good, good], ["caf\ud800", "caf\ud801"])
except ValueError as e:
    if "text 0: \\ud800" not in str(e):
        raise
else:
    raise SystemExit("labels that are no text have passed")
