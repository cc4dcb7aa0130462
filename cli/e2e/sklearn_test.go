package e2e

import (
	_ "embed"
	"os/exec"
	"regexp"
	"testing"
)

//go:embed train.py
var script string

// TestSklearn loads vectors as the words on standard error say, and trains.
func TestSklearn(t *testing.T) {
	python := ""
	// The python3 that is first in the path need not be the one with packages.
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import sklearn").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		t.Skip("no python3 with scikit-learn")
	}
	d := prepare(t)
	said := program(t, python, "-c", script, d.path("train.svmlight"), d.path("test.svmlight"), d.features)
	m := regexp.MustCompile(`accuracy ([0-9.]+)%`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("it said %q", said)
	}
	d.judge(t, "scikit-learn: "+m[0], m[1])
}
