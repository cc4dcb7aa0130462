package conll

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fstore/decode/format"
	"fstore/index"
)

// plain is the layout of CoNLL-U, as far as the tests need it.
var plain = Layout{
	Columns: strings.Fields("ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"),
	Filled:  []int{0}, Head: 6, Token: TenColumns,
}

const (
	goodWord = "1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
	badWord  = "1\tw\n\n"
)

// TestComment compares text that has, for each sentence, its name and the values of some keys.
func TestComment(t *testing.T) {
	for _, c := range []struct{ name, keys, text, want string }{
		{
			"what stands above newdoc is the sentence's", "a b",
			"# a = 1\n# newdoc id = d\n# b = 2\n# sent_id = 1\n" + goodWord + "# sent_id = 2\n" + goodWord, "1 1 2|2 - 2",
		},
		{
			"the document's ends with newpar, the paragraph's with sent_id or text", "a b c",
			"# newdoc\n# a = 1\n# newpar\n# b = 2\n# text = x\n# c = 3\n# sent_id = 1\n" + goodWord + "# sent_id = 2\n" + goodWord +
				"# newpar id = p\n# sent_id = 3\n" + goodWord, "1 1 2 3|2 1 2 -|3 1 - -",
		},
		{
			"a paragraph without a document", "a newpar_id",
			"# newpar id = p\n# a = 1\n# sent_id = 1\n" + goodWord + "# sent_id = 2\n" + goodWord, "1 1 p|2 1 p",
		},
		{
			"newdoc ends a paragraph", "a",
			"# newpar\n# a = 1\n# sent_id = 1\n" + goodWord + "# newdoc\n# sent_id = 2\n" + goodWord, "1 1|2 -",
		},
		{
			"a sentence's own comes first, and holds for no other", "a",
			"# newdoc\n# a = 1\n# sent_id = 1\n" + goodWord + "# sent_id = 2\n# a = 2\n" + goodWord + "# sent_id = 3\n" + goodWord, "1 1|2 2|3 1",
		},
		{
			"meta:: is the document's wherever it stands", "meta::a",
			"# meta::a = 1\n# newdoc\n# sent_id = 1\n" + goodWord + "# sent_id = 2\n# meta::a = 2\n" + goodWord + "# sent_id = 3\n" + goodWord +
				"# newdoc\n# sent_id = 4\n" + goodWord, "1 1|2 2|3 2|4 -",
		},
		{
			"without a document, meta:: is the sentence's", "meta::a",
			"# sent_id = 1\n# meta::a = 1\n" + goodWord + "# sent_id = 2\n" + goodWord, "1 1|2 -",
		},
		{
			"a key that is repeated has several values, until a later sentence has others", "a meta::b c",
			"# newdoc\n# a = 1\n# a = 2\n# meta::b = 1\n# meta::b = 2\n# sent_id = 1\n# c = 1\n# c = 2\n" + goodWord +
				"# sent_id = 2\n# meta::b = 3\n# a = 4\n" + goodWord + "# sent_id = 3\n" + goodWord, "1 1+2 1+2 1+2|2 4 3 -|3 1+2 3 -",
		},
		{
			"words without a name", "a b",
			"# newdoc\n# a = 1\n" + goodWord + "# b = 2\n" + goodWord + goodWord, " 1 -| 1 2| 1 -",
		},
		{
			"the comments of a block without words", "a b",
			"# newdoc\n# a = 1\n\n# b = 2\n" + goodWord + goodWord, " 1 2| 1 -",
		},
		{
			"a bad first sentence", "a b c",
			"# newdoc\n# a = 1\n# newpar\n# b = 2\n# sent_id = 1\n# c = 3\n" + badWord + "# c = 4\n# sent_id = 2\n" + goodWord + "# sent_id = 3\n" + goodWord,
			"2 1 2 4|3 1 2 -",
		},
	} {
		if got := rowsOf(t, c.text, strings.Fields(c.keys)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// commentsOf reads the good sentences of a text, and their comments. In a key, _ stands for a space.
func commentsOf(t interface{ Fatal(args ...any) }, text string, keys []string) (rows []string, printed string) {
	r := Open(&plain, strings.NewReader(text), format.Options{Symbols: index.NewSymbols()})
	var tree index.Tree
	for {
		err := r.Next(&tree)
		if err == io.EOF {
			return rows, printed
		}
		if _, bad := err.(*index.InputError); bad {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		row := tree.Name
		for _, key := range keys {
			v := "-"
			if all := r.Comment(strings.Replace(key, "newpar_id", "newpar id", 1)); len(all) > 0 {
				v = strings.Join(all, "+")
			}
			row += " " + v
		}
		rows = append(rows, row)
		printed += strings.Join(append(tree.Comments, goodWord), "\n")
	}
}

func rowsOf(t *testing.T, text string, keys []string) string {
	rows, _ := commentsOf(t, text, keys)
	return strings.Join(rows, "|")
}

// TestCommentsLeftOut leaves sentences out. The other sentences keep their comments, and their printed form
// reads back the same.
func TestCommentsLeftOut(t *testing.T) {
	keys := []string{"a", "b", "meta::c"}
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			"# newdoc id = d", "# newpar", "# a = 1", "# a = 2", "# b = 1", "# meta::c = 1", "# meta::c = 2", "# text = x",
		}), 0, 4)
		var text, good string
		var kept []int
		for i := range rapid.IntRange(1, 5).Draw(t, "sentences") {
			own := append(lines.Draw(t, "above"), "# sent_id = "+string(rune('1'+i)))
			own = append(own, lines.Draw(t, "below")...)
			block := strings.Join(own, "\n") + "\n"
			good += block + goodWord
			if rapid.Bool().Draw(t, "left out") {
				text += block + badWord
			} else {
				text += block + goodWord
				kept = append(kept, i)
			}
		}
		all, _ := commentsOf(t, good, keys)
		var want []string
		for _, i := range kept {
			want = append(want, all[i])
		}
		got, printed := commentsOf(t, text, keys)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s%s", text, diff)
		}
		again, _ := commentsOf(t, printed, keys)
		if diff := cmp.Diff(want, again); diff != "" {
			t.Fatalf("%s\nprints as\n%s%s", text, printed, diff)
		}
	})
}

