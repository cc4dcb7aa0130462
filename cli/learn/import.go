package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fstore/cli/command"
	"fstore/decode/format"
	"fstore/decode/format/svmtk"
	"fstore/decode/linearize"
	"fstore/decode/models"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/exchange"
	"fstore/mine/exchange/portable"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/svm"
	"fstore/store"
)

// ImportCommand is the command `import`. It reads a selection or a model from a file into a store.
type ImportCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`
	File  string `arg:"" predictor:"file" help:"The file, or - for standard input: what export wrote, a list of fragments, one a line or as query prints it, a model file of SVM-Light-TK or LIBLINEAR, or a table of weights."`

	importFlags `embed:""`
}

func (*ImportCommand) Help() string {
	return `Takes a file into a store; what kind it is, is found from its first bytes.

A selection that export wrote, or a list of fragments, becomes a selection: support and occurrences are counted in the store's trees; scores, weights and other statistics are the file's, and 0 of a list.

A list has a fragment a line, or is what query, contrast or examples printed as tsv, csv, jsonl or xlsx: its column fragment is read, and no other.

A model file of SVM-Light-TK (-F 0, 1, 2, 3, any -N) becomes a kernel machine that tells +1 from -1, for predict.

A model file of LIBLINEAR, or a table of weights, lines of id, tab, weight or of id, tab, class, tab, weight, becomes a linear model for predict. Ids are those of the vectors that linearize made, 0 is the bias; a class is a label or its number. --selection or --space, --weight, --normalize and --lambda must be what linearize was given.

Example:

    fstore import demo.store strong.fst --name strong
    fstore query demo.store --limit 0 --order 2 --format tsv | fstore import demo.store - --name pairs
    fstore import demo.store sorted.xlsx --name pairs --overwrite
    fstore import demo.store model.gz --name m
    liblinear-train -s 5 -B 1 train.svmlight weights && fstore import demo.store weights --name w
