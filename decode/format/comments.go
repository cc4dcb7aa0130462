package format

import (
	"slices"
)

// passOn returns the comments of a document, which held are, and after them a sentence's
// own, which count.
func JoinComments(held, own []string) (all []string) {
	for _, line := range held {
		key, _, _ := ParseComment(line)
		if !slices.ContainsFunc(own, func(o string) bool { k, _, _ := ParseComment(o); return k == key }) {
			all = append(all, line)
		}
	}
	return append(all, own...)
}

// PassOn is for a sentence that is left out after it was read: left are its comments, own
// those of the next. If the former starts a document, and the latter does not, the next
// one does, and has the comments of the document too.
func PassOn(left, own []string) []string {
	if !slices.ContainsFunc(left, OpensDocument) || slices.ContainsFunc(own, OpensDocument) {
		return own
	}
	return JoinComments(AppendHeld(nil, left), own)
}

func OpensDocument(line string) bool {
	key, _, _ := ParseComment(line)
	return key == "newdoc" || key == "newdoc id"
}

// AppendHeld appends the comments of a document, those of its first sentence being lines:
// all but what is about that sentence alone.
func AppendHeld(dst, lines []string) []string {
	for _, line := range lines {
		switch key, _, _ := ParseComment(line); key {
		case "sent_id", "text", "newpar", "newpar id", "candidate", "score":
		default:
			dst = append(dst, line)
		}
	}
	return dst
}
