package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fstore/index"
)

func drawName(t *rapid.T) []byte {
	return []byte(rapid.StringOfN(rapid.SampledFrom([]rune("ab東\u0301ك<&\x00\x1b\u202e(\uffff𝕏👍🏽")), 0, 6, -1).Draw(t, "name"))
}

func build(t *rapid.T, b *index.Builder, depth int) {
	b.Open(drawName(t))
	for range rapid.IntRange(0, 3).Draw(t, "children") {
		if depth > 0 && rapid.Bool().Draw(t, "bracket") {
			build(t, b, depth-1)
		} else {
			b.Word(drawName(t))
		}
	}
	b.Close()
}

// sample draws a tree of either kind.
func sample(t *rapid.T, s *index.Symbols) *index.Tree {
	tree := &index.Tree{}
	if rapid.Bool().Draw(t, "constituency") {
		b := index.Builder{Symbols: s}
		b.Start(tree, rapid.Bool().Draw(t, "one alphabet"))
		for range rapid.IntRange(0, 2).Draw(t, "trees") {
			build(t, &b, 5)
		}
		return tree
	}
	tree.Kind = index.Dependency
	n := rapid.IntRange(0, 12).Draw(t, "words")
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	order = rapid.Permutation(order).Draw(t, "order")
	tree.Tokens = make([]index.Token, n)
	for k, i := range order {
		field := func() uint32 { return s.Intern(index.Words, drawName(t)) }
		tree.Tokens[i] = index.Token{Form: field(), UPOS: field(), Rel: field()}
		if h := rapid.IntRange(0, k).Draw(t, "head"); h > 0 {
			tree.Tokens[i].Head = int32(order[h-1]) + 1
		}
	}
	return tree
}

// TestAnything draws trees of any shape. It checks that labels stand where the sketch has them, that lines
// meet, and that SVG is XML.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := index.NewSymbols()
		tree := sample(t, s)
		o := Options{Width: rapid.IntRange(1, 80).Draw(t, "width")}
		for _, k := range sketches(tree, s, o) {
			checkSketch(t, k)
		}
		text := Text(nil, tree, s, o)
		if strings.ContainsFunc(string(text), func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' }) {
			t.Fatalf("%q", text)
		}
		d := xml.NewDecoder(strings.NewReader(string(SVG(nil, tree, s, o))))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func checkSketch(t *rapid.T, k *sketch) {
	grid := k.grid()
	taken := map[[2]int]bool{}
	for _, l := range k.labels {
		for col := l.col; col < l.col+l.name.width; col++ {
			if taken[[2]int{l.row, col}] {
				t.Fatalf("two labels in row %d, column %d", l.row, col)
			}
			taken[[2]int{l.row, col}] = true
		}
	}
	side := func(row, col int, sides byte) bool {
		return taken[[2]int{row, col}] || row >= 0 && row < len(grid) && col >= 0 && col < len(grid[row]) && grid[row][col]&sides != 0
	}
	for row := range grid {
		for col, c := range grid[row] {
			if taken[[2]int{row, col}] {
				continue
			}
			if c&up != 0 && !side(row-1, col, down) || c&down != 0 && !side(row+1, col, up) {
				t.Fatalf("a line ends in the air, row %d, column %d:\n%s", row, col, k.appendText(nil))
			}
		}
	}
}

// TestExtremes draws trees that are deep or wide. The time is short, and the size of the picture for each
// node is limited.
func TestExtremes(t *testing.T) {
	const n = 10_000
	s := index.NewSymbols()
	w := s.Intern(index.Words, []byte("w"))
	var deep, wide, left index.Tree
	b := index.Builder{Symbols: s}
	b.Start(&deep, false)
	for range n {
		b.Open([]byte("A"))
	}
	b.Word([]byte("w"))
	for range n {
		b.Close()
	}
	b.Start(&wide, false)
	b.Open([]byte("A"))
	for range n {
		b.Word([]byte("w"))
	}
	b.Close()
	b.Start(&left, false)
	for range n {
		b.Open([]byte("A"))
		b.Word([]byte("w"))
	}
	for range n {
		b.Close()
	}
	trees := map[string]*index.Tree{"deep": &deep, "wide": &wide, "left": &left}
	for name, head := range map[string]func(i int) int{
		"chain":  func(i int) int { return i },
		"star":   func(i int) int { return min(i, 1) },
		"roots":  func(int) int { return 0 },
		"zigzag": func(i int) int { return max(0, i-1) },
	} {
		tree := &index.Tree{Kind: index.Dependency, Tokens: make([]index.Token, n)}
		for i := range tree.Tokens {
			h := head(i)
			if h == i+1 {
				h = i // a chain again where the pattern is none
			}
			tree.Tokens[i] = index.Token{Form: w, UPOS: w, Rel: w, Head: int32(h)}
		}
		trees[name] = tree
	}
	for name, tree := range trees {
		text, svg := Text(nil, tree, s, Options{}), SVG(nil, tree, s, Options{})
		if len(text) > 200*n || len(svg) > 500*n {
			t.Errorf("%s: %d and %d bytes", name, len(text), len(svg))
		}
	}
}
