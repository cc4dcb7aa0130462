package conll

import (
	"strconv"
	"strings"

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
}

func (c *comments) startComments() {
	c.text, c.ends, c.done = c.text[:0], c.ends[:0], false
}

func (c *comments) addComment(line []byte) {
	c.text = append(c.text, line...)
	c.ends = append(c.ends, len(c.text))
}

// applyComments puts the comments into the tree, with what they say about it. A
// `# candidate` makes the sentence one of a K-best list.
func (r *Reader) applyComments() (msg string) {
	if r.done {
		return ""
	}
	r.done = true
	all, from := string(r.text), 0
	isDoc, isCandidate, score := false, false, ""
	for i, to := range r.ends {
		line := all[from:to]
		from = to
		r.t.Comments = append(r.t.Comments, line)
		key, value, _ := parse(line)
		switch key {
		case "sent_id":
			r.t.Name = value
		case "newdoc", "newdoc id":
			isDoc = true
			r.newDocument(value)
		case "candidate":
			if n, err := strconv.Atoi(value); err == nil {
				isCandidate, r.t.Candidate = true, n
				r.candidateLine = r.t.Line + i
			}
		case "score":
			score = value
		}
	}
	if isDoc {
		r.hold()
	}
	r.t.Document = r.document
	if !isCandidate {
		return ""
	}
	r.t.Group = r.t.Name
	if score != "" {
		x, ok := format.Decimal([]byte(score))
		if !ok {
			return "the score " + format.Quote([]byte(score)) + " of a candidate: expected a number"
		}
		r.t.Score = x
	}
	return ""
}

// parse splits a comment line into key and value; without '=' it is all key.
func parse(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(strings.TrimLeft(line, "# \t"), "=")
	return strings.TrimSpace(key), strings.TrimSpace(value), ok
}

// newDocument starts a document; one without id is named after its place.
func (r *Reader) newDocument(id string) {
	r.docs++
	if r.document = id; id == "" {
		r.document = r.o.Base + "#doc" + strconv.Itoa(r.docs)
	}
}

// hold keeps the comments of this sentence, which starts a document, for the
// sentences that follow, but for those that are about the sentence.
func (r *Reader) hold() {
	r.held = r.held[:0]
	for _, line := range r.t.Comments {
		switch key, _, _ := parse(line); key {
		case "sent_id", "text", "newpar", "newpar id":
		default:
			r.held = append(r.held, line)
		}
	}
}

// Comment returns the value of a comment of the sentence read last, or else of the
// last `# newdoc`, see format.Commenter.
func (r *Reader) Comment(key string) (string, bool) {
	for _, list := range [2][]string{r.t.Comments, r.held} {
		for _, line := range list {
			if k, v, ok := parse(line); ok && k == key {
				return v, true
			}
		}
	}
	return "", false
}
