package cli

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"
)

// cutGzip is the first part of a compressed treebank.
func cutGzip(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i := range 3000 {
		fmt.Fprintf(z, "(S (NP word%d) (VP word%d))\n", i, i*i)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()[:b.Len()/2]
}

// TestBadInput checks errors in the input. The exit code is 3, the message names the file, the line, the tree
// and what was expected, and nothing is written. With --on-error skip the other trees are built.
func TestBadInput(t *testing.T) {
	const good = "(S (NP the cat) (VP slept))\n"
	for _, c := range []struct {
		name, text string
		message    string
		rest       int // number of samples with --on-error skip; 0 if nothing can be built
	}{
		{"unbalanced.mrg", good + "(S (NP a)\n\n", `unbalanced.mrg:2: sentence 2: the tree that starts here is truncated: 1 bracket open at the end of the input, expected ")"`, 1},
		{"between.mrg", good + "(S (NP a)\n(S (NP b))\n", `between.mrg:2: sentence 2: the tree that starts here is truncated: 1 bracket open where line 3 starts the next tree, expected ")"`, 2},
		{"closing.mrg", good + "(S (NP a)))\n" + good, `closing.mrg:2: sentence 2: ")" without "(" after the tree: expected "(" or the end of the line`, 2},
		{"truncated.mrg", good + "(S (NP a", `truncated.mrg:2: sentence 2: the tree that starts here is truncated: 2 brackets open at the end of the input, expected ")"`, 1},
		{"after.mrg", good + "The end.\n", `after.mrg:2: sentence 2: the text "The" outside brackets: expected "("`, 1},
		{"latin1.mrg", good + "(S (NP caf\xe9))\n" + good, `latin1.mrg:2: sentence 2: invalid UTF-8 (byte 0xe9): expected UTF-8 text`, 2},
		{"nul.mrg", good + "(S (NP \x00))\n" + good, `nul.mrg:2: sentence 2: a NUL byte in the tree: expected text`, 2},
		{"unlabelled.mrg", good + "(S () (NP a))\n" + good, `unlabelled.mrg:2: sentence 2: `, 2},
		{"empty.mrg", "", `empty.mrg: no trees`, 0},
		{"blank.mrg", "\n  \n\n", `blank.mrg: no trees`, 0},
		{"comments.mrg", "# a treebank\n# of none\n", `comments.mrg: no trees`, 0},
		{"prose.txt", "Once upon a time.\n", "prose.txt:1: the format is not recognised: expected ", 0},
		{"cut.mrg.gz", cutGzip(t), "cut.mrg.gz: the gzip data is truncated: expected more", 0},
		{"dir.mrg", "", "dir.mrg: no file in the folder is a treebank of a format that is read", 0},
		{"missing.mrg", "", "missing.mrg: no such file", 0},
		{"line.svmtk", "+1 |BT| (S (NP a)) |ET|\n-1 |BT| (S (NP a) |ET|\n", `line.svmtk:2: sentence 2: tree 1: 1 bracket open at |ET|: expected ")"`, 1},
		{"word.conllu", "1\tit\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tit\t_\t_\t_\t_\t7\troot\t_\t_\n\n", `word.conllu:3: sentence 2: HEAD of word 1 is 7: expected 0 to 1`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			scratch(t)
			there := c.name
			switch c.name {
			case "missing.mrg":
				there = ""
			case "dir.mrg":
				if err := os.Mkdir(c.name, 0o755); err != nil {
					t.Fatal(err)
				}
			default:
				write(t, c.name, c.text)
			}
			r := runIn(nil, "build", "s", c.name)
			if r.code != 3 || !strings.HasPrefix(r.stderr, c.message) || strings.Count(r.stderr, "\n") != 1 || r.stdout != "" {
				t.Errorf("exit code %d, printed %q:\n%swant\n%s", r.code, r.stdout, r.stderr, c.message)
			}
			if got := ls(t); got != there {
				t.Errorf("left: %s", got)
			}
			r = runIn(nil, "build", "s", c.name, "--on-error", "skip", "--error-log", "log")
			if c.rest == 0 {
				if r.code != 3 || !strings.Contains(r.stderr, c.message) || ls(t) != there {
					t.Errorf("skip: exit code %d, left %s:\n%s", r.code, ls(t), r.stderr)
				}
				return
			}
			samples := fmt.Sprintf("{\"samples\":%d,", c.rest)
			if info := fstore(t, "info", "s", "--format", "jsonl"); r.code != 0 || !strings.HasPrefix(info, samples) {
				t.Errorf("skip: exit code %d, %s%s", r.code, r.stderr, info)
			}
			log, err := os.ReadFile("log")
			if err != nil || !strings.HasPrefix(string(log), c.message) || !strings.Contains(r.stderr, "fstore: 1 sentence left out:\n"+c.message) {
				t.Errorf("skip: %v, log %q:\n%s", err, log, r.stderr)
			}
		})
	}
}

// TestManyBadTrees checks that the first twenty bad trees are printed, and that all are in the error log.
func TestManyBadTrees(t *testing.T) {
	scratch(t)
	write(t, "bad.mrg", strings.Repeat("(S (NP a)))\n", 1234)+"(S (NP a))\n")
	r := runIn(nil, "build", "s", "bad.mrg", "--on-error", "skip", "--quiet")
	if r.code != 0 || strings.Count(r.stderr, "bad.mrg:") != 20 ||
		!strings.HasPrefix(r.stderr, "fstore: 1,234 sentences left out:\n") ||
		!strings.HasSuffix(r.stderr, "fstore: … and 1,214 more (--error-log FILE lists all)\n") {
		t.Errorf("%d\n%s", r.code, r.stderr)
	}
	r = runIn(nil, "build", "s", "bad.mrg", "--on-error", "skip", "--error-log", "log", "--overwrite", "-q")
	log, err := os.ReadFile("log")
	if err != nil || r.code != 0 || bytes.Count(log, []byte("\n")) != 1234 || !strings.HasSuffix(r.stderr, "1,214 more, see log\n") {
		t.Errorf("%d %v\n%s", r.code, err, r.stderr)
	}
	write(t, "none.mrg", strings.Repeat("(S (NP a)))\n", 3))
	r = runIn(nil, "build", "none", "none.mrg", "--on-error", "skip")
	if r.code != 3 || !strings.Contains(r.stderr, "none.mrg: no trees: all of 3 sentences refused\n") || ls(t) != "bad.mrg log none.mrg s" {
		t.Errorf("%d %s\n%s", r.code, ls(t), r.stderr)
	}
}
