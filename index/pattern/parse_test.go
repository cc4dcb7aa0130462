package pattern

import (
	"fmt"
	"strings"
	"testing"

	"fstore/index"
)

// The error for a malformed pattern has the place, counted in characters from 1, and says what would be
// right.
func TestMalformed(t *testing.T) {
	const brackets, arcs = index.Constituency, index.Dependency
	for _, c := range []struct {
		kind index.Kind
		text string
		at   int
		want string // part of the message
	}{
		{brackets, "", 1, "it looks like (NP (DT the) (NN))"},
		{brackets, "   ", 4, "no pattern"},
		{brackets, "(NP (DT", 5, "this bracket is not closed"},
		{brackets, "(NP", 1, "this bracket is not closed"},
		{brackets, "(NP (DT the)", 1, "this bracket is not closed"},
		{brackets, "(NP))", 5, "a closing bracket too many"},
		{brackets, ")", 1, "where a node is expected"},
		{brackets, "()", 2, "a label is missing after the bracket"},
		{brackets, "(", 2, "a label is missing"},
		{brackets, "((NP))", 2, "a bracket begins with its label"},
		{brackets, "( NP)", 2, "a label is missing after the bracket"},
		{brackets, "(NP) (VP)", 6, "one root"},
		{brackets, "(NP) the", 6, "one root"},
		{brackets, "the dog", 5, "the is a word"},
		{brackets, "(... (NP))", 2, "... stands among the children"},
		{brackets, "...", 1, "... stands among the children"},
		{brackets, "(NP|)", 5, "a name is missing beside |"},
		{brackets, "(|NP)", 2, "a name is missing beside |"},
		{brackets, "(NP||VP)", 5, `the character itself is \x7C`},
		{brackets, `(NP \q)`, 5, `no such escape: \q`},
		{brackets, `(NP a\)`, 1, "not closed"},
		{brackets, `(NP \x4)`, 5, `\x needs two hexadecimal digits`},
		{brackets, "(VP (VB[lemma=give]))", 8, "conditions are for dependency trees"},
		{brackets, "(é (NP", 4, "not closed"},
		{brackets, "VERB >obj NOUN", 6, "VERB is a word"},
		{arcs, "", 1, "it looks like VERB >obj NOUN"},
		{arcs, "VERB >obj", 10, "a node is missing at the end"},
		{arcs, "VERB >obj (NOUN", 11, "this bracket is not closed"},
		{arcs, "VERB >obj NOUN)", 15, "a closing bracket too many"},
		{arcs, "VERB > NOUN", 6, "write >obj, or >_ for any"},
		{arcs, "VERB <> NOUN", 6, "write <>obj, or <>_ for any"},
		{arcs, "VERB >", 6, "an arc without its relation"},
		{arcs, ">obj NOUN", 1, "_ is any node"},
		{arcs, "VERB NOUN", 6, "NOUN where an arc is expected"},
		{arcs, "VERB >obj NOUN <nsubj PRON", 16, "stands before its head, as in PRON <nsubj VERB"},
		{arcs, "VERB >obj >nsubj NOUN", 11, "an arc where a node is expected"},
		{arcs, "VERB >>obj NOUN", 6, "an arc is <, > or <> and its relation"},
		{arcs, "VERB >* NOUN", 7, "write >_ for any relation"},
		{arcs, "VERB >... NOUN", 7, "... stands for further dependents"},
		{arcs, "* >obj *", 1, "write _ for any node"},
		{arcs, "(NP (DT the))", 5, "( where an arc is expected"},
		{arcs, "()", 2, "a closing bracket where a node is expected"},
		{arcs, "(VERB >obj NOUN) >obl NOUN", 1, "a group in brackets is a dependent"},
		{arcs, "VERB[lemma]", 6, "write [lemma=lemma] or [form=lemma]"},
		{arcs, "VERB[]", 5, "an empty condition"},
		{arcs, "VERB[lemma=give", 5, "a ] is missing"},
		{arcs, "VERB[lemma=]", 12, "a value is missing"},
		{arcs, "VERB[lema=give]", 6, "did you mean lemma?"},
		{arcs, "VERB[word=give]", 6, "did you mean form? (fields: form, lemma, upos, xpos, feats, misc"},
		{arcs, "VERB[lemma!=give]", 11, "there is no !="},
		{arcs, "VERB[lemma==give]", 12, "one = is enough: write [lemma=give]"},
		{arcs, "VERB[lemma~give]", 11, "write [lemma=give]"},
		{arcs, `VERB[lemma="give"]`, 12, "a value has no quotes: write [lemma=give]"},
		{arcs, "VERB[lemma = give]", 11, "a space within a condition"},
		{arcs, "VERB[form=(]", 11, `a bracket in a value is \( or \)`},
		{arcs, "NOUN[feats~Number]", 12, "write [feats~Number=*] for any"},
		{arcs, "[lemma=give] >obj NOUN", 1, "write _[lemma=give]"},
		{arcs, "VERB[lemma=give]x", 17, "a space is missing"},
		{arcs, "VERB >obj[lemma=x] NOUN", 10, "conditions are on nodes"},
		{arcs, "VERB[lemma=a||b]", 14, "a name is missing beside |"},
		{arcs, `VERB[form=\e\e]`, 11, `\e is the empty string`},
		{arcs, "NOUN|", 6, "a name is missing"},
		{arcs, "A" + strings.Repeat(" <>x B", 9), 51, "at most 8 dependents"},
	} {
		_, err := Parse(c.text, Options{Kind: c.kind})
		prefix := fmt.Sprintf("pattern %s: character %d: ", c.text, c.at)
		if err == nil || !strings.HasPrefix(err.Error(), prefix) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s… %s", c.text, err, prefix, c.want)
		}
	}
}

