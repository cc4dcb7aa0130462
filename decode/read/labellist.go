package read

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"fstore/decode/format"
	"fstore/index"
)

// namedLabels are the labels that LabelsFile gives to one name.
type namedLabels struct {
	labels []string
	used   bool   // a sample has been found for the name
	file   string // the file of the first such sample
}

// maxSeen is the maximum number of examples (keys of comments, names of samples) kept for a message.
const maxSeen = 1000

// labelList is the contents of LabelsFile. It is empty if there is no LabelsFile.
type labelList struct {
	byName map[string]*namedLabels
	first  string   // first name in LabelsFile
	used   int      // number of names that a sample has
	names  []string // names of the first samples that are not in LabelsFile
	twice  error    // an *OptionError: samples of two files have the same name
	again  bool     // the same file may have been an input of the Inputs before this one
}

// read reads lines of the form name TAB label.
func (l *labelList) read(f *File, text io.Reader) error {
	l.byName = map[string]*namedLabels{}
	return format.EachLine(text, f.Name, format.MaxText, func(line []byte) error {
		name, label, found := strings.Cut(string(line), "\t")
		name, label = strings.TrimRight(name, " "), strings.Trim(label, " ") // some spreadsheets leave spaces
		if !found || name == "" || label == "" || strings.Contains(label, "\t") {
			return &format.LineError{Msg: format.Quote(line) + ": expected a name, a tab and a label"}
		}
		if strings.Contains(label, ",") {
			return &format.LineError{Msg: "the label " + format.Quote([]byte(label)) + " has a comma, which joins the labels of a sample: expected a line for each label"}
		}
		n := l.byName[name]
		if n == nil {
			n = &namedLabels{}
			l.byName[name] = n
			l.first = cmp.Or(l.first, name)
		}
		n.labels = append(n.labels, label)
		return nil
	})
}

// labelsOf returns the labels that LabelsFile has for a sample, by its folder and name, or else by its name.
func (l *labelList) labelsOf(name, file string, counts bool) []string {
	if l.byName == nil {
		return nil
	}
	path := filepath.ToSlash(filepath.Dir(file)) + "/" + name
	n, whole := l.byName[path]
	if !whole {
		n = l.byName[name]
	}
	switch {
	case n == nil:
		if counts && len(l.names) < maxSeen {
			l.names = append(l.names, name)
		}
		return nil
	case !counts:
	case !n.used:
		n.used, n.file = true, file
		l.used++
	case n.file != file && !whole && l.twice == nil:
		if filepath.Clean(n.file) == filepath.Clean(file) {
			if l.again {
				break
			}
			l.twice = OptionErrorf("labels-file", "%s is read twice, and a name there cannot mean a sample of one of them: name the input once", file)
			break
		}
		first := filepath.ToSlash(filepath.Dir(n.file)) + "/" + name
		l.twice = OptionErrorf("labels-file", "a sample of %s and one of %s have the name %s: name them %s and %s there", n.file, file, name, first, path)
	}
	return n.labels
}

// missing returns an *OptionError if LabelsFile names no sample.
func (l *labelList) missing(file string) error {
	if l.byName == nil || l.used > 0 {
		return nil
	}
	if len(l.byName) == 0 {
		return OptionErrorf("labels-file", "%s has no names: expected lines of a name, a tab and a label", file)
	}
	if len(l.names) == 0 {
		return nil // the inputs have no samples, which is another error
	}
	for _, name := range slices.Sorted(maps.Keys(l.byName)) {
		if form := index.FormHint(name, l.names); form != "" {
			return OptionErrorf("labels-file", "%s: no sample has a name that stands there, such as %s%s; --normalize-unicode nfc makes them one", file, name, form)
		}
	}
	like := l.names[0]
	if few := index.Nearest(l.first, l.names); len(few) > 0 {
		like = few[0]
	}
	return OptionErrorf("labels-file", "%s: no sample has a name that stands there, such as %s: names of samples look like %s", file, l.first, like)
}

// unused returns a message about names in LabelsFile that no sample has, or "".
func (l *labelList) unused(file string) string {
	n := len(l.byName) - l.used
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s that no sample has", index.Plural(n, "name"), file)
}
