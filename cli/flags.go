package cli

import (
	"context"
	"errors"
	"fmt"

	"fstore/cli/output"
	"fstore/decode"
	"fstore/decode/convert"
	"fstore/mine/query"
	"fstore/store"
)

// outputFlags are how and where a command prints: one rule for all of them. A
// command with other formats than tables sets the variable formats.
type outputFlags struct {
	Format string `placeholder:"F" predictor:"format" help:"${formats}"`
	Out    string `name:"output" short:"o" placeholder:"FILE" predictor:"file" help:"Write to FILE, which appears whole or not at all; its extension chooses the format where --format does not. - is standard output."`
}

// inputFlags are how treebanks are read.
type inputFlags struct {
	InputFormat    string  `placeholder:"F" predictor:"tree-format" help:"What the input is: ptb, conllu, conllx, conll09, svmtk, klp or nbest (default: found from the name and the first bytes)."`
	StripTraces    bool    `help:"ptb: leave out traces and other empty elements."`
	StripFunctions bool    `help:"ptb: reduce labels to their category, NP-SBJ-1 to NP."`
	Tree           ordinal `placeholder:"N" help:"svmtk: only the N-th tree of a line, from 1 (default: all, as one sample)."`
	Representation string  `placeholder:"NAME" help:"klp: the tree to read of each line; required where a line has several."`
	ScoreColumn    ordinal `placeholder:"N" help:"nbest: which of a candidate's scores to read, from 1 (default: the first)."`
	As             string  `placeholder:"SHAPE" predictor:"shape" help:"Make constituency trees of dependencies: grct (relations over tags over words), lct (words, with tag and relation below) or loct (words)."`
	AsTag          string  `placeholder:"FIELD" help:"With --as: the tags are upos or xpos (default: upos)."`
	AsWord         string  `placeholder:"FIELD" help:"With --as: the words are form or lemma (default: form)."`

	NormalizeUnicode string `enum:",nfc" default:"" placeholder:"FORM" help:"nfc: make one of the spellings of a character, é as one code point and as e with an accent, in all text and names that are read."`
}

// inputLimits are what no input may exceed: format.MaxText and decode.MaxChildren.
const inputLimits = `A line, and the text of one tree, may have 256 MiB, and a node 262,144 children: what has more is a bad tree.`

// commentRule says what comments hold for.
const commentRule = `A comment # KEY = value between # newdoc and the first # newpar, # sent_id, # text or word holds for the document; one between # newpar and # sent_id for the paragraph; meta:: ones for the document, wherever they stand; all others for their sentence. Labels that are the same number (+1, 1, 01) are one, spelled as the first.`

// labelFlags are where samples get labels and documents from.
type labelFlags struct {
	Label        string `xor:"label" placeholder:"TEXT" help:"One label for every sample."`
	LabelFrom    string `xor:"label" placeholder:"SOURCE" predictor:"label-source" help:"Take labels from: file (its name without extensions), path, line (the input's own), id (the sample's name), comment:KEY (of the sentence, its paragraph or its document). Labels that no sample gets are an error."`
	LabelMatch   string `placeholder:"REGEXP" help:"With --label-from: the label is the first group of REGEXP, or all that it matches."`
	LabelsFile   string `xor:"label" placeholder:"FILE" predictor:"file" help:"Take labels from FILE: a sample's name, a tab, its label."`
	DocumentFrom string `placeholder:"SOURCE" predictor:"document" help:"Take documents from: newdoc (comments), file or id."`
}

// featureFlags are what vectors are over, and the values in them.
type featureFlags struct {
	Space     string `xor:"features" predictor:"space" placeholder:"NAME" help:"The features are the stored fragments of this space (needed where the store has several)."`
	Selection string `xor:"features" placeholder:"NAME" help:"The features are the fragments of this selection (default: all that are stored)."`
	weightFlag
}

// weightFlag is the values in vectors.
type weightFlag struct {
	Weight string `enum:"binary,count,kernel,tfidf" default:"binary" help:"The value of a feature: binary, count, kernel (the space's own), or tfidf (the count times ln((1+N)/(1+support)) + 1, of N samples)."`
}

// open opens what makes vectors, with what else o says of them.
func (f *featureFlags) open(s *store.Store, o decode.LinearizerOptions) (*decode.Linearizer, error) {
	set, err := featureSet(s, f.Space, f.Selection)
	if err != nil {
		return nil, err
	}
	o.Features, o.Weight = []decode.FeatureSet{set}, decode.Weight(f.Weight)
	return decode.NewLinearizer(s, o)
}

// featureSet is the fragments of a selection, or, where that is "", of a space.
func featureSet(s *store.Store, space, selection string) (decode.FeatureSet, error) {
	if selection == "" {
		sp, _, err := query.SpaceOf(s, space)
		return decode.FeatureSet{Space: sp}, err
	}
	sel, err := query.OpenSelection(s, selection)
	if err != nil {
		return decode.FeatureSet{}, err
	}
	return decode.FeatureSet{Space: sel.Space, Selection: selection}, nil
}