// AppendName writes a name so that a pattern reads back the same name.
func TestNames(t *testing.T) {
	for _, name := range []string{"a", "_", "...", "*", "a*", "*a*", "|", "a|b", "[", "a]b", "<x>", "(", " ", "", "/i/a", "=", `"a"`, "\\", "é", "a=b"} {
		text := string(AppendName(nil, []byte(name)))
		for _, pattern := range []string{"_[form=" + text + "]", "_ >" + text + " _"} {
			if name == "" && strings.Contains(pattern, ">") {
				continue
			}
			p, err := Parse(pattern, Options{Kind: index.Dependency})
			if err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			var got []string
			p.EachName(func(n Name) { got = append(got, fmt.Sprint(n.Text, n.Prefix)) })
			if len(got) != 1 || got[0] != name+"false" {
				t.Errorf("%q is spelt %s, which is %q", name, text, got)
			}
		}
	}
}

func TestWordsOption(t *testing.T) {
	p, err := Parse("VERB[give] >obj _", Options{Kind: index.Dependency, Words: "lemma"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	p.EachName(func(n Name) { got = append(got, n.Field.String()+" "+n.Text) })
	if want := "[upos VERB lemma give relation obj]"; fmt.Sprint(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Whatever the text, parsing ends with a pattern or an error of this package, and a pattern
// is matched and expanded without a panic.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"(NP ... (DT the|a) (NN*))", "VERB[lemma=give][feats~Number=Plur] >obj (DET <det NOUN) <>obl _", "_", "(_ _ (/i/x ...))",
		`A <b C >\x5B D`, "(A (B (C (D))))", "VERB[", "(((", "... A ...", "A <>a B <>c D",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	syms := index.NewSymbols()
	var trees [2]index.Tree
	b := index.Builder{Symbols: syms}
	b.Start(&trees[0], false)
	for _, label := range []string{"NP", "A", "B"} {
		b.Open([]byte(label))
		b.Word([]byte("the"))
	}
	b.Close()
	b.Close()
	b.Close()
	w := func(s string) uint32 { return syms.Intern(index.Words, []byte(s)) }
	trees[1].Kind = index.Dependency
	for i := range int32(4) {
		trees[1].Tokens = append(trees[1].Tokens, index.Token{Form: w("a"), Lemma: w("a"), UPOS: w("A"), XPOS: w("X"), Feats: w("_"), Rel: w("b"), Misc: w("_"), Head: i / 2})
	}
	f.Fuzz(func(t *testing.T, text string, literal bool) {
		for kind := range trees {
			p, err := Parse(text, Options{Kind: index.Kind(kind), Literal: literal})
			if err != nil {
				if _, ok := err.(*Error); !ok || err.Error() == "" {
					t.Fatal(err)
				}
				continue
			}
			m := NewMatcher(p, syms)
			hits, _, err := m.Count(&trees[kind])
			n := uint64(0)
			m.Each(&trees[kind], func(row []int32) bool {
				p.AppendInstance(nil, &trees[kind], row, syms)
				n++
				return n < 1000
			})
			if err == nil && n != min(hits, 1000) {
				t.Fatalf("%q: %d hits, and %d listed", text, hits, n)
			}
			p.Expand(syms)
			p.Parts(index.Implied{Complete: kind == 0, Sides: true, Siblings: true}, syms)
		}
	})
}
