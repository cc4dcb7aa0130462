package read

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"fstore/decode/format"
	"fstore/index"
)

// LabelSources returns the values that LabelFrom can have, where KEY is any text.
func LabelSources() []string { return []string{"file", "path", "line", "id", "comment:KEY"} }

// DocumentSources returns the values that DocumentFrom can have.
func DocumentSources() []string { return []string{"newdoc", "file", "id"} }

// Check returns an *OptionError if an option is wrong.
func (o *LabelOptions) Check() error {
	for _, label := range o.Label {
		if strings.Contains(label, ",") {
			return OptionErrorf("label", "%q has a comma, which joins the labels of a sample: expected one label", label)
		}
	}
	for _, from := range o.LabelFrom {
		key, isComment := strings.CutPrefix(from, "comment:")
		if isComment && key == "" || !isComment && !slices.Contains(LabelSources(), from) {
			return OptionErrorf("label-from", "%q is none of %s", from, strings.Join(LabelSources(), ", "))
		}
	}
	if o.DocumentFrom != "" && !slices.Contains(DocumentSources(), o.DocumentFrom) {
		return OptionErrorf("document-from", "%q is none of %s", o.DocumentFrom, strings.Join(DocumentSources(), ", "))
	}
	if o.LabelMatch == "" {
		return nil
	}
	if len(o.LabelFrom) == 0 {
		return OptionErrorf("label-match", "expected --label-from beside it")
	}
	if _, err := regexp.Compile(o.LabelMatch); err != nil {
		return OptionErrorf("label-match", "%v", err)
	}
	return nil
}

// labeler sets the labels and documents of samples.
type labeler struct {
	o        LabelOptions
	match    *regexp.Regexp
	sources  []labelSource
	parts    []string
	own      bool // no option for labels is set: samples keep their labels
	fileBase string
	filePath string
	spelling spelling

	listed labelList // the contents of LabelsFile

	documented bool           // some sample has a document
	nth        int            // number of the current file
	fileOf     map[string]int // document → the last file in which it occurred
	shared     []string       // documents that occur in several files
}

func newLabeler(o LabelOptions) (*labeler, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	l := &labeler{o: o, spelling: newSpelling(), fileOf: map[string]int{}}
	if o.LabelMatch != "" {
		l.match = regexp.MustCompile(o.LabelMatch)
	}
	for _, from := range o.LabelFrom {
		l.sources = append(l.sources, labelSource{from: from})
	}
	l.own = len(o.Label) == 0 && len(o.LabelFrom) == 0 && o.LabelsFile == ""
	return l, nil
}

// startFile sets the file of the next samples.
func (l *labeler) startFile(file string) {
	l.nth++
	l.filePath = file
	l.fileBase = baseLabel(file)
}

// baseLabel returns the base name of a file, without compression suffix and extension.
func baseLabel(file string) string {
	base := plainName(filepath.Base(file))
	if ext := path.Ext(base); len(ext) < len(base) {
		base = base[:len(base)-len(ext)]
	}
	return base
}

// apply sets the label and the document of t. It returns a message if a label is wrong.
func (l *labeler) apply(t *index.Tree, id string, c format.Commenter, counts bool) (msg string) {
	switch l.o.DocumentFrom {
	case "file":
		t.Document = l.fileBase
	case "id":
		t.Document = documentOf(id)
	}
	if counts && t.Document != "" {
		l.documented = true
		l.addDocument(t.Document)
	}
	if l.own {
		t.Label = l.spelling.spell(t.Label)
		return ""
	}
	l.parts = l.parts[:0]
	for _, label := range l.o.Label {
		l.add(label)
	}
	for i := range l.sources {
		s := &l.sources[i]
		values := l.values(s.from, t, id, c)
		if len(values) == 0 && counts && !s.gave {
			s.collect("", t)
		}
		for _, value := range values {
			if msg := l.addFrom(s, value, t, counts); msg != "" {
				return msg
			}
		}
	}
	for _, label := range l.listed.labelsOf(t.Name, l.filePath, counts) {
		l.add(label)
	}
	t.Label = l.spelling.spell(strings.Join(l.parts, ","))
	return ""
}

