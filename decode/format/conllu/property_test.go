package conllu

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"fstore/decode/format"
	"fstore/index"
)

func field(t *rapid.T, s *index.Symbols, empty bool) uint32 {
	least := 1
	if empty {
		least = 0
	}
	f := rapid.OneOf(rapid.Just("_"), rapid.StringOfN(rapid.SampledFrom([]rune("abN|=: #\x01é\u00a0")), least, 5, -1)).Draw(t, "field")
	return s.Intern(index.Words, []byte(f))
}

// sentence draws a forest. Each word depends on a word that was drawn before it, or on the root.
func sentence(t *rapid.T, s *index.Symbols) (tree index.Tree) {
	tree.Kind = index.Dependency
	for range rapid.IntRange(0, 2).Draw(t, "comments") {
		tree.Comments = append(tree.Comments, rapid.SampledFrom([]string{"#", "# x = y", "#text=a", "# \u00a0"}).Draw(t, "comment"))
	}
	n := rapid.IntRange(1, 6).Draw(t, "words")
	order := rapid.Permutation(upTo(n)).Draw(t, "order")
	tree.Tokens = make([]index.Token, n)
	for k, i := range order {
		tok := &tree.Tokens[i]
		*tok = index.Token{
			Form: field(t, s, false), Lemma: field(t, s, true), UPOS: field(t, s, false), XPOS: field(t, s, true),
			Feats: field(t, s, true), Rel: field(t, s, false), Deps: field(t, s, true), Misc: field(t, s, true),
		}
		if h := rapid.IntRange(0, k).Draw(t, "head"); h > 0 {
			tok.Head = int32(order[h-1]) + 1
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "unparsed") == 0 {
		for i := range tree.Tokens {
			tree.Tokens[i].Head = -1
		}
	}
	tail := "\tx" + strings.Repeat("\t_", columns-2)
	for i, end := 0, 0; i <= n; i++ {
		for k := range rapid.IntRange(0, 2).Draw(t, "empty nodes") {
			tree.Lines = append(tree.Lines, index.Line{Before: i, Text: strconv.Itoa(i) + "." + strconv.Itoa(k+1) + tail})
		}
		if i >= end && i+1 <= n && rapid.Bool().Draw(t, "range") {
			end = rapid.IntRange(i+1, n).Draw(t, "end")
			tree.Lines = append(tree.Lines, index.Line{Before: i, Text: strconv.Itoa(i+1) + "-" + strconv.Itoa(end) + tail})
		}
	}
	return tree
}

func upTo(n int) (s []int) {
	for i := range n {
		s = append(s, i)
	}
	return s
}

func TestPrintRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := index.NewSymbols()
		var want []index.Tree
		var text []byte
		for range rapid.IntRange(1, 4).Draw(t, "sentences") {
			tree := sentence(t, s)
			want = append(want, tree)
			text, _ = Append(text, &tree, s)
		}
		r := Open(strings.NewReader(string(text)), format.Options{Symbols: s, Unparsed: true})
		var again []byte
		for i := range want {
			var got index.Tree
			if err := r.Next(&got); err != nil {
				t.Fatalf("%v in:\n%s", err, text)
			}
			again, _ = Append(again, &got, s)
			got.Line = 0
			if diff := cmp.Diff(want[i], got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("sentence %d of:\n%s%s", i, text, diff)
			}
		}
		if string(again) != string(text) {
			t.Fatalf("%s\nprints as\n%s", text, again)
		}
	})
}

// TestOneLine breaks one line of a sentence. Only that sentence is left out.
func TestOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := index.NewSymbols()
		var blocks []string
		for range rapid.IntRange(1, 5).Draw(t, "sentences") {
			tree := sentence(t, s)
			text, _ := Append(nil, &tree, s)
			blocks = append(blocks, string(text))
		}
		bad := rapid.IntRange(0, len(blocks)-1).Draw(t, "bad")
		lines := strings.Split(strings.TrimSuffix(blocks[bad], "\n\n"), "\n")
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		breakage := rapid.SampledFrom([]string{"", "\t", "\xff", "\x00"}).Draw(t, "breakage")
		if lines[at][0] == '#' && breakage != "\x00" {
			breakage = "\xff"
		}
		if breakage == "" { // cut the line short
			lines[at] = lines[at][:strings.LastIndexByte(lines[at], '\t')]
		}
		lines[at] += breakage
		broken := strings.Join(append(append(append([]string(nil), blocks[:bad]...), strings.Join(lines, "\n")+"\n\n"), blocks[bad+1:]...), "")
		good := strings.Join(append(append([]string(nil), blocks[:bad]...), blocks[bad+1:]...), "")

		got, errors := readAll(t, broken, s)
		if got != good || errors != 1 {
			t.Fatalf("%d errors in:\n%q\ngot:\n%q", errors, broken, got)
		}
	})
}

