package read

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"fstore/decode/format"
)

// Cut is a place where a file can be cut.
type Cut struct {
	At        int64
	Lines     int // before it
	Sentences int // before it, as readers count them if none is bad
}

// FormatOf returns the format of a file, "" if it is not recognised, and whether the file is
// compressed. name is InputOptions.Format.
func FormatOf(ctx context.Context, path, name string) (format string, compressed bool, err error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return "", false, fileError(path, err)
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 64<<10)
	compressed = recognise(in) != nil
	if name != "" {
		return name, compressed, nil
	}
	head, err := headOf(in)
	if err != nil {
		return "", compressed, nil // whoever reads it says so
	}
	if found := head.format(plainName(path)); found != nil {
		return found.Name, compressed, nil
	}
	return "", compressed, nil
}

// Cuts returns, for each of some ascending places of a file, the first place behind it where the file
// can be cut: a sample begins there, and no earlier line says anything about it. There are no cuts
// if the format, or the file, does not show such places. Cuts reads the whole file, which must not be
// compressed.
//
// Brackets are cut where a line begins with a bracket outside of all others, if there is nothing
// else between trees; a CoNLL file at each # newdoc with a name, or, where it has none, at # newpar,
// or, without that, before any sentence; lines of svmtk and klp anywhere. K-best lists are not cut.
func Cuts(ctx context.Context, path, format string, places []int64) ([]Cut, error) {
	var c cutter
	switch format {
	case "ptb":
		c = &bracketCutter{}
	case "conllu", "conllx", "conll09":
		c = &sentenceCutter{}
	case "svmtk", "klp":
		c = &lineCutter{}
	default:
		return nil, nil
	}
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	next := Cut{} // the line that is read
	for at, first := int64(0), true; ; {
		line, err := in.ReadSlice('\n')
		last := err != bufio.ErrBufferFull
		if len(line) > 0 && !c.part(line, next, first, last) {
			return nil, nil
		}
		at += int64(len(line))
		if first = last; !last {
			continue
		}
		switch next.Lines++; {
		case err == io.EOF:
			return choose(c.cuts(), places, at), nil
		case err != nil:
			return nil, fileError(path, err)
		case next.Lines&0xFFFF == 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		}
		next.At = at
	}
}

// choose takes the first cut behind each place.
func choose(cuts []Cut, places []int64, size int64) (chosen []Cut) {
	i := 0
	for _, p := range places {
		for i < len(cuts) && (cuts[i].At < p || cuts[i].Sentences == 0) { // the first block has a sample too
			i++
		}
		if i == len(cuts) || cuts[i].At >= size {
			break
		}
		if n := len(chosen); n == 0 || chosen[n-1] != cuts[i] {
			chosen = append(chosen, cuts[i])
		}
	}
	return chosen
}

// cutter looks for places where a file can be cut.
type cutter interface {
	// part takes the next line, which begins at a place, in parts if it is very long; it is false
	// where the file cannot be cut.
	part(b []byte, at Cut, first, last bool) bool
	cuts() []Cut
}

// mostCuts bounds the cuts that are kept: of more, every other one goes.
const mostCuts = 1 << 20

// cutList keeps cuts, of very many some.
type cutList struct {
	all    []Cut
	stride int
	n      int
}

func (l *cutList) add(c Cut) {
	l.stride = max(l.stride, 1)
	if l.n++; l.n%l.stride != 0 {
		return
	}
	if l.all = append(l.all, c); len(l.all) < mostCuts {
		return
	}
	for i := range mostCuts / 2 {
		l.all[i] = l.all[2*i+1]
	}
	l.all, l.stride = l.all[:mostCuts/2], 2*l.stride
}

// lineCutter cuts before each line.
type lineCutter struct {
	list cutList
	n    int // samples so far
}

func (c *lineCutter) cuts() []Cut { return c.list.all }

func (c *lineCutter) part(b []byte, at Cut, first, _ bool) bool {
	if at.At == 0 && bytes.HasPrefix(b, []byte("SVM-light")) { // a model
		return false
	}
	if b = bytes.TrimSpace(b); first && len(b) > 0 && b[0] != '#' { // a block has a sample
		at.Sentences = c.n
		c.list.add(at)
		c.n++
	}
	return true
}

// bracketCutter cuts between trees.
type bracketCutter struct {
	list  cutList
	n     int // trees so far
	depth int
	last  byte
	bad   bool
}

func (c *bracketCutter) cuts() []Cut { return c.list.all }

func (c *bracketCutter) part(b []byte, at Cut, first, _ bool) bool {
	if at.At == 0 {
		b = format.TrimBOM(b)
	}
	if first && c.depth == 0 && b[0] == '(' && c.last != '\\' {
		at.Sentences = c.n
		c.list.add(at)
	}
	c.scan(b)
	return !c.bad
}

func (c *bracketCutter) scan(b []byte) {
	for _, x := range b {
		switch {
		case x == '(' && c.last != '\\':
			if c.depth++; c.depth == 1 {
				c.n++
			}
		case x == ')' && c.last != '\\':
			if c.depth--; c.depth < 0 {
				c.bad = true
			}
		case c.depth == 0 && x != '\n' && x != '\r' && x != ' ' && x != '\t':
			c.bad = true
		}
		c.last = x
	}
}

// sentenceCutter cuts before sentences of a CoNLL format.
type sentenceCutter struct {
	lists  [3]cutList // before sentences that open a document, a paragraph, or neither
	begin  Cut        // where the sentence that is read begins, with its comments
	n      int        // sentences so far
	inside bool       // in a sentence
	opens  int        // in lists: what that opens
	words  bool       // words of it were read
}

func (c *sentenceCutter) cuts() []Cut {
	c.end()
	for _, list := range c.lists {
		if len(list.all) > 0 {
			return list.all
		}
	}
	return nil
}

// end ends a sentence.
func (c *sentenceCutter) end() {
	if c.words { // else there are only comments, at the end
		c.n++
		c.lists[c.opens].add(c.begin)
	}
	c.inside, c.words = false, false
}

func (c *sentenceCutter) part(b []byte, at Cut, _, last bool) bool {
	if !last {
		return false
	}
	b = bytes.TrimRight(b, "\r\n")
	if len(bytes.TrimSpace(b)) == 0 {
		if c.words { // else the comments are of the next sentence
			c.end()
		}
		return true
	}
	if !c.inside {
		c.inside, c.begin, c.opens = true, at, len(c.lists)-1
		c.begin.Sentences = c.n
	}
	if b[0] != '#' {
		c.words = true
		return true
	}
	if c.words { // a comment behind words
		return false
	}
	key, value, _ := format.ParseComment(string(b))
	switch {
	case key == "candidate" || key == "global.columns":
		return false
	case format.Opens(key, "newdoc"):
		c.opens = 0
		return value != "" // one without a name is numbered
	case format.Opens(key, "newpar"):
		c.opens = min(c.opens, 1)
	}
	return true
}
