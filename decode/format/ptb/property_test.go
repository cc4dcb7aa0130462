package ptb

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fstore/decode/format"
	"fstore/decode/internal/readtest"
	"fstore/index"
)

// name draws a label or a word. A special name has brackets, backslashes or control characters.
func name(special bool) *rapid.Generator[string] {
	plain := rapid.SampledFrom([]string{"S", "NP", "VP-SBJ", "ID", "CODE", "-NONE-", "þú", "0", "a", "#", "|BT|"})
	if !special {
		return plain
	}
	any := rapid.StringOfN(rapid.SampledFrom([]rune("()\\abc\x01é\u00a0𝕏-=")), 1, 6, -1)
	return rapid.OneOf(plain, any)
}

// build draws a tree into b.
func build(t *rapid.T, b *index.Builder, label string, names *rapid.Generator[string], depth int) {
	b.Open([]byte(label))
	for range rapid.IntRange(0, 4).Draw(t, "children") {
		if depth > 0 && rapid.Bool().Draw(t, "bracket") {
			build(t, b, names.Draw(t, "label"), names, depth-1)
		} else {
			b.Word([]byte(names.Draw(t, "word")))
		}
	}
	b.Close()
}

func TestPrintRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		syms := index.NewSymbols()
		b := index.Builder{Symbols: syms}
		var want []index.Tree
		var text []byte
		for range rapid.IntRange(1, 4).Draw(t, "trees") {
			var tree index.Tree
			b.Start(&tree, false)
			build(t, &b, name(true).Draw(t, "root"), name(true), 4)
			want = append(want, tree)
			var err error
			if text, err = Append(text, &tree, syms); err != nil {
				t.Fatal(err)
			}
		}
		r := Open(bytes.NewReader(text), format.Options{Symbols: syms})
		for i := range want {
			var got index.Tree
			if err := r.Next(&got); err != nil {
				t.Fatalf("%v in:\n%s", err, text)
			}
			if diff := cmp.Diff(want[i].Nodes, got.Nodes); diff != "" {
				t.Fatalf("tree %d of:\n%s%s", i, text, diff)
			}
		}
	})
}

// pretty writes a tree on several lines if it has several nonterminals.
func pretty(t *index.Tree, s *index.Symbols) string {
	line, _ := Append(nil, t, s)
	var b strings.Builder
	depth := 0
	for _, c := range strings.TrimSpace(string(line)) {
		switch c {
		case '(':
			if depth > 0 {
				b.WriteString("\n" + strings.Repeat("  ", depth))
			}
			depth++
		case ')':
			depth--
		}
		b.WriteRune(c)
	}
	return b.String()
}

// TestOneBracket adds or removes a bracket of one tree. Only that tree is left out, with one error.
func TestOneBracket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.Bool().Draw(t, "pretty")
		trees := treebank(t, lines)
		bad := rapid.IntRange(0, len(trees)-1).Draw(t, "bad")
		first := ""
		if lines {
			first = several
		}
		checkBroken(t, first, trees, bad, breakBracket(t, trees[bad]))
	})
}

// TestTruncated cuts off the end of one tree, at any place. Only that tree is left out, with one error.
func TestTruncated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trees := treebank(t, rapid.Bool().Draw(t, "pretty"))
		bad := rapid.IntRange(0, len(trees)-1).Draw(t, "bad")
		at := rapid.IntRange(1, len(trees[bad])-1).Draw(t, "at")
		for trees[bad][at]&0xC0 == 0x80 {
			at--
		}
		checkBroken(t, several, trees, bad, trees[bad][:at])
	})
}

// TestOnlyBracket removes all of one tree except its first bracket. The tree can be the first one. All other
// trees are read, whether they have no wrappers, wrappers, or wrappers on lines of their own.
func TestOnlyBracket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.Bool().Draw(t, "pretty")
		wrapper := rapid.SampledFrom([]string{"%s", "( %s (ID x))", "( %s )", "(\n%s\n)"}).Draw(t, "wrapper")
		b := index.Builder{Symbols: index.NewSymbols()}
		var trees []string
		for range rapid.IntRange(3, 6).Draw(t, "trees") {
			trees = append(trees, fmt.Sprintf(wrapper, drawTree(t, &b, lines)))
		}
		bad := rapid.IntRange(0, len(trees)-1).Draw(t, "bad")
		first := ""
		if rapid.Bool().Draw(t, "after a good one") {
			first = fmt.Sprintf(wrapper, several)
		}
		checkBroken(t, first, trees, bad, "(")
	})
}

