package cli

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"fstore/decode/read"
	"fstore/index"
)

// oddTrees are unusual trees, with words beside brackets, brackets without children, unary chains, a label
// below the same label, and the same production many times.
const oddTrees = `(S (NP the cat) slept)
(S (NP (N) the) slept (X))
(X (X (X (X x))))
(S (A a) (A a) (A a) (A a))
(S (A a) (A b) (A a) (B (A a)))
(S (S (A a) (A b)) (S (A a) (A b)))
(X)
`

const oddLines = `+1 |BT| (S (NP (a)) (VP (b) (c))) |ET|
-1 |BT| (S (a) (NP a)) |BT| (a (b) (NP a)) |ET|
+1 |BT| (a (a (a a))) |ET|
`

// shortTrees writes the trees of at most `most` words to a file.
func shortTrees(t *testing.T, name string, most int, files []string) {
	t.Helper()
	syms := index.NewSymbols()
	in, err := read.Open(files, read.InputOptions{Symbols: syms})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var text []byte
	var tree index.Tree
	for in.Next(&tree) == nil {
		if tree.Words() > most {
			continue
		}
		f := read.StoredFormat(tree.Kind, tree.OneAlphabet)
		if text, err = f.Append(text, &tree, syms); err != nil {
			t.Fatal(err)
		}
	}
	write(t, name, string(text))
}

// TestVectorsGiveTheKernel computes vectors over all fragments, with the values of the kernel. The dot
// product of the vectors of two trees must be their kernel. For normalized vectors it must be the normalized
// kernel.
func TestVectorsGiveTheKernel(t *testing.T) {
	files := sampleFiles(t)
	scratch(t)
	shortTrees(t, "sample.mrg", 10, files)
	shortTrees(t, "short.mrg", 4, files)
	write(t, "odd.mrg", oddTrees)
	write(t, "odd.svmtk", oddLines)
	all := []string{"stk", "st", "sstbow", "tag", "ptk"}
	for _, c := range []struct {
		input  string
		spaces []string
	}{{"sample.mrg", all[:4]}, {"short.mrg", all[4:]}, {"odd.mrg", all}, {"odd.svmtk", all}} {
		input := c.input
		for _, space := range c.spaces {
			fstore(t, "build", "s", input, "--space", space, "--max-order", "0", "--min-support", "1", "--overwrite", "-q")
			for _, lambda := range []string{"0.4", "1"} {
				vectors := func(normalize string) []sparse {
					return parseVectors(t, fstore(t, "linearize", "s", input, "--weight", "kernel", "--lambda", lambda, "--normalize", normalize, "-q"))
				}
				plain, normal := vectors("none"), vectors("kernel")
				rows := strings.Split(strings.TrimSpace(fstore(t, "kernel", input, "--space", space, "--lambda", lambda)), "\n")[1:]
				if n := len(plain); len(rows) != n*(n+1)/2 {
					t.Fatalf("%d rows for %d trees", len(rows), n)
				}
				for _, row := range rows {
					var i, j int
					var kernel, normalized float64
					if _, err := fmt.Sscan(row, &i, &j, &kernel, &normalized); err != nil {
						t.Fatalf("%q: %v", row, err)
					}
					if got := dot(plain[i], plain[j]); !near(got, kernel) {
						t.Errorf("%s %s λ=%s: K(%d,%d) = %v, vectors give %v", input, space, lambda, i, j, kernel, got)
					}
					if got := dot(normal[i], normal[j]); !near(got, normalized) {
						t.Errorf("%s %s λ=%s: normalized K(%d,%d) = %v, vectors give %v", input, space, lambda, i, j, normalized, got)
					}
				}
			}
		}
	}
}

func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*max(math.Abs(want), 1e-3)
}

// sparse is a vector with the ids in ascending order.
type sparse []struct {
	id    int
	value float64
}

// parseVectors reads svmlight lines.
func parseVectors(t *testing.T, text string) (all []sparse) {
	t.Helper()
	for line := range strings.Lines(text) {
		v := sparse{}
		for _, f := range strings.Fields(line)[1:] {
			id, value, _ := strings.Cut(f, ":")
			n, err := strconv.Atoi(id)
			x, err2 := strconv.ParseFloat(value, 64)
			if err != nil || err2 != nil || len(v) > 0 && v[len(v)-1].id >= n {
				t.Fatalf("%q in %s", f, line)
			}
			v = append(v, struct {
				id    int
				value float64
			}{n, x})
		}
		all = append(all, v)
	}
	return all
}

func dot(a, b sparse) (sum float64) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].id < b[0].id:
			a = a[1:]
		case a[0].id > b[0].id:
			b = b[1:]
		default:
			sum += a[0].value * b[0].value
			a, b = a[1:], b[1:]
		}
	}
	return sum
}

// TestSameBytes checks that the stored and printed bytes do not depend on the number of workers, the memory
// or the way in which the input is given.
func TestSameBytes(t *testing.T) {
	files := sampleFiles(t)
	scratch(t)
	var all []byte
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	write(t, "all.mrg", string(all))
	var table, vectors string
	for _, inputs := range [][]string{{"all.mrg"}, files, {"-"}} {
		for _, workers := range []string{"1", "8"} {
			for _, memory := range []string{"64k", "1GiB"} {
				stdin := func() *strings.Reader { return strings.NewReader(string(all)) }
				args := append([]string{"build", "s", "--overwrite", "--workers", workers, "--memory", memory, "-q"}, inputs...)
				if r := runIn(stdin(), args...); r.code != 0 {
					t.Fatal(r)
				}
				r := runIn(stdin(), append([]string{"linearize", "s", "--workers", workers, "-q"}, inputs...)...)
				if r.code != 0 {
					t.Fatal(r)
				}
				list := fstore(t, "query", "s", "--limit", "0", "--columns", "id")
				if table == "" {
					table, vectors = list, r.stdout
				}
				if list != table || r.stdout != vectors {
					t.Errorf("%v: other output", args)
				}
			}
		}
	}
	if strings.Count(table, "\n") != 4289 || strings.Count(vectors, "\n") != 266 {
		t.Errorf("%d rows, %d vectors", strings.Count(table, "\n")-1, strings.Count(vectors, "\n"))
	}
}
