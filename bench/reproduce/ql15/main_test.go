package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fstore/bench/lists"
	"fstore/bench/noise"
	"fstore/cli"
	"fstore/decode/read"
	"fstore/index"
)

// asProgram is an environment variable. It makes the test binary work as the fstore binary.
const asProgram = "QL15_TEST_IS_FSTORE"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// gold returns random sentences of a few words, in CoNLL-U.
func gold(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for range n {
		words := 4 + r.IntN(4)
		for w := range words {
			head, rel := 1, []string{"nsubj", "obj", "obl"}[r.IntN(3)]
			switch {
			case w == 0:
				head, rel = 0, "root"
			case w > 1 && r.IntN(2) == 0:
				head, rel = w, "nmod"
			}
			tag := r.IntN(4)
			fmt.Fprintf(&b, "%d\tw%d\t_\tT%d\t_\t_\t%d\t%s\t_\t_\n", w+1, tag+4*r.IntN(3), tag, head, rel)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// writeLists writes lists made of random sentences.
func writeLists(t *testing.T, s *settings, name string, seed uint64, n int) {
	t.Helper()
	syms := index.NewSymbols()
	in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: syms, Stdin: strings.NewReader(gold(seed, 40)), Format: "conllu"})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var trees []*index.Tree
	for {
		var x index.Tree
		err := in.Next(&x)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, x.Clone())
	}
	w, err := lists.Create(s.lists(name))
	if err != nil {
		t.Fatal(err)
	}
	err = noise.Write(w.KBest, w.Gold, trees, syms, noise.Options{Lists: n, Candidates: 4, Seed: seed})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestRun makes a row of each kind and both tables, from lists with another name. Then it runs again with the
// findings of the first run.
func TestRun(t *testing.T) {
	bin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asProgram, "1")
	data := t.TempDir()
	s := &settings{data: data}
	writeLists(t, s, "few", 1, 120)
	writeLists(t, s, "other", 2, 30)
	args := []string{
		"-data", data, "-out", filepath.Join(data, "out"), "-fstore", bin, "-train", "few", "-test", "other", "-options", "template=h.upos+m.upos",
		"-systems", "templates,dep,poly2,dep-kernel,poly4-kernel", "-counts", "2,1", "-folds", "2", "-epochs", "2", "-max-orders", "1,2",
		"-lambdas", "0.4,1", "-chunks", "3", "-workers", "2", "-iterations", "2",
	}
	var text, again bytes.Buffer
	if err := run(context.Background(), args, &text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| p, kernel |", "| base |", "| vote |", "| oracle |", "| templates |", "| dep |", "| poly2 |", "| dep-kernel |", "| poly4-kernel |",
		"| R ", " epoch", "| λ ", " corrections |", "Table 3", "| 2 | 2 |", "| 1 | 2 |",
	} {
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
}

// A system is compared with the kernel of the same name, if there is one.
func TestKernelColumn(t *testing.T) {
	bin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asProgram, "1")
	dir := t.TempDir()
	s := &settings{bin: bin, data: dir, out: dir, test: "few"}
	writeLists(t, s, "few", 1, 60)
	if err := writeBaselines(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	e := &experiment{settings: s}
	table := []row{{Name: "oracle-kernel", Trees: "base"}, {Name: "vote", Trees: "vote"}, {Name: "oracle", Trees: "oracle"}}
	if err := e.table2(context.Background(), &text, table, ""); err != nil {
		t.Fatal(err)
	}
	if p := cell(text.String(), "oracle", "p, kernel"); p != cell(text.String(), "oracle", "p, base") || p == "1.0000" {
		t.Errorf("p %s in\n%s", p, text.String())
	}
	for _, name := range []string{"oracle-kernel", "vote"} {
		if p := cell(text.String(), name, "p, kernel"); p != "" {
			t.Errorf("p %s of %s", p, name)
		}
	}
}

// cell returns the cell of table 2 in the row and the column with these names.
func cell(text, row, column string) string {
	cells := func(line string) (all []string) {
		for c := range strings.SplitSeq(line, "|") {
			all = append(all, strings.TrimSpace(c))
		}
		return all
	}
	var head []string
	for line := range strings.Lines(text) {
		c := cells(line)
		switch {
		case len(c) < 2:
		case c[1] == "system":
			head = c
		case c[1] == row && head != nil:
			return c[slices.Index(head, column)]
		}
	}
	return "no row"
}

// A run uses only findings that were made with the same flags and the same lists, even if other runs came
// between.
func TestRunAgain(t *testing.T) {
	bin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asProgram, "1")
	s := &settings{data: t.TempDir()}
	uas := func(lists uint64, minCount string) string {
		writeLists(t, s, "few", lists, 60)
		writeLists(t, s, "other", lists+1, 30)
		var text bytes.Buffer
		err := run(context.Background(), []string{
			"-data", s.data, "-out", filepath.Join(s.data, "out"), "-fstore", bin, "-train", "few", "-test", "other", "-options", "template=h.upos+m.upos",
			"-systems", "dep", "-min-count", minCount, "-folds", "2", "-epochs", "1", "-max-orders", "1", "-workers", "1",
		}, &text)
		if err != nil {
			t.Fatal(err)
		}
		_, row, _ := strings.Cut(text.String(), "| dep |")
		return strings.Split(row, "|")[0]
	}
	seen := map[string]bool{}
	for _, c := range []struct {
		lists    uint64
		minCount string
	}{{1, "1"}, {1, "30"}, {5, "1"}} {
		x := uas(c.lists, c.minCount)
		if seen[x] {
			t.Errorf("lists %d, C = %s: UAS %s again, which tells nothing", c.lists, c.minCount, x)
		}
		seen[x] = true
		defer func() {
			if again := uas(c.lists, c.minCount); again != x {
				t.Errorf("lists %d, C = %s: UAS %s, and %s when found before", c.lists, c.minCount, x, again)
			}
		}()
	}
}