// treebank draws trees, on several lines each or on one.
func treebank(t *rapid.T, lines bool) (trees []string) {
	b := index.Builder{Symbols: index.NewSymbols()}
	for range rapid.IntRange(1, 6).Draw(t, "trees") {
		text := drawTree(t, &b, lines)
		if rapid.Bool().Draw(t, "wrapper") {
			text = "( " + text + " (ID x))"
		}
		trees = append(trees, text)
	}
	return trees
}

// drawTree draws a tree, on several lines or on one.
func drawTree(t *rapid.T, b *index.Builder, lines bool) string {
	var tree index.Tree
	b.Start(&tree, false)
	build(t, b, "ROOT", name(false), 3)
	if lines {
		return pretty(&tree, b.Symbols)
	}
	line, _ := Append(nil, &tree, b.Symbols)
	return strings.TrimSpace(string(line))
}

// several is a tree on several lines.
const several = "(FIRST\n  (X y))"

// checkBroken reads trees after the text `first`. One of the trees is broken, and all others must be read.
func checkBroken(t *rapid.T, first string, trees []string, bad int, broken string) {
	sep := rapid.SampledFrom([]string{"\n", "\n\n"}).Draw(t, "separator")
	if first != "" {
		first += sep
	}
	margin := strings.Repeat(" ", rapid.IntRange(0, 2).Draw(t, "margin"))
	indented := func(trees []string) string {
		text := first + strings.Join(trees, sep)
		return margin + strings.ReplaceAll(text, "\n", "\n"+margin) + "\n"
	}
	good := slices.Delete(slices.Clone(trees), bad, bad+1)
	trees[bad] = broken
	got := readtest.Reader{Format: &Format}.Read(t, indented(trees), format.Options{})
	want := readtest.Reader{Format: &Format}.Read(t, indented(good), format.Options{})
	if got.Text != want.Text || len(got.Errors) != 1 {
		t.Fatalf("input:\n%s\nread:\n%s", indented(trees), got.Report)
	}
}

// breakBracket adds or removes a bracket, so that a reader can tell which tree is broken. For example, it
// adds no "(" in column 0, which would start another tree.
func breakBracket(t *rapid.T, s string) string {
	if rapid.Bool().Draw(t, "add") {
		bracket := rapid.SampledFrom([]string{"(", ")"}).Draw(t, "bracket")
		first, last := 0, len(s)
		if bracket == "(" {
			last--
		} else {
			first++
		}
		at := rapid.IntRange(first, last).Draw(t, "at")
		for at < len(s) && s[at]&0xC0 == 0x80 {
			at++
		}
		if bracket == "(" && at > 0 && s[at-1] == '\n' {
			at++
		}
		return s[:at] + bracket + s[at:]
	}
	var brackets []int
	for i, c := range s {
		if c == ')' || c == '(' && s[i+1] != ' ' {
			brackets = append(brackets, i)
		}
	}
	at := rapid.SampledFrom(brackets).Draw(t, "remove")
	return s[:at] + s[at+1:]
}

// TestBoundaries lets the pieces of text that the reader gets end at every place of a tree.
func TestBoundaries(t *testing.T) {
	tree := "( (S\n  (NP-SBJ þ\\(ú\\))\r\n (VP \\a)\t(ID x)) (ID 1.2))\n\n(A b) (C d)\n"
	want := readtest.Reader{Format: &Format}.Read(t, tree, format.Options{}).Text
	for _, size := range []int{firstChunk, chunk} {
		for shift := range len(tree) + 2 {
			input := strings.Repeat(" ", size-shift) + tree
			got := readtest.Reader{Format: &Format}.Read(t, input, format.Options{})
			if got.Text != want {
				t.Fatalf("%d bytes before the boundary: %s", shift, got.Report)
			}
		}
	}
}

