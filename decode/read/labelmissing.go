package read

import (
	"slices"
	"strings"

	"fstore/decode/format"
	"fstore/index"
)

// Labels that were asked for and that no sample gets are wrong usage. To say what was
// meant, the sources of labels remember some of what they have seen instead.

// maxSeen bounds what is remembered: keys of comments, and names of samples.
const maxSeen = 1000

// labelSource is an entry of LabelFrom.
type labelSource struct {
	from  string
	gave  bool     // a sample has a label from it
	value string   // one that LabelMatch did not match
	idle  bool     // LabelMatch matched one, without its first group
	keys  []string // of comments, each once
}

// see remembers what a sample has that has no label from the source.
func (s *labelSource) see(value string, t *index.Tree) {
	if value != "" {
		s.value = value
	}
	if !strings.HasPrefix(s.from, "comment:") {
		return
	}
	for _, line := range t.Comments {
		key, _, ok := format.ParseComment(line)
		if ok && len(s.keys) < maxSeen && !slices.Contains(s.keys, key) {
			s.keys = append(s.keys, key)
		}
	}
}

// missing says why no sample has a label from the source.
func (s *labelSource) missing(match string) error {
	key, isComment := strings.CutPrefix(s.from, "comment:")
	switch {
	case s.value != "" && s.idle:
		return OptionErrorf("label-match", "%s matches values of %s, such as %q, but its first group takes no part, or is empty: no sample has a label", match, s.from, s.value)
	case s.value != "":
		return OptionErrorf("label-match", "%s matches no value of %s, such as %q: no sample has a label", match, s.from, s.value)
	case isComment && len(s.keys) == 0:
		return OptionErrorf("label-from", "%s: no sample has a label, as the input has no comments of the form # key = value", s.from)
	case isComment && slices.Contains(s.keys, key):
		return OptionErrorf("label-from", "%s: no sample has a label, as the comment is empty wherever it stands", s.from)
	case isComment:
		return OptionErrorf("label-from", "no sample has a comment # %s = …: %s", key, suggestKey(key, s.keys))
	case s.from == "id":
		return OptionErrorf("label-from", "id: no sample has an id of its own, sent_id or ID")
	}
	return OptionErrorf("label-from", "%s: no sample has a label there", s.from)
}

// suggestKey names the keys that may be meant, else those that there are. What stands
// before :: may be left out.
func suggestKey(key string, keys []string) string {
	var tails []string
	for _, k := range keys {
		tails = append(tails, k[strings.LastIndex(k, "::")+1:])
	}
	few := index.Nearest(key, keys)
	for _, tail := range index.Nearest(key, tails) {
		for i := range keys {
			if tails[i] == tail && !slices.Contains(few, keys[i]) {
				few = append(few, keys[i])
			}
		}
	}
	if len(few) > 0 {
		return "did you mean comment:" + strings.Join(few, " or comment:") + "?"
	}
	text := "there are " + strings.Join(keys[:min(len(keys), maxListed)], ", ")
	if len(keys) > maxListed {
		text += " and others"
	}
	return text
}

// maxListed is how many keys a message lists.
const maxListed = 12