// TestTooManyComments: the comments that are kept are limited, within a sentence and for later sentences. The
// sentence after one with too many comments is read.
func TestTooManyComments(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	own := "# " + long + "\n# " + long + "\n# " + long + "\n"
	for _, c := range []struct {
		name, text string
		line       int
		what       string
	}{
		{"text of a sentence", own + goodWord + goodWord, 3, "the sentence"},
		{"lines of a sentence", strings.Repeat("#\n", mostCommentLines+1) + goodWord + goodWord, mostCommentLines + 1, "the sentence"},
		{"a document in blocks", "# newdoc\n# meta::a = " + long + "\n\n# meta::b = " + long + "\n\n# meta::c = " + long + "\n\n" + goodWord, 7, "the sentence's paragraph or document"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Open(&plain, strings.NewReader(c.text), format.Options{Symbols: index.NewSymbols()})
			want := (&index.InputError{Line: c.line, Sentence: 1, Msg: tooManyComments(c.what)}).Error()
			tree := &index.Tree{}
			if err := r.Next(tree); err == nil || err.Error() != want {
				t.Fatalf("%v, want %s", err, want)
			}
			if kept := cap(r.text) + 8*cap(r.ends); kept > 3*mostCommentText {
				t.Errorf("%d bytes are kept", kept)
			}
			if err := r.Next(tree); err != nil {
				t.Fatal(err)
			}
			if err := r.Next(tree); err != io.EOF {
				t.Fatalf("%v, want the end", err)
			}
		})
	}
}