// featuresFlags are featureFlags for several side by side.
type featuresFlags struct {
	Space     []string `sep:"none" predictor:"space" placeholder:"NAME" help:"The features are the stored fragments of this space (needed where the store has several). Repeatable: side by side, the ids of each after those of the one before."`
	Selection []string `sep:"none" placeholder:"NAME" help:"The features are the fragments of this selection (default: all that are stored). Repeatable; they follow the spaces."`
	Where     *string  `placeholder:"EXPR" help:"The features are those of them for which EXPR holds, numbered anew: an expression over the columns that query has of a space, without a model, or of a selection."`
	Positive  string   `placeholder:"LABEL" help:"The label of the columns of association in --where (default: of two, the first)."`
	weightFlag
}

func (f *featuresFlags) check() error {
	switch {
	case f.Where != nil && *f.Where == "":
		return errNoCondition
	case f.Positive != "" && (f.Where == nil || len(f.Selection) > 0):
		return errors.New("--positive is for --where, of spaces")
	}
	return nil
}

// open opens what makes vectors, with what else o says of them.
func (f *featuresFlags) open(ctx context.Context, env *Env, s *store.Store, o decode.LinearizerOptions) (*decode.Linearizer, error) {
	add := func(space, selection string) error {
		set, err := featureSet(s, space, selection)
		if err == nil && f.Where != nil {
			set.Kept, err = subset(ctx, env, s, set, *f.Where, f.Positive)
		}
		o.Features = append(o.Features, set)
		return err
	}
	for _, name := range f.Space {
		if err := add(name, ""); err != nil {
			return nil, err
		}
	}
	for _, name := range f.Selection {
		if err := add("", name); err != nil {
			return nil, err
		}
	}
	if len(o.Features) == 0 {
		if err := add("", ""); err != nil {
			return nil, err
		}
	}
	o.Weight = decode.Weight(f.Weight)
	return decode.NewLinearizer(s, o)
}

// errorFlags are what happens to bad trees.
type errorFlags struct {
	ErrorLog string `placeholder:"FILE" predictor:"file" help:"With --on-error other than stop: list all bad trees in FILE; standard error has the first 20."`
}

// options are what the flags say; decode checks them.
func (l *labelFlags) options() decode.LabelOptions {
	o := decode.LabelOptions{LabelMatch: l.LabelMatch, LabelsFile: l.LabelsFile, DocumentFrom: l.DocumentFrom}
	if l.Label != "" {
		o.Label = []string{l.Label}
	}
	if l.LabelFrom != "" {
		o.LabelFrom = []string{l.LabelFrom}
	}
	return o
}

func (l *labelFlags) check() error {
	o := l.options()
	return o.Check()
}

func (i *inputFlags) check() error {
	as := i.convert()
	switch {
	case i.As != "":
		return as.Check()
	case i.AsTag != "" || i.AsWord != "":
		return errors.New("--as-tag and --as-word need --as")
	}
	return nil
}

// convert are the options of --as.
func (i *inputFlags) convert() convert.Options {
	return convert.Options{Shape: i.As, Tag: i.AsTag, Word: i.AsWord}
}

// check wants an error log only where there is something to log.
func (f *errorFlags) check(onError string) error {
	if f.ErrorLog != "" && onError == "stop" {
		return errors.New("--error-log is for --on-error other than stop")
	}
	return nil
}

// distinct wants the files beside the output to be others than it, than each other, and
// all of them to be others than the inputs.
func (f *outputFlags) distinct(inputs []string, more ...output.Named) error {
	out := output.Named{Flag: "-o", File: f.Out}
	if output.IsStdout(f.Out) {
		out = output.Named{Flag: "the output", File: "-"}
	}
	all := append([]output.Named{out}, more...)
	if err := output.Distinct(all...); err != nil {
		return err
	}
	return output.Apart(inputs, all...)
}

// checkLambda checks --lambda.
func checkLambda(lambda float64) error {
	if !(lambda > 0 && lambda <= 1) {
		return errors.New("--lambda: above 0, up to 1")
	}
	return nil
}

// given is what a flag says, 0 where it was not given.
func given[T any](flag *T) (x T) {
	if flag != nil {
		x = *flag
	}
	return x
}

// atLeastOne checks numbers that are counts, and not 0 where they are given.
func atLeastOne(flag string, n *int) error {
	if n != nil && *n < 1 {
		return fmt.Errorf("--%s: at least 1", flag)
	}
	return nil
}

// notNegative checks numbers that are counts.
func notNegative(flag string, n int) error {
	if n < 0 {
		return fmt.Errorf("--%s: %d is negative", flag, n)
	}
	return nil
}
