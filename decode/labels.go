package decode

import (
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fstore/decode/format"
	"fstore/index"
)

// LabelOptions say where labels and documents come from (DESIGN.md §3).
//
// All label options that are given contribute: a sample's labels are Label, then
// a label per entry of LabelFrom, then those of LabelsFile, each once, joined by
// commas; what a source does not know is left out. Where none of the three is
// given, the label is the one the line itself carries, as with svmtk.
type LabelOptions struct {
	Label []string // the same for all samples
	// LabelFrom lists sources: file (the base name without compression suffix
	// and extension), path (as it was given), line (the line's own label), id (the
	// sample's own sent_id or ID), comment:KEY (`# KEY = value`, of the sentence or
	// else of its `# newdoc`).
	LabelFrom []string
	// LabelMatch is searched in what LabelFrom gives: the label is its first
	// group, or the whole match where it has no group; no match is no label.
	LabelMatch string
	LabelsFile string // lines of name TAB label; a name with several lines has several labels
	// DocumentFrom is newdoc (the default: what the input says, `# newdoc`), file, or
	// id: the sample's own ID without the number at its end, so that both
	// weblog-juancole-0002 and 1150.FIRSTGRAMMAR,.2 belong to a text.
	DocumentFrom string
}

// labeler gives samples their labels and documents.
type labeler struct {
	o        LabelOptions
	match    *regexp.Regexp
	byName   map[string][]string
	parts    []string
	own      bool // no option given
	fileBase string
	filePath string
}

func newLabeler(o LabelOptions) (*labeler, error) {
	l := &labeler{o: o}
	for _, from := range o.LabelFrom {
		switch key, isComment := strings.CutPrefix(from, "comment:"); {
		case isComment && key != "":
		case slices.Contains([]string{"file", "path", "line", "id"}, from):
		default:
			return nil, optionErrorf("label-from", "%q: expected file, path, line, id or comment:KEY", from)
		}
	}
	if !slices.Contains([]string{"", "newdoc", "file", "id"}, o.DocumentFrom) {
		return nil, optionErrorf("document-from", "%q: expected newdoc, file or id", o.DocumentFrom)
	}
	if o.LabelMatch != "" {
		if len(o.LabelFrom) == 0 {
			return nil, optionErrorf("label-match", "expected --label-from beside it")
		}
		var err error
		if l.match, err = regexp.Compile(o.LabelMatch); err != nil {
			return nil, optionErrorf("label-match", "%v", err)
		}
	}
	l.own = len(o.Label) == 0 && len(o.LabelFrom) == 0 && o.LabelsFile == ""
	return l, nil
}

// startFile is told the file that the next samples come from.
func (l *labeler) startFile(file string) {
	l.filePath = file
	l.fileBase = baseLabel(file)
}

// baseLabel is the base name of a file without compression suffix and extension.
func baseLabel(file string) string {
	base := plainName(filepath.Base(file))
	if ext := path.Ext(base); len(ext) < len(base) {
		base = base[:len(base)-len(ext)]
	}
	return base
}

// apply sets the label and the document of t; id is the sample's own name, "" for
// none. Where t.Name comes from is the caller's business.
func (l *labeler) apply(t *index.Tree, id string, c format.Commenter) {
	switch l.o.DocumentFrom {
	case "file":
		t.Document = l.fileBase
	case "id":
		t.Document = documentOf(id)
	}
	if l.own {
		return
	}
	l.parts = l.parts[:0]
	for _, label := range l.o.Label {
		l.add(label)
	}
	for _, from := range l.o.LabelFrom {
		l.add(l.matched(l.value(from, t, id, c)))
	}
	for _, label := range l.byName[t.Name] {
		l.add(label)
	}
	t.Label = strings.Join(l.parts, ",")
}

func (l *labeler) add(label string) {
	if label != "" && !slices.Contains(l.parts, label) {
		l.parts = append(l.parts, label)
	}
}

func (l *labeler) value(from string, t *index.Tree, id string, c format.Commenter) string {
	switch from {
	case "file":
		return l.fileBase
	case "path":
		return l.filePath
	case "line":
		return t.Label
	case "id":
		return id
	}
	if c == nil {
		return ""
	}
	v, _ := c.Comment(strings.TrimPrefix(from, "comment:"))
	return v
}

func (l *labeler) matched(value string) string {
	if l.match == nil || value == "" {
		return value
	}
	m := l.match.FindStringSubmatch(value)
	switch len(m) {
	case 0:
		return ""
	case 1:
		return m[0]
	}
	return m[1]
}

// documentOf cuts the number at the end of an ID off, with what joins it. An ID
// that has no such number, or is nothing else, stays.
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

// readLabels reads lines of name TAB label.
func (l *labeler) readLabels(file string, r io.Reader) error {
	l.byName = make(map[string][]string)
	lines := format.NewLines(r, format.MaxText)
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &index.InputError{File: file, Line: lines.Number, Msg: err.Error(), Fatal: true}
		}
		if len(line) == 0 {
			continue
		}
		name, label, found := strings.Cut(string(line), "\t")
		if !found || name == "" || label == "" || strings.Contains(label, "\t") || !utf8.ValidString(label) {
			return &index.InputError{
				File: file, Line: lines.Number, Fatal: true,
				Msg: format.Quote(line) + ": expected a name, a tab and a label",
			}
		}
		l.byName[name] = append(l.byName[name], label)
	}
}
