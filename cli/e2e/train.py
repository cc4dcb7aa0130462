# Trains on argv[1] and tests on argv[2]; argv[3] is what fstore said of the width.
import re
import sys

from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

train, test, said = sys.argv[1:]
n_features = int(re.search(r"n_features=(\d+)", said)[1])
X, y = load_svmlight_file(train, n_features=n_features, zero_based=False)
Z, z = load_svmlight_file(test, n_features=n_features, zero_based=False)
assert X.shape[1] == Z.shape[1] == n_features
print(f"accuracy {100 * LogisticRegression(C=10, max_iter=1000).fit(X, y).score(Z, z):.2f}%")