// TestTruncated cuts off the end of a sentence, within a line or after a line, and the blank line after it.
// Only that sentence is left out.
func TestTruncated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := index.NewSymbols()
		var blocks []string
		n := rapid.IntRange(2, 5).Draw(t, "sentences")
		for i := range n {
			tree := sentence(t, s)
			tree.Comments = append(tree.Comments, "# n = "+strconv.Itoa(i))
			text, _ := Append(nil, &tree, s)
			blocks = append(blocks, string(text))
		}
		bad := rapid.IntRange(0, n-2).Draw(t, "bad")
		good := strings.Join(slices.Delete(slices.Clone(blocks), bad, bad+1), "")
		comments := blocks[bad][:strings.Index(blocks[bad], "# n = ")] + "# n = x\n"
		cut := comments + "1\tw\t_\tX" + rapid.SampledFrom([]string{
			"", "\t_\t_", strings.Repeat("\t_", 6), "\t_\t_\t2\tdep\t_\t_", "\t_\t_\t2\tdep\t_\t_\n2\tv",
			"\t_\t_\t2\tdep\t_\t_\n1.1\tv", "\t_\t_\t0\tdep\t_\t_\nwhat",
		}).Draw(t, "cut")
		blocks[bad] = cut + "\n"
		if rapid.Bool().Draw(t, "without comments") {
			next := blocks[bad+1]
			at := strings.Index(next, "# n = ")
			at += strings.IndexByte(next[at:], '\n') + 1
			blocks[bad+1] = next[at:]
			good = strings.Replace(good, next, next[at:], 1)
		}
		got, errors := readAll(t, strings.Join(blocks, ""), s)
		if got != good || errors != 1 {
			t.Fatalf("%d errors in:\n%q\ngot:\n%q", errors, blocks, got)
		}
	})
}

// readAll prints the good sentences of a text, and counts the others.
func readAll(t *rapid.T, text string, s *index.Symbols) (good string, bad int) {
	r := Open(strings.NewReader(text), format.Options{Symbols: s, Unparsed: true})
	var got []byte
	for {
		var tree index.Tree
		err := r.Next(&tree)
		if err == io.EOF {
			return string(got), bad
		}
		if err != nil {
			bad++
			continue
		}
		if got, err = Append(got, &tree, s); err != nil {
			t.Fatal(err)
		}
	}
}

// TestExtremes reads sentences that are long, deep or never end.
func TestExtremes(t *testing.T) {
	const n = 100_000
	line := func(id, head int) string {
		return strconv.Itoa(id) + "\tw\t_\tX\t_\t_\t" + strconv.Itoa(head) + "\tdep\t_\t_\n"
	}
	var chain, star, ring strings.Builder
	for i := range n {
		chain.WriteString(line(i+1, i))
		star.WriteString(line(i+1, min(i, 1)))
		ring.WriteString(line(i+1, (i+1)%n+1))
	}
	for name, c := range map[string]struct {
		text   string
		tokens int
	}{
		"chain":       {chain.String(), n},
		"star":        {star.String(), n},
		"ring":        {ring.String() + "\n" + line(1, 0), 1},
		"no blanks":   {strings.Repeat(line(1, 0), n) + "\n" + line(1, 0), 1},
		"16 MiB":      {"1\t" + strings.Repeat("x", 16<<20) + line(1, 0)[2:], 1},
		"comments":    {strings.Repeat("# x = y\n", n) + line(1, 0), 1},
		"blank lines": {strings.Repeat("\n", 10*n) + line(1, 0), 1},
		"only ranges": {strings.Repeat("1-2\tx"+strings.Repeat("\t_", 8)+"\n", n) + "\n" + line(1, 0), 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := Open(strings.NewReader(c.text), format.Options{Symbols: index.NewSymbols()})
			var s index.Tree
			err := r.Next(&s)
			for _, bad := err.(*index.InputError); bad; _, bad = err.(*index.InputError) {
				err = r.Next(&s)
			}
			if err != nil || len(s.Tokens) != c.tokens {
				t.Errorf("%d tokens, %v", len(s.Tokens), err)
			}
		})
	}
}