`
}

func (c *ImportCommand) Validate() error {
	if c.Name == "" {
		return errors.New("--name: it needs a name")
	}
	return command.CheckLambda(c.Lambda)
}

type importer struct {
	kind string
	uses []string // flags that have an effect only for some kinds of files
	is   func(head []byte) bool
	take func(ctx context.Context, env *command.Env, c *importFlags, w *store.Writer, f *read.File) (decided string, err error)
}

const weightsKind = "a model file of LIBLINEAR, or a table of weights"

// importers returns the kinds of files. The first kind that recognises a file reads it.
func importers() []importer {
	return []importer{
		{"a model file of SVM-Light-TK", []string{"tree"}, svmtk.IsModel, importKernelModel},
		{weightsKind, []string{"space", "selection", "weight", "normalize", "lambda", "positive"}, models.IsWeights, importWeights},
		{"a selection, or a list of fragments", []string{"space", "skip-absent", "normalize-unicode"}, isList, importSelection},
	}
}

// checkEffects returns an error if a given flag has no effect on files of this kind.
func (c *ImportCommand) checkEffects(env *command.Env, i *importer) error {
	for _, other := range importers() {
		for _, flag := range other.uses {
			if env.Given[flag] && !slices.Contains(i.uses, flag) {
				return index.Usagef("--%s is of %s, and %s is %s", flag, other.kind, c.File, i.kind)
			}
		}
	}
	if i.kind == weightsKind && !usesLambda(c.Weight, c.Normalize) {
		return env.Needs("--weight kernel and --normalize kernel", "lambda")
	}
	return nil
}

// importHead is how many bytes of a file are read to find out which kind of file it is.
const importHead = 4 << 10

func (c *ImportCommand) Run(ctx context.Context, env *command.Env) error {
	f, err := read.OpenFile(ctx, c.File, env.Stdin)
	if err != nil {
		return err
	}
	defer f.Close()
	head := f.Head(importHead)
	for _, i := range importers() {
		if !i.is(head) {
			continue
		}
		if err := c.checkEffects(env, &i); err != nil {
			return err
		}
		return env.Change(ctx, c.Store, func(w *store.Writer) (store.Event, error) {
			decided, err := i.take(ctx, env, &c.importFlags, w, f)
			event := env.Event([]read.Input{f.Input()})
			event.Decided = decided
			return event, err
		})
	}
	if other := format.Encoding(head); other != "" {
		return &index.InputError{File: f.Name, Line: 1, Msg: other + ": expected UTF-8 text"}
	}
	var kinds []string
	for _, i := range importers() {
		kinds = append(kinds, i.kind)
	}
	return &index.InputError{File: f.Name, Msg: "not recognised: expected " + strings.Join(kinds, ", ")}
}

type importFlags struct {
	Name      string `required:"" placeholder:"NAME" help:"What it is called in the store."`
	Overwrite bool   `help:"Replace what has that name."`

	Space             string `xor:"features" predictor:"space" placeholder:"NAME" help:"A list, or weights: the space of the fragments, where the store has several."`
	SkipAbsent        bool   `help:"A selection or a list: leave out fragments with a symbol that no sample has (default: they are bad input)."`
	command.TextFlags `embed:""`

	Tree command.Ordinal `placeholder:"N" help:"SVM-Light-TK: only the N-th tree of a line, from 1."`

	Selection string  `group:"Weights:" xor:"features" placeholder:"NAME" help:"The selection whose fragments were the features."`
	Weight    string  `group:"Weights:" enum:"binary,count,kernel,tfidf" default:"binary" help:"The --weight of the vectors that were trained on."`
	Normalize string  `group:"Weights:" enum:"none,l2,kernel" default:"none" help:"Their --normalize."`
	Lambda    float64 `group:"Weights:" default:"0.4" help:"Their --lambda."`
	Positive  string  `group:"Weights:" placeholder:"LABEL" help:"The label of positive scores, where the table has no classes (default: of two labels, that of the larger number or the first in byte order)."`
}

// isList reports whether a file with these first bytes can be a selection or a list of fragments.
func isList(head []byte) bool { return bytes.IndexByte(head, 0) < 0 || portable.IsSpreadsheet(head) }

func importSelection(ctx context.Context, env *command.Env, c *importFlags, w *store.Writer, f *read.File) (decided string, err error) {
	done, err := exchange.Import(ctx, w, f, f.Name, exchange.ImportOptions{
		Name: c.Name, Overwrite: c.Overwrite, Space: c.Space, SkipAbsent: c.SkipAbsent, NFC: c.NormalizeUnicode != "", Progress: env.Progress,
	})
	env.Progress.Close()
	if err != nil {
		return "", err
	}
	return done.Decided, nil
}

// importWeights makes a linear model from a file of weights, see models.ReadWeights.
func importWeights(_ context.Context, _ *command.Env, c *importFlags, w *store.Writer, f *read.File) (decided string, err error) {
	if err := freeName(w.Meta(), c.Name, c.Overwrite); err != nil {
		return "", err
	}
	features := featureFlags{c.Space, c.Selection, weightFlag{c.Weight}}
	l, err := features.open(w.Store(), linearize.Options{Normalize: linearize.Normalize(c.Normalize), Lambda: c.Lambda})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	m, err := models.ReadWeights(f, l, c.Positive)
	if err != nil {
		return "", err
	}
	crossval.DropFolds(w.Meta(), c.Name)
	if err := predict.PutLinearModel(w, c.Name, linearImported, m, l, nil); err != nil {
		return "", err
	}
	weights := len(m.ID)
	if weights > 0 && m.ID[0] == 0 {
		weights--
	}
	return fmt.Sprintf("model %s: %s: weights of %s of %s", c.Name, vectorsText(m), index.Plural(weights, "feature"), index.Thousands(m.Features)), nil
}

// importKernelModel makes a kernel machine from a model file of SVM-Light-TK.
func importKernelModel(_ context.Context, _ *command.Env, c *importFlags, w *store.Writer, f *read.File) (decided string, err error) {
	if err := freeName(w.Meta(), c.Name, c.Overwrite); err != nil {
		return "", err
	}
	m, err := models.ReadKernelModel(f, read.Options{File: f.Name, Symbols: w.Symbols(), Tree: int(c.Tree)})
	if err != nil {
		if _, isInput := errors.AsType[*index.InputError](err); !isInput {
			err = &index.InputError{File: f.Name, Msg: err.Error(), Fatal: true}
		}
		return "", err
	}
	if err := putKernelModel(w, c.Name, svm.LearnerImported, m, nil, nil); err != nil {
		return "", err
	}
	return fmt.Sprintf("model %s: kernel %s, lambda %g: %s", c.Name, m.Space.ID(), m.Lambda, index.Plural(len(m.Vectors), "support vector")), nil
}
