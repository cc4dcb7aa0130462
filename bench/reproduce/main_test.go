package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeQuestions writes random questions of a few classes. The first word of a question determines its class.
func writeQuestions(t *testing.T, path string, seed uint64, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	first := []string{"who", "where", "when", "what"}
	others := []string{"is", "the", "of", "a", "film", "city", "king", "was"}
	var b strings.Builder
	for range n {
		class := r.IntN(len(first))
		words := []string{first[class]}
		if r.IntN(10) == 0 {
			words[0] = first[r.IntN(len(first))]
		}
		for range 2 + r.IntN(3) {
			words = append(words, others[r.IntN(len(others))])
		}
		fmt.Fprintf(&b, "C%d |BT:grct| (root", class)
		for _, w := range words {
			fmt.Fprintf(&b, "(dep(tag(%s)))", w)
		}
		fmt.Fprintf(&b, ") |ET| |BT:loct| (%s", words[1])
		for i, w := range words {
			if i != 1 {
				fmt.Fprintf(&b, "(%s)", w)
			}
		}
		b.WriteString(") |ET|\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Both experiments run to their end on a few questions, and then again with the findings of the first run.
func TestReproduce(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	writeQuestions(t, filepath.Join(data, trainingFile), 1, 80)
	writeQuestions(t, filepath.Join(data, testFile), 2, 40)
	for name, wants := range map[string][]string{
		"pm10": {"Table 1: F1", "| C0 |", "Table 2: accuracy", "| OPT/Grad |", "Figure 2: F1", "Figure 3: accuracy"},
		"si05": {"Table 2: accuracy", "| SK+FS, τ = 3.84 |", "| TK |", "Points lost from the best size to no limit: TK "},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"-data", data, "-out", out, "-folds", "2", "-lambdas", "0.3,0.7", name}
			var text, again bytes.Buffer
			if err := run(context.Background(), args, &text); err != nil {
				t.Fatal(err)
			}
			for _, want := range wants {
				if !strings.Contains(text.String(), want) {
					t.Errorf("no %q in\n%s", want, text.String())
				}
			}
			if err := run(context.Background(), args, &again); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(text.Bytes(), again.Bytes()) {
				t.Errorf("again: %s", again.String())
			}
		})
	}
	for _, figure := range []string{"pm10-figure2.svg", "pm10-figure3.svg"} {
		if text, err := os.ReadFile(filepath.Join(out, figure)); err != nil || !bytes.Contains(text, []byte("<svg")) {
			t.Errorf("%s: %v", figure, err)
		}
	}
}

// A selection by relevance keeps at least the wanted share of ‖w‖ (PM10, eq. 6).
func TestLength(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	writeQuestions(t, filepath.Join(data, trainingFile), 3, 80)
	writeQuestions(t, filepath.Join(data, testFile), 4, 20)
	s := &settings{data: data, out: out, workers: 2, seed: 1}
	r, err := s.openPM10(context.Background(), "test", s.find(trainingFile), s.find(testFile))
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	stk, err := r.stk(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	r.machine = "stk-1"
	before := 0
	for _, length := range []float64{0.5, 0.9} {
		p, err := r.project(context.Background(), stk.Classes[0], byGradient, length, []float64{1})
		if err != nil {
			t.Fatal(err)
		}
		if p.Fragments <= before || p.Length < length-1e-9 || p.Length > 1 {
			t.Errorf("length %v: %d fragments with %v", length, p.Fragments, p.Length)
		}
		before = p.Fragments
	}
}
