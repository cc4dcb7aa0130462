package command

import (
	"errors"
	"fmt"

	"golang.org/x/text/unicode/norm"

	"fstore/cli/output"
	"fstore/decode/format/convert"
	"fstore/decode/read"
)

// OutputFlags choose the format of the output, and where it goes. The help of --format is the kong variable
// `formats`. A command with other formats than most sets its own.
type OutputFlags struct {
	Format string `placeholder:"F" predictor:"format" help:"${formats}"`
	Out    string `name:"output" short:"o" placeholder:"FILE" predictor:"output" help:"Write to FILE, which appears whole or not at all; its extension chooses the format where --format does not. - is standard output."`
}

// Wants reports whether --format names this format. Without --format, the extension of -o counts.
func (f *OutputFlags) Wants(format output.Format) bool {
	return f.Format == format.Name || f.Format == "" && output.Promises(f.Out, []output.Format{format})
}

// InputFlags say how treebanks are read.
type InputFlags struct {
	InputFormat    string  `placeholder:"F" predictor:"tree-format" help:"What the input is: ptb, conllu, conllx, conll09, svmtk, klp, nbest or jsonl, a JSON string with the text of a tree a line (default: found from the name and the first bytes)."`
	StripTraces    bool    `help:"ptb: leave out traces and other empty elements."`
	StripFunctions bool    `help:"ptb: reduce labels to their category, NP-SBJ-1 to NP."`
	Tree           Ordinal `placeholder:"N" help:"svmtk: only the N-th tree of a line, from 1 (default: all, as one sample)."`
	Representation string  `placeholder:"NAME" help:"klp: the tree to read of each line; required where a line has several."`
	ScoreColumn    Ordinal `placeholder:"N" help:"nbest: which of a candidate's scores to read, from 1 (default: the first)."`
	As             string  `placeholder:"SHAPE" predictor:"shape" help:"Make constituency trees of dependencies: grct (relations over tags over words), lct (words, with tag and relation below) or loct (words)."`
	AsTag          string  `placeholder:"FIELD" help:"With --as: the tags are upos or xpos (default: upos)."`
	AsWord         string  `placeholder:"FIELD" help:"With --as: the words are form or lemma (default: form)."`

	NormalizeUnicode string `enum:",nfc" default:"" placeholder:"FORM" help:"nfc: make one of the spellings of a character, é as one code point and as e with an accent, in all text and names that are read."`
}

// TextFlags say how fragments and conditions on the command line are read.
type TextFlags struct {
	NormalizeUnicode string `enum:",nfc" default:"" placeholder:"FORM" help:"nfc: make one of the spellings of a character, é as one code point and as e with an accent, in fragments and conditions, as build makes it in trees."`
}

// Normalize normalises the texts if the flag is given. A nil pointer is skipped.
func (f *TextFlags) Normalize(texts ...*string) {
	if f.NormalizeUnicode != read.NormalizeNFC {
		return
	}
	for _, t := range texts {
		if t != nil {
			*t = norm.NFC.String(*t)
		}
	}
}

// InputLimits is a help text about the limits format.MaxText and read.MaxChildren.
const InputLimits = `A line, and the text of one tree, may have 256 MiB, and a node 262,144 children: what has more is a bad tree.`

// CommentRule is a help text that says to which sentences a comment applies.
const CommentRule = `A comment # KEY = value between # newdoc and the first # newpar, # sent_id, # text or word holds for the document; one between # newpar and # sent_id for the paragraph; meta:: ones, wherever they stand, for the document from there on; all others for their sentence. A key that is repeated gives a label each time. Labels that are the same number (+1, 1, 01) are one, spelled as the first.`

// LabelFlags say where the labels of samples come from.
type LabelFlags struct {
	Label      string `xor:"label" placeholder:"TEXT" help:"One label for every sample."`
	LabelFrom  string `xor:"label" placeholder:"SOURCE" predictor:"label-source" help:"Take labels from: file (its name without extensions), path, line (the input's own), id (the sample's name), comment:KEY (of the sentence, its paragraph or its document). Labels that no sample gets are an error."`
	LabelMatch string `placeholder:"REGEXP" help:"With --label-from: the label is the first group of REGEXP, or all that it matches."`
	LabelsFile string `xor:"label" placeholder:"FILE" predictor:"file" help:"Take labels from FILE: a sample's name, a tab, its label."`
}

// DocumentFlags say where the documents of samples come from, for commands that store them.
type DocumentFlags struct {
	DocumentFrom string `placeholder:"SOURCE" predictor:"document" help:"Take documents from: newdoc (comments), file or id."`
}

// ErrorFlags say where bad trees are listed.
type ErrorFlags struct {
	ErrorLog string `placeholder:"FILE" predictor:"output" help:"With --on-error other than stop: list all bad trees in FILE; standard error has the first 20."`
}

// options returns the values of the flags. Package read checks them later.
func (l *LabelFlags) options() read.LabelOptions {
	o := read.LabelOptions{LabelMatch: l.LabelMatch, LabelsFile: l.LabelsFile}
	if l.Label != "" {
		o.Label = []string{l.Label}
	}
	if l.LabelFrom != "" {
		o.LabelFrom = []string{l.LabelFrom}
	}
	return o
}

// Check returns an error if two flags contradict each other or a value is wrong.
func (l *LabelFlags) Check() error {
	o := l.options()
	return o.Check()
}

// Check returns an error if two flags contradict each other or a value is wrong.
func (i *InputFlags) Check() error {
	as := i.convert()
	switch {
	case i.As != "":
		return as.Check()
	case i.AsTag != "" || i.AsWord != "":
		return errors.New("--as-tag and --as-word need --as")
	}
	return nil
}

func (i *InputFlags) convert() convert.Options {
	return convert.Options{Shape: i.As, Tag: i.AsTag, Word: i.AsWord}
}

// Check returns an error if --error-log is given but the run stops at the first bad tree.
func (f *ErrorFlags) Check(onError string) error {
	if f.ErrorLog != "" && onError == "stop" {
		return errors.New("--error-log is for --on-error other than stop")
	}
	return nil
}

// CheckLambda returns an error if lambda is not in the range 0 < λ ≤ 1.
func CheckLambda(lambda float64) error {
	if !(lambda > 0 && lambda <= 1) {
		return errors.New("--lambda: above 0, up to 1")
	}
	return nil
}

// Given returns the value of a flag, or the zero value if the flag was not given.
func Given[T any](flag *T) (x T) {
	if flag != nil {
		x = *flag
	}
	return x
}

// AtLeastOne returns an error if the flag is given and its number is below 1.
func AtLeastOne(flag string, n *int) error {
	if n != nil && *n < 1 {
		return fmt.Errorf("--%s: at least 1", flag)
	}
	return nil
}

// NotNegative returns an error if the flag's number is negative.
func NotNegative(flag string, n int) error {
	if n < 0 {
		return fmt.Errorf("--%s: %d is negative", flag, n)
	}
	return nil
}

// Most is the largest value that flags such as -C, --beta and --step accept.
const Most = 1e100
