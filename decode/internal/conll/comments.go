package conll

import (
	"slices"
	"strconv"
	"strings"

	"fstore/decode/format"
)

// comments are the lines before the words of a sentence: `# key = value`.
type comments struct {
	text []byte // of this sentence, back to back
	ends []int
	done bool // applied
	own  []string

	docs       int
	document   string
	inDocument bool     // there was a `# newdoc`
	held       []string // comments of the document, for all its sentences
	paragraph  []string // those of the paragraph
	merged     []string // those of this sentence, and those that it takes over
	owed       []string // those of sentences left out that no good sentence has
}

func (c *comments) startComments() {
	c.text, c.ends, c.done, c.merged = c.text[:0], c.ends[:0], false, nil
}

func (c *comments) addComment(line []byte) {
	c.text = append(c.text, line...)
	c.ends = append(c.ends, len(c.text))
}

// commentLines appends the comments to dst.
func (c *comments) commentLines(dst []string) []string {
	all, from := string(c.text), 0
	for _, to := range c.ends {
		dst = append(dst, all[from:to])
		from = to
	}
	return dst
}

// applyComments puts the comments into the tree, with what they say about it. A
// `# candidate` makes the sentence one of a K-best list.
func (r *Reader) applyComments() (msg string) {
	if r.done {
		return ""
	}
	r.done = true
	if msg := r.ownComments(); msg != "" {
		return msg
	}
	r.t.Comments = append(r.t.Comments, r.takeIn(r.own)...)
	r.t.Document = r.document
	isCandidate, score := false, ""
	for i, line := range r.own {
		key, value, _ := format.ParseComment(line)
		switch key {
		case "sent_id":
			r.t.Name = value
		case "candidate":
			n, err := strconv.Atoi(value)
			if err != nil {
				return "the candidate number " + format.Quote([]byte(value)) + ": expected a whole number"
			}
			isCandidate, r.t.Candidate = true, n
			r.candidateLine = r.t.Line + i
		case "score":
			score = value
		}
	}
	if !isCandidate {
		return ""
	}
	r.t.Group = r.t.Name
	if score != "" {
		x, ok := format.Score([]byte(score))
		if !ok {
			return "the score " + format.Quote([]byte(score)) + " of a candidate: expected a number, of at most 1e100 either way"
		}
		r.t.Score = x
	}
	return ""
}

// ownComments sets own. Comments `# global.columns` are no part of it: they are the file's,
// and the rows that follow have these columns.
func (r *Reader) ownComments() (msg string) {
	r.own = r.commentLines(r.own[:0])
	if r.layout.Plus == nil {
		return ""
	}
	r.own = slices.DeleteFunc(r.own, func(line string) bool {
		key, value, _ := format.ParseComment(line)
		if key != "global.columns" {
			return false
		}
		if l, bad := r.layout.Plus(strings.Fields(value)); bad != "" {
			msg = bad
		} else {
			r.layout = l
		}
		return true
	})
	return msg
}

// PassOn is for a sentence that is left out after it was read: left are its comments, own
// those of the next one. If the sentence left out opens a document or a paragraph, and the
// next one does not, the next one opens it, with the comments that hold for it.
func PassOn(left, own []string) []string { return insert(carried(left, false), own) }

// carried returns the comments of a sentence that hold for those after it too: the
// document's, then the paragraph's. Outside a document, meta:: comments hold for no other
// sentence.
func carried(lines []string, inDocument bool) (all []string) {
	inDocument = inDocument || lastOpens(lines, "newdoc") >= 0
	for _, want := range [...]scope{ofDocument, ofParagraph} {
		scopes(lines, func(line, _ string, of scope) {
			if of == want && (inDocument || want != ofDocument) {
				all = append(all, line)
			}
		})
	}
	return all
}

// insert returns a sentence's own comments with those among them that an earlier sentence
// carries, less what the sentence opens anew. Comments above `# sent_id` stay above those
// that are inserted, and so stay the sentence's own.
func insert(carries, own []string) []string {
	switch {
	case len(carries) == 0 || lastOpens(own, "newdoc") >= 0:
		return own
	case lastOpens(own, "newpar") >= 0:
		if i := lastOpens(carries, "newpar"); i >= 0 {
			carries = carries[:i]
		}
	}
	carries = slices.DeleteFunc(slices.Clone(carries), func(line string) bool { // the document's later value counts
		key, _, _ := format.ParseComment(line)
		return strings.HasPrefix(key, "meta::") && slices.ContainsFunc(own, func(o string) bool { k, _, _ := format.ParseComment(o); return k == key })
	})
	at := slices.IndexFunc(own, func(line string) bool {
		key, _, _ := format.ParseComment(line)
		return opens(key, "newpar") || key == "sent_id" || key == "text"
	})
	if at < 0 {
		at = len(own)
	}
	return slices.Concat(own[:at], carries, own[at:])
}

