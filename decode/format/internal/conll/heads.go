package conll

import (
	"strconv"
	"strings"

	"fstore/decode/format"
	"fstore/index"
)

// checkHeads returns a problem if the heads form no tree: a head beyond the sentence, no root, or a cycle.
func (r *Reader) checkHeads() *problem {
	if r.t.Unparsed() {
		return nil
	}
	roots := 0
	for i := range r.t.Tokens {
		h := int(r.t.Tokens[i].Head)
		if h > len(r.t.Tokens) {
			return r.problemAt(i, "HEAD of word %d is %d: expected 0 to %d", i+1, h, len(r.t.Tokens))
		}
		if h == 0 {
			roots++
		}
	}
	i := r.cycle()
	switch {
	case roots == 0:
		return &problem{r.first, "no word has HEAD 0, the heads go round, " + r.cycleText(i) + ": expected a root"}
	case i >= 0:
		return r.problemAt(i, "a cycle of heads, %s: expected a tree", r.cycleText(i))
	}
	return nil
}

// checkUnparsed returns a problem if some words have a head and others have none.
func (r *Reader) checkUnparsed() *problem {
	for i := range r.t.Tokens {
		if t := &r.t.Tokens[i]; t.Head < 0 != (r.t.Tokens[0].Head < 0) {
			if t.Head >= 0 {
				i = 0
			}
			return r.problemAt(i, `HEAD of word %d is "_": expected a number, 0 for a root`, i+1)
		}
	}
	return nil
}

// cycle returns the first token of a cycle, or -1 if there is none.
func (r *Reader) cycle() int {
	n := len(r.t.Tokens)
	if cap(r.mark) < n {
		r.mark = make([]int32, n+n/2)
	}
	mark := r.mark[:n] // number of the walk that reached each token, from 1; 0 means that no walk reached it
	clear(mark)
	for i := range mark {
		walk := int32(i) + 1
		j := i
		for j >= 0 && mark[j] == 0 {
			mark[j] = walk
			j = int(r.t.Tokens[j].Head) - 1
		}
		if j >= 0 && mark[j] == walk {
			return j
		}
	}
	return -1
}

// cycleText returns, for a message, the words of the cycle that contains token i.
func (r *Reader) cycleText(i int) string {
	const most = 8
	var b strings.Builder
	j := i
	for n := 0; n == 0 || j != i; n++ {
		if n == most {
			b.WriteString("… → ")
			break
		}
		b.WriteString(strconv.Itoa(j+1) + " " + format.Quote(r.o.Symbols.Bytes(index.Words, r.t.Tokens[j].Form)) + " → ")
		j = int(r.t.Tokens[j].Head) - 1
	}
	return b.String() + strconv.Itoa(i+1)
}
