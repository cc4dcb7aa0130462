package conll

import (
	"strconv"

	"fstore/decode/format"
)

// comments are the lines before the words of a sentence: `# key = value`.
type comments struct {
	text []byte // of this sentence, back to back
	ends []int
	done bool // applied

	docs     int
	document string
	held     []string // comments of the last `# newdoc`, for all its sentences
	opens    bool     // this sentence has them
	owed     bool     // no good sentence has had them
}

func (c *comments) startComments() {
	c.text, c.ends, c.done, c.opens = c.text[:0], c.ends[:0], false, false
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
	r.t.Comments = r.commentLines(r.t.Comments)
	r.openDocument(r.t.Comments)
	r.t.Document = r.document
	isCandidate, score := false, ""
	for i, line := range r.t.Comments {
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
	if r.owed && !r.opens {
		r.takeOver()
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

// takeOver gives this sentence the comments of its document, whose first sentence was
// left out: printed, it starts the document. Its own come last, and count.
func (r *Reader) takeOver() {
	r.opens = true
	r.t.Comments = format.JoinComments(r.held, r.t.Comments)
}

// openDocument starts a document where there is a `# newdoc`; one without id is named
// after its place. Its comments are kept for the sentences that follow.
func (r *Reader) openDocument(lines []string) {
	for _, line := range lines {
		if format.OpensDocument(line) {
			_, id, _ := format.ParseComment(line)
			r.opens = true
			r.docs++
			if r.document = id; id == "" {
				r.document = r.o.Base + "#doc" + strconv.Itoa(r.docs)
			}
		}
	}
	if r.opens {
		r.held = format.AppendHeld(r.held[:0], lines)
	}
}

// LeaveOut says that the sentence read last is not kept: if it starts a document, the
// next one does.
func (r *Reader) LeaveOut() { r.owed = r.owed || r.opens }

// Comment returns the value of a comment of the sentence read last, or else of the
// last `# newdoc`, see format.Commenter.
func (r *Reader) Comment(key string) (string, bool) {
	for _, list := range [2][]string{r.t.Comments, r.held} {
		for _, line := range list {
			if k, v, ok := format.ParseComment(line); ok && k == key {
				return v, true
			}
		}
	}
	return "", false
}