// scope is what a comment holds for.
type scope uint8

const (
	ofSentence scope = iota
	ofParagraph
	ofDocument
)

// scopes calls f with the comments of a sentence, and says what each holds for (DESIGN.md
// §3). Comments between `# newdoc` and the first `# newpar`, `# sent_id` or `# text` hold for
// the document, and so do meta:: comments wherever they stand. Comments between `# newpar`
// and `# sent_id` or `# text` hold for the paragraph. All others hold for the sentence.
func scopes(lines []string, f func(line, key string, of scope)) {
	document := lastOpens(lines, "newdoc")
	at := ofSentence
	for i, line := range lines {
		key, _, _ := format.ParseComment(line)
		switch {
		case i == document:
			at = ofDocument
		case i > document && opens(key, "newpar"):
			at = ofParagraph
		case key == "sent_id" || key == "text":
			at = ofSentence
		}
		of := at
		switch {
		case strings.HasPrefix(key, "meta::"):
			of = ofDocument
		case key == "candidate" || key == "score":
			of = ofSentence
		}
		f(line, key, of)
	}
}

// opens says whether a key opens what, newdoc or newpar: with an id, or without.
func opens(key, what string) bool { return key == what || key == what+" id" }

// lastOpens returns the last of the lines that opens what, -1 where none does.
func lastOpens(lines []string, what string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if !strings.Contains(lines[i], what) {
			continue
		}
		if key, _, _ := format.ParseComment(lines[i]); opens(key, what) {
			return i
		}
	}
	return -1
}

// openDocument starts a document where there is a `# newdoc`; one without id is named
// after its place.
func (r *Reader) openDocument(lines []string) {
	i := lastOpens(lines, "newdoc")
	if i < 0 {
		return
	}
	_, id, _ := format.ParseComment(lines[i])
	r.docs++
	if r.document = id; id == "" {
		r.document = r.o.Base + "#doc" + strconv.Itoa(r.docs)
	}
	r.inDocument = true
	r.held, r.paragraph = r.held[:0], r.paragraph[:0]
}

// takeIn returns the comments of a sentence with those that sentences left out before it
// carry, and keeps what holds for the sentences after it.
func (r *Reader) takeIn(own []string) []string {
	r.openDocument(own)
	lines := insert(r.owed, own)
	r.merged, r.owed = lines, nil
	scopes(own, func(line, key string, of scope) {
		switch {
		case of == ofDocument && r.inDocument:
			r.held = hold(r.held, key, line)
		case of == ofParagraph:
			if opens(key, "newpar") {
				r.paragraph = r.paragraph[:0]
			}
			r.paragraph = hold(r.paragraph, key, line)
		}
	})
	return lines
}

// hold adds a comment to those that hold, in the place of an earlier one of its key.
func hold(held []string, key, line string) []string {
	held = slices.DeleteFunc(held, func(h string) bool { k, _, _ := format.ParseComment(h); return k == key })
	return append(held, line)
}

// LeaveOut says that the sentence read last is not kept: what it says of those that follow,
// the next one says.
func (r *Reader) LeaveOut() {
	if r.done {
		r.owed, r.merged = append(r.owed, carried(r.merged, r.inDocument)...), nil
	}
}

// Comment returns the value of a comment of the sentence read last, or else of its
// paragraph, or else of its document, see format.Commenter.
func (r *Reader) Comment(key string) (value string, ok bool) {
	scopes(r.t.Comments, func(line, k string, of scope) {
		if !ok && k == key && (of == ofSentence || of == ofDocument && !r.inDocument) {
			_, value, ok = format.ParseComment(line)
		}
	})
	for _, list := range [2][]string{r.paragraph, r.held} {
		for _, line := range list {
			if k, v, found := format.ParseComment(line); !ok && found && k == key {
				value, ok = v, true
			}
		}
	}
	return value, ok
}
