package read

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"fstore/decode/format"
	"fstore/index"
)

// LabelOptions say where labels and documents come from (decode/README.md, "Labels and documents").
//
// All label options that are given contribute, and each gives some sample a label, else
// Inputs.Next ends with an *OptionError: a sample's labels are Label, then
// a label per entry of LabelFrom, then those of LabelsFile, each once, joined by
// commas; what a source does not know is left out. Where none of the three is
// given, the label is the one the line itself carries, as with svmtk. That can be
// several, joined by commas; a label from elsewhere has no comma. Labels that are the same
// number are one, as it is spelled first.
type LabelOptions struct {
	Label []string // the same for all samples
	// LabelFrom lists sources: file (the base name without compression suffix
	// and extension), path (as it was given), line (the line's own label), id (the
	// sample's own sent_id or ID), comment:KEY (`# KEY = value`, of the sentence or
	// else of its paragraph or its document, see decode/README.md, "Labels and documents").
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

// LabelSources lists what LabelFrom takes; KEY stands for any text.
func LabelSources() []string { return []string{"file", "path", "line", "id", "comment:KEY"} }

// DocumentSources lists what DocumentFrom takes.
func DocumentSources() []string { return []string{"newdoc", "file", "id"} }

// Check returns an *OptionError for what is wrong with the options.
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

// labeler gives samples their labels and documents.
type labeler struct {
	o        LabelOptions
	match    *regexp.Regexp
	sources  []labelSource
	parts    []string
	own      bool // no option given
	fileBase string
	filePath string
	spelling spelling

	byName    map[string]*namedLabels // of LabelsFile
	firstName string                  // there
	used      int                     // of them
	names     []string                // samples whose names are not there, the first

	documented bool // a sample has a document
}

func newLabeler(o LabelOptions) (*labeler, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	l := &labeler{o: o}
	if o.LabelMatch != "" {
		l.match = regexp.MustCompile(o.LabelMatch)
	}
	for _, from := range o.LabelFrom {
		l.sources = append(l.sources, labelSource{from: from})
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
// none. Where t.Name comes from is the caller's business. msg says what is wrong with
// a label, "" where nothing is. counts is false of a sample that was refused.
func (l *labeler) apply(t *index.Tree, id string, c format.Commenter, counts bool) (msg string) {
	switch l.o.DocumentFrom {
	case "file":
		t.Document = l.fileBase
	case "id":
		t.Document = documentOf(id)
	}
	l.documented = l.documented || counts && t.Document != ""
	if l.own {
		t.Label = l.spelling.of(t.Label)
		return ""
	}
	l.parts = l.parts[:0]
	for _, label := range l.o.Label {
		l.add(label)
	}
	for i, from := range l.o.LabelFrom {
		value := l.value(from, t, id, c)
		label := l.matched(value)
		if s := &l.sources[i]; counts && !s.gave {
			if s.gave = label != ""; !s.gave {
				s.see(value, t)
			}
		}
		switch {
		case from == "line":
			index.SplitLabels(label, l.add)
		case strings.Contains(label, ","):
			return fmt.Sprintf("the label %s has a comma, which joins the labels of a sample: expected one label from %s", format.Quote([]byte(label)), from)
		default:
			l.add(label)
		}
	}
	for _, label := range l.named(t.Name, counts) {
		l.add(label)
	}
	t.Label = l.spelling.of(strings.Join(l.parts, ","))
	return ""
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
	switch m := l.match.FindStringSubmatch(value); len(m) {
	case 0:
		return ""
	case 1:
		return m[0]
	default:
		return m[1]
	}
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
func (l *labeler) readLabels(f *File, text io.Reader) error {
	l.byName = map[string]*namedLabels{}
	lines := format.NewLines(text, format.MaxText)
	bad := func(msg string) error {
		return &index.InputError{File: f.Name, Line: lines.Number, Msg: msg, Fatal: true}
	}
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		switch err.(type) {
		case nil:
		case *format.LineError:
			return bad(err.Error())
		default:
			return err
		}
		if len(line) == 0 {
			continue
		}
		name, label, found := strings.Cut(string(line), "\t")
		if !found || name == "" || label == "" || strings.Contains(label, "\t") {
			return bad(format.Quote(line) + ": expected a name, a tab and a label")
		}
		if strings.Contains(label, ",") {
			return bad("the label " + format.Quote([]byte(label)) + " has a comma, which joins the labels of a sample: expected a line for each label")
		}
		n := l.byName[name]
		if n == nil {
			n = &namedLabels{}
			l.byName[name] = n
			l.firstName = cmp.Or(l.firstName, name)
		}
		n.labels = append(n.labels, label)
	}
}
