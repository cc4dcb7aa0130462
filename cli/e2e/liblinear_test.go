package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// TestLIBLINEAR trains a genre classifier on vectors of new trees. It predicts trees that are in neither the
// store nor the training data.
func TestLIBLINEAR(t *testing.T) {
	need(t, "liblinear-train")
	d := prepare(t)
	program(t, "liblinear-train", "-q", d.path("train.svmlight"), d.path("model"))
	said := program(t, "liblinear-predict", d.path("test.svmlight"), d.path("model"), d.path("predicted"))
	m := regexp.MustCompile(`Accuracy = ([0-9.]+)%`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("liblinear-predict said %q", said)
	}
	d.judge(t, "liblinear: "+strings.TrimSpace(said), m[1])
}
