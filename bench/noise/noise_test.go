package noise

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"fstore/decode/read"
	"fstore/index"
)

const gold = `1	He	he	PRON	PRP	_	2	nsubj	_	_
2	won	win	VERB	VBD	_	0	root	_	_
3	the	the	DET	DT	_	5	det	_	_
4	long	long	ADJ	JJ	_	5	amod	_	_
5	game	game	NOUN	NN	_	2	obj	_	_
6	today	today	NOUN	NN	_	2	obl	_	_

1	She	she	PRON	PRP	_	2	nsubj	_	_
2	likes	like	VERB	VBZ	_	0	root	_	_
3	a	a	DET	DT	_	4	det	_	_
4	story	story	NOUN	NN	_	2	obj	_	_
5	of	of	ADP	IN	_	6	case	_	_
6	ships	ship	NOUN	NNS	_	4	nmod	_	_

`

// readAll reads all samples of a text.
func readAll(t *testing.T, text string) ([]*index.Tree, *index.Symbols) {
	t.Helper()
	syms := index.NewSymbols()
	in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: syms, Stdin: strings.NewReader(text), Format: "conllu"})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var all []*index.Tree
	for {
		var x index.Tree
		err := in.Next(&x)
		if err == io.EOF {
			return all, syms
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x.Clone())
	}
}

// The written lists can be read. They have gold trees, different candidates and falling scores. A second run
// writes the same lists. A smaller number of lists gives the first of these lists.
func TestWrite(t *testing.T) {
	trees, syms := readAll(t, gold)
	write := func(lists int) (string, string) {
		var a, b bytes.Buffer
		if err := Write(&a, &b, trees, syms, Options{Lists: lists, Candidates: 5, Seed: 3}); err != nil {
			t.Fatal(err)
		}
		return a.String(), b.String()
	}
	kbest, right := write(40)
	if again, _ := write(40); again != kbest {
		t.Error("other lists the second time")
	}
	if few, rightFew := write(10); !strings.HasPrefix(kbest, few) || !strings.HasPrefix(right, rightFew) {
		t.Error("ten lists are not the first ten of forty")
	}
	candidates, _ := readAll(t, kbest)
	golds, _ := readAll(t, right)
	if len(golds) != 40 {
		t.Fatalf("%d gold trees", len(golds))
	}
	lists, found, grafted := 0, 0, 0
	for i, c := range candidates {
		if c.Candidate == 1 {
			lists++
		} else if c.Score > candidates[i-1].Score {
			t.Errorf("%s: scores rise", c.Name)
		}
		g := golds[lists-1]
		if c.Name != g.Name || len(c.Tokens) != len(g.Tokens) {
			t.Fatalf("%s: a candidate of %d words, the gold tree of %s has %d", c.Name, len(c.Tokens), g.Name, len(g.Tokens))
		}
		same := true
		for w := range c.Tokens {
			same = same && c.Tokens[w].Head == g.Tokens[w].Head
		}
		if same {
			found++
		}
		if len(g.Tokens) != 6 {
			grafted++
		}
	}
	if lists != 40 || found == 0 || found > len(candidates)/2 || grafted == 0 {
		t.Errorf("%d lists, %d of %d candidates with gold heads, %d of sentences of another length", lists, found, len(candidates), grafted)
	}
}
