# Learns the genre of trees in a pipeline that begins with FragmentVectorizer: argv are the
# program, the store, and the directories of the files to train and to test on.
import pathlib
import re
import sys

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from fragments import FragmentVectorizer

program, store, train, test = sys.argv[1:]


def read(directory):
    trees, labels = [], []
    for file in sorted(pathlib.Path(directory).glob("*.mrg")):
        found = re.split(r"(?m)^(?=\()", file.read_text())[1:]
        trees += found
        labels += [file.stem] * len(found)
    return trees, labels


fragments = clone(FragmentVectorizer(store, weight="binary", fstore=program))
model = make_pipeline(fragments, LogisticRegression(C=10, max_iter=1000))
trees, labels = read(train)
model.fit(trees, labels)
print(f"accuracy {100 * model.score(*read(test)):.2f}%")

X, names = fragments.transform(trees[:3]), fragments.get_feature_names_out()
assert X.shape == (3, len(names))
best = names[np.argmax(model[-1].coef_[list(model.classes_).index("recipe")])]
print("recipe:", best)

# A tree that is none is an error, or a row without features.
one, two = "(S (NP a))", "(S (NP a)) (S (NP b))"
for bad in [["(S (NP"], [two], ["", two], [one, two, " "], [one + "\n" + one, ""]]:
    try:
        fragments.transform(bad)
        raise SystemExit(f"{bad} has passed")
    except (RuntimeError, ValueError) as e:
        print(e)
fragments.set_params(on_error="empty")
assert fragments.transform([trees[0], "(S (NP", trees[1]]).getnnz(axis=1).tolist()[1] == 0
# A bad text does not swallow the next; one with two trees is none.
found = fragments.transform(["(S (NP", "  " + trees[0], two])
assert (found != fragments.transform(["", trees[0], ""])).nnz == 0 and found.getnnz(axis=1).tolist()[1] > 0
# Fitting depends on no tree, and any iterable will do.
assert clone(fragments).fit(tree for tree in ["", "(S (NP"] + trees).transform(iter(trees[:2])).shape == (2, len(names))
# A tree of another kind is none either.
other = "1\tsun\tsun\tNOUN\t_\t_\t0\troot\t_\t_\n"
assert clone(fragments).fit(trees + [other]).transform([other]).getnnz() == 0
try:
    clone(fragments).set_params(on_error="skip").fit(trees).transform(trees)
    raise SystemExit("rows that are skipped have passed")
except ValueError as e:
    print(e)
# What was fitted on other fragments is refused.
fragments.vocabulary_ = "0" * 16
try:
    fragments.transform(trees)
    raise SystemExit("another vocabulary has passed")
except RuntimeError as e:
    print(e)