// TestExtremes reads trees that are deep, wide or long, in linear time and without
// recursion.
func TestExtremes(t *testing.T) {
	const n = 200_000
	for _, c := range []struct {
		name, text string
		nodes      int
		bad        string
	}{
		{"deep", strings.Repeat("(A ", n) + "x" + strings.Repeat(")", n), n + 1, ""},
		{"deep wrappers", strings.Repeat("( ", n) + "(A x)" + strings.Repeat(")", n), 2, ""},
		{"wide", "(A" + strings.Repeat(" x (B y)", n) + ")", 3*n + 1, ""},
		{"a long word", "(A " + strings.Repeat("x", 16<<20) + ")", 2, ""},
		{"a long note", "( (META" + strings.Repeat(" (X y)", n) + ") (S x))", 2, ""},
		{"a note as the tree", "( (META" + strings.Repeat(" (X y)", n) + "))", 2*n + 1, ""},
		{"many TOPs", "(" + strings.Repeat(" (X y)", n) + ")", 2*n + 1, ""},
		{"a giant", "(A" + strings.Repeat(" (B y)", 2_600_000) + ")\n(C d)", 5_200_001, ""},
		{"a giant, open", "(A\n" + strings.Repeat("(B y)\n", 3_000_000), 0, "line 2 starts"},
		{"inset", strings.Repeat("  (A\n    (B c))\n", n), 3, ""},
		{"inset, and too many", strings.Repeat("  (A\n    (B c))\n", n) + ")", 3, ""},
		{"deep and open", strings.Repeat("(A ", n), 0, "200,000 brackets open"},
		{"open before many", "(A b\n" + strings.Repeat("(B c\n", n), 0, "line 2 starts"},
		{"closing", strings.Repeat(")", n), 0, "without"},
		{"text", strings.Repeat("word ", n), 0, "outside brackets"},
		{"lines of text", strings.Repeat("word\n", n), 0, "outside brackets"},
		{"blank", strings.Repeat(" \n", 10*n), 0, ""},
		{"one line", strings.Repeat("(A b) ", n), 2, ""},
		{"one line, and too many", strings.Repeat("(A b) ", n) + ")", 2, ""},
		{"bad bytes", strings.Repeat("(A \xff)\n", n), 0, "UTF-8"},
		{"bad bytes on a line", strings.Repeat("(A \xff) ", n), 0, "UTF-8"},
		{"too many on each line", strings.Repeat("(A b))\n", n), 0, "after the tree"},
		{"flush left and open", "(A\n(B c))\n" + strings.Repeat("(A\n(B c)\n", n), 0, "open"},
		{"open at a bracket", "(A b)\n" + strings.Repeat("(S (\n(A b)\n", n), 0, "line 3 starts"},
		{"flush left, blank lines, open", "(A\n(B c))\n\n(A\n(B c))\n\n" + strings.Repeat("(A\n(B c)\n\n", n), 0, "open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Open(strings.NewReader(c.text), format.Options{Symbols: index.NewSymbols()})
			var tree index.Tree
			trees, first := 0, ""
			for {
				err := r.Next(&tree)
				if err == io.EOF {
					break
				}
				if err != nil {
					if first == "" {
						first = err.Error()
					}
					continue
				}
				if trees++; trees == 1 {
					readtest.Check(t, &tree, r.b.Symbols)
					if len(tree.Nodes) != c.nodes && c.bad == "" {
						t.Errorf("%d nodes, want %d", len(tree.Nodes), c.nodes)
					}
				}
			}
			if c.bad == "" && c.nodes > 0 && trees == 0 || !strings.Contains(first, c.bad) {
				t.Errorf("%d trees, first error %q", trees, first)
			}
		})
	}
}

// TestAllocs: after the first trees, nothing is allocated for a tree or token, except a name.
func TestAllocs(t *testing.T) {
	for text, want := range map[string]float64{
		"( (S (NP-SBJ (DT the) (NN cat)) (VP sat (NP *T*-1)) (-LRB- \\()))\n\n": 0,
		"( (META (X y)) (S (NP x)) (ID a.1))\n":                                 1,
	} {
		const trees = 1000
		var tree index.Tree
		r := Open(strings.NewReader(strings.Repeat(text, trees)), format.Options{
			Symbols: index.NewSymbols(), StripTraces: true, StripFunctions: true,
		})
		allocs := testing.AllocsPerRun(trees/2, func() {
			if err := r.Next(&tree); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > want {
			t.Errorf("%v allocations a tree: %s", allocs, text)
		}
	}
}