// If there is no value to choose from, grid returns an error and no empty choice.
func TestGrid(t *testing.T) {
	s := &settings{orders: "3,1", polyOrder: 4}
	for name, want := range map[string]int{"templates": 1, "dep": 2, "poly4": 1, "poly4-kernel": 1, "dep-kernel": 0} {
		x, err := systemNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		if grid, err := x.grid(s, 3); len(grid) != want || (err != nil) != (want == 0) {
			t.Errorf("%s: %v, %v", name, grid, err)
		}
	}
}

// A wrong flag is reported before anything is trained.
func TestPlan(t *testing.T) {
	good := settings{systems: "dep,dep-kernel", counts: "2,1", orders: "1,3", epochs: 2, polyOrder: 2, lambdas: "1", minCount: 3}
	p, err := good.plan()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.systems) != 2 || !slices.Equal(p.counts, []int{2, 1}) || p.deep.orders != "3" || p.dep.name != "dep" {
		t.Errorf("%+v", p)
	}
	for want, spoil := range map[string]func(s *settings){
		"-systems":    func(s *settings) { s.systems = "dep,nobody" },
		"-counts":     func(s *settings) { s.counts = "2,x" },
		"-lambdas":    func(s *settings) { s.lambdas = "" },
		"-max-orders": func(s *settings) { s.systems, s.orders = "templates", "" },
		"-epochs":     func(s *settings) { s.epochs = 0 },
		"-poly-order": func(s *settings) { s.polyOrder = 0 },
	} {
		s := good
		spoil(&s)
		if _, err := s.plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Each list is in one fold, and successive lists are in the same fold.
func TestFolds(t *testing.T) {
	s := &settings{data: t.TempDir(), train: "all", folds: 3}
	writeLists(t, s, "all", 3, 2*foldRun+7)
	var text bytes.Buffer
	if err := dealFolds(context.Background(), s, &text); err != nil {
		t.Fatal(err)
	}
	count, names := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(text.String()) {
		name, fold, _ := strings.Cut(line, "\t")
		count[fold]++
		names[name] = true
	}
	if len(names) != 2*foldRun+7 || count["1\n"] != foldRun || count["2\n"] != foldRun || count["3\n"] != 7 {
		t.Errorf("%d lists, by fold %v", len(names), count)
	}
}
