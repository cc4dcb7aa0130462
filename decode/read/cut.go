package read

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"fstore/decode/format"
)

// Cut is a place where a file can be cut into two inputs.
type Cut struct {
	At        int64
	Lines     int // number of lines before the cut
	Sentences int // number of sentences before the cut, if none of them is bad
}

// FormatOf returns the format of a file, and whether the file is compressed. An unknown format is "". If
// `name` is not "", it is the format (see InputOptions.Format).
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
		return "", compressed, nil // the reader of the file reports the error
	}
	if found := head.format(plainName(path)); found != nil {
		return found.Name, compressed, nil
	}
	return "", compressed, nil
}

// Cuts returns the first cut at or after each of the given offsets, which are in ascending order. At a cut a
// sample begins, and no comment above the cut holds below it. If the format or the file does not allow cuts,
// the result is empty. The file must not be compressed.
//
// Where a file can be cut depends on its format:
//   - brackets: before a line that starts with an outermost bracket, if no other text is between trees
//   - CoNLL formats: before each # newdoc with a name, else each # newpar, else any sentence
//   - svmtk and klp: before any line with a sample
//   - K-best lists: nowhere
func Cuts(ctx context.Context, path, format string, offsets []int64) ([]Cut, error) {
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
	next := Cut{} // place of the current line
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
			return choose(c.cuts(), offsets, at), nil
		case err != nil:
			return nil, fileError(path, err)
		case next.Lines&0xFFFF == 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		}
		next.At = at
	}
}

// choose returns the first cut at or after each place. If two places have the same cut, it is returned once.
func choose(cuts []Cut, places []int64, size int64) (chosen []Cut) {
	i := 0
	for _, p := range places {
		for i < len(cuts) && (cuts[i].At < p || cuts[i].Sentences == 0) { // the first piece needs a sentence too
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

// cutter collects the places where a file can be cut.
type cutter interface {
	// part takes the next line, or the next part of a very long line. `at` is the cut before the line. part
	// returns false if the file cannot be cut.
	part(b []byte, at Cut, first, last bool) bool
	cuts() []Cut
}

// mostCuts is the number of cuts at which a cutList drops every second cut.
const mostCuts = 1 << 20

// cutList keeps fewer than mostCuts cuts, evenly chosen from all cuts of the file.
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

// lineCutter cuts before each line with a sample.
type lineCutter struct {
	list cutList
	n    int // number of samples so far
}

func (c *lineCutter) cuts() []Cut { return c.list.all }

func (c *lineCutter) part(b []byte, at Cut, first, _ bool) bool {
	if at.At == 0 && bytes.HasPrefix(b, []byte("SVM-light")) { // a model file
		return false
	}
	if b = bytes.TrimSpace(b); first && len(b) > 0 && b[0] != '#' { // cut only before a sample
		at.Sentences = c.n
		c.list.add(at)
		c.n++
	}
	return true
}

// bracketCutter cuts between trees.
type bracketCutter struct {
	list  cutList
	n     int // number of trees so far
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

// sentenceCutter cuts before the sentences of a CoNLL format.
type sentenceCutter struct {
	lists  [3]cutList // cuts before sentences that open (0) a document, (1) a paragraph, (2) neither
	begin  Cut        // start of the current sentence, with its comments
	n      int        // number of sentences so far
	inside bool       // a sentence has begun
	opens  int        // what the sentence opens, as an index in the field lists
	words  bool       // the current sentence has had words
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

// end ends the current sentence, which gets a cut if it has words.
func (c *sentenceCutter) end() {
	if c.words { // otherwise it is only comments at the end
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
		if c.words { // otherwise the comments belong to the next sentence
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
	if c.words { // the readers refuse a comment after words
		return false
	}
	key, value, _ := format.ParseComment(string(b))
	switch {
	case key == "candidate" || key == "global.columns":
		return false
	case format.Opens(key, "newdoc"):
		c.opens = 0
		return value != "" // a document without a name gets its number, which a piece does not know
	case format.Opens(key, "newpar"):
		c.opens = min(c.opens, 1)
	}
	return true
}
