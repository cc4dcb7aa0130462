package conll

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/decode/format"
	"fstore/index"
)

// A compressed file of some hundred kB can contain hundreds of MB of comments, so these are limited.
const (
	mostCommentText  = 8 << 20
	mostCommentLines = 100_000
)

// tooManyComments returns the message that a text, such as "the sentence", has too many comments.
func tooManyComments(what string) string {
	return fmt.Sprintf("%s has more than %d MiB or %s lines of comments: expected less",
		what, mostCommentText>>20, index.Thousands(mostCommentLines))
}

// addComment keeps a comment line, or returns false if the sentence has too many.
func (c *comments) addComment(line []byte) bool {
	if len(c.text)+len(line) > mostCommentText || len(c.ends) == mostCommentLines {
		return false
	}
	c.text = append(c.text, line...)
	c.ends = append(c.ends, len(c.text))
	return true
}

// commentLines appends the comment lines of the sentence to dst.
func (c *comments) commentLines(dst []string) []string {
	all, from := string(c.text), 0
	for _, to := range c.ends {
		dst = append(dst, all[from:to])
		from = to
	}
	return dst
}

// applyComments adds the comments to the tree, and sets the tree's fields that they describe.
func (r *Reader) applyComments() (msg string) {
	if r.done {
		return ""
	}
	r.done = true
	if msg := r.ownComments(); msg != "" {
		return msg
	}
	r.t.Comments = append(r.t.Comments, r.takeIn(r.own)...)
	if r.tooMany {
		return tooManyComments("the sentence's paragraph or document")
	}
	r.t.Document = r.document
	isCandidate, score, bad := false, "", ""
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
		default:
			if _, ok := format.Score([]byte(value)); !ok && strings.HasPrefix(key, "score:") {
				bad = badScore(key, value)
			}
		}
	}
	if !isCandidate {
		return ""
	}
	if bad != "" {
		return bad
	}
	r.t.Group = r.t.Name
	if r.isScored = score != ""; r.isScored {
		x, ok := format.Score([]byte(score))
		if !ok {
			return badScore("score", score)
		}
		r.t.Score = x
	}
	if r.t.Name == "" {
		return "a candidate without # sent_id: expected that of its sentence, which says of which list it is"
	}
	return ""
}

func badScore(key, value string) string {
	return "the " + key + " " + format.Quote([]byte(value)) + " of a candidate: expected a number, of at most 1e100 either way"
}

// ownComments puts the comments of the sentence into r.own, without `# global.columns`.
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

// takeIn adds r.owed, the comments of left-out sentences, to those of the sentence. A document without an id
// gets a name such as FILE#doc2.
func (r *Reader) takeIn(own []string) []string {
	if i := format.LastOpens(own, "newdoc"); i >= 0 {
		r.docs++
		if _, r.document, _ = format.ParseComment(own[i]); r.document == "" {
			r.document = r.o.Base + "#doc" + strconv.Itoa(r.docs)
		}
	}
	lines := format.Insert(r.owed, own)
	r.merged, r.owed = lines, nil
	r.Held.Next(own)
	if r.tooMany = areTooMany(r.Document) || areTooMany(r.Paragraph) || areTooMany(lines); r.tooMany {
		r.Document, r.Paragraph, r.merged = nil, nil, nil
		return nil
	}
	return lines
}

// areTooMany says whether there are more comments than the limit allows.
func areTooMany(lines []string) bool {
	n := 0
	for _, line := range lines {
		n += len(line)
	}
	return n > mostCommentText || len(lines) > mostCommentLines
}

// LeaveOut drops the sentence read last, and returns how many of its comments are lost. The next sentence
// takes over the comments that still hold.
func (r *Reader) LeaveOut() (lost int) {
	if r.done {
		carried := format.Carried(r.merged, r.InDocument)
		lost = len(r.merged) - len(carried)
		r.owed, r.merged = append(r.owed, carried...), nil
	}
	return lost
}

// reportLoose reports comments without a sentence after them, which are left out.
func (r *Reader) reportLoose(comments int) {
	if comments > 0 && r.o.Notice != nil {
		r.o.Notice(format.Loose, r.t.Line, index.Plural(comments, "comment")+" without words below: left out")
	}
}

// checkCandidate returns a problem if the list repeats a candidate's number, or has scores for only some
// candidates.
func (r *Reader) checkCandidate() *problem {
	if r.t.Group == "" {
		return nil
	}
	l := &r.openList
	if r.t.Group != l.group {
		l.group = r.t.Group
		if l.numbers == nil {
			l.numbers = map[int]bool{}
		}
		clear(l.numbers)
		l.scored = l.isScored
	}
	if l.numbers[r.t.Candidate] {
		return &problem{l.candidateLine, fmt.Sprintf("candidate %d of %s again: expected another number", r.t.Candidate, l.group)}
	}
	l.numbers[r.t.Candidate] = true
	switch {
	case l.scored && !l.isScored:
		return &problem{l.candidateLine, fmt.Sprintf("candidate %d of %s has no # score, and the first has one: expected one", r.t.Candidate, l.group)}
	case !l.scored && l.isScored:
		return &problem{l.candidateLine, fmt.Sprintf("candidate %d of %s has a # score, and the first has none: expected none", r.t.Candidate, l.group)}
	}
	return nil
}