// addFrom adds the label that s makes from a value. It returns a message if the label is wrong.
func (l *labeler) addFrom(s *labelSource, value string, t *index.Tree, counts bool) (msg string) {
	label, idle := l.matched(value)
	s.idle = s.idle || idle
	if s.from != "line" && strings.Contains(label, ",") {
		return fmt.Sprintf("the label %s has a comma, which joins the labels of a sample: expected one label from %s", format.Quote([]byte(label)), s.from)
	}
	if counts && !s.gave {
		if s.gave = label != ""; !s.gave {
			s.collect(value, t)
		}
	}
	if s.from == "line" {
		index.SplitLabels(label, l.add)
	} else {
		l.add(label)
	}
	return ""
}

func (l *labeler) add(label string) {
	if label != "" && !slices.Contains(l.parts, label) {
		l.parts = append(l.parts, label)
	}
}

// values returns the values that a sample has for an entry of LabelFrom.
func (l *labeler) values(from string, t *index.Tree, id string, c format.Commenter) []string {
	switch from {
	case "file":
		return []string{l.fileBase}
	case "path":
		return []string{l.filePath}
	case "line":
		return []string{t.Label}
	case "id":
		return []string{id}
	}
	if c == nil {
		return nil
	}
	return c.Comment(strings.TrimPrefix(from, "comment:"))
}

// matched returns the part of a value that LabelMatch selects as the label, or "". `idle` says that
// LabelMatch matched, but its group has no text.
func (l *labeler) matched(value string) (label string, idle bool) {
	if l.match == nil || value == "" {
		return value, false
	}
	m := l.match.FindStringSubmatchIndex(value)
	switch {
	case m == nil:
		return "", false
	case len(m) == 2:
		return value[m[0]:m[1]], false
	case m[2] < 0 || m[2] == m[3]:
		return "", true
	}
	return value[m[2]:m[3]], false
}

// addDocument records that a document occurs in the current file.
func (l *labeler) addDocument(document string) {
	last, seen := l.fileOf[document]
	if seen && last == l.nth {
		return
	}
	if seen && !slices.Contains(l.shared, document) && len(l.shared) <= maxListed {
		l.shared = append(l.shared, strings.Clone(document))
	}
	l.fileOf[strings.Clone(document)] = l.nth
}

// sharing returns a message about documents that occur in several files and so count as one, or "".
func (l *labeler) sharing() string {
	if len(l.shared) == 0 {
		return ""
	}
	return "documents of one name in several files are one: " + firstNames(l.shared)
}

// documentOf returns doc for doc-12: an ID without the number and the punctuation at its end. Other IDs stay
// as they are.
func documentOf(id string) string {
	text := strings.TrimRight(id, "0123456789")
	if len(text) == len(id) {
		return id
	}
	doc := strings.TrimRightFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if doc == "" || len(doc) == len(text) {
		return id
	}
	return doc
}

// missing returns an *OptionError if a source of labels or documents gave none.
func (l *labeler) missing() error {
	for i := range l.sources {
		if s := &l.sources[i]; !s.gave {
			return s.missing(l.o.LabelMatch)
		}
	}
	if from := l.o.DocumentFrom; from != "" && !l.documented {
		return OptionErrorf("document-from", "%s: no sample has a document there", from)
	}
	return l.listed.missing(l.o.LabelsFile)
}

// labelSource is one entry of LabelFrom, with examples for the message if no sample gets a label.
type labelSource struct {
	from  string
	gave  bool     // this entry has given a sample a label
	value string   // a value that LabelMatch did not match
	idle  bool     // LabelMatch has matched a value, but its group was empty
	keys  []string // keys of comments, each once
}

// collect keeps examples from a sample that got no label from s. An error message shows them.
func (s *labelSource) collect(value string, t *index.Tree) {
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

// missing returns an error that says why no sample has a label from this entry.
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

// suggestKey returns text for a message: the existing keys that are similar to key, or else all keys. A key
// can also be similar without its part before ::, which users forget.
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
	return "there are " + firstNames(keys)
}

// maxListed is the maximum number of keys or documents that a message lists.
const maxListed = 12

// firstNames returns the first maxListed names as a list for a message.
func firstNames(names []string) string {
	if len(names) > maxListed {
		return strings.Join(names[:maxListed], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}
