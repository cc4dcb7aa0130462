package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/store"
	"fstore/store/runfile"
)

// LinearizeCommand is the command `linearize`. It turns trees into vectors.
type LinearizeCommand struct {
	Store  string   `arg:"" predictor:"store" help:"The store whose fragments are the features."`
	Inputs []string `arg:"" optional:"" name:"input" predictor:"file" help:"Treebanks: files, folders, globs, or - for standard input (the default in a pipe)."`

	Training bool             `help:"Linearize the samples of the store itself, from what is stored of the fragments: no tree is read, but for --normalize kernel, for --weight kernel in spaces where matches decay, and for selections of fragments that are not stored."`
	Memory   command.ByteSize `placeholder:"SIZE" help:"With --training: memory for the vectors that are made at a time, such as 64MiB (default: 1GiB); the result is the same."`

	featuresFlags `embed:""`
	Lambda        float64 `default:"0.4" help:"The decay of --weight kernel and --normalize kernel."`
	Normalize     string  `enum:"none,l2,kernel" default:"none" help:"Scale vectors to length 1: l2, over the stored fragments, kernel, over all of the space (of dep:ordered=false, trees of moderate size only), or none."`
	Sum           string  `enum:",document,label" default:"" placeholder:"document|label" help:"Add up the vectors of each document, or label: a row each, in the order in which they first have a sample; --normalize l2 is of the sums."`
	Vocabulary    string  `placeholder:"FILE" predictor:"output" help:"Write the features to FILE: id, fragment, order, support, and weight, the value of one occurrence; TSV, or as its extension says."`
	Names         string  `placeholder:"FILE" predictor:"output" help:"Write the fragments to FILE, one a line: line 1 is feature 1."`
	Text          bool    `help:"jsonl: name features by their fragments, not by ids."`
	Expect        *string `placeholder:"HASH" help:"Refuse any other vocabulary than that of HASH: the features have changed since. info prints that of a space or a selection; that of several side by side is in npz, and in the refusal."`
	LabelMap      string  `placeholder:"FILE" predictor:"output" help:"Write the numbers of the labels to FILE: number, tab, label."`
	LinesFile     string  `placeholder:"FILE" predictor:"output" help:"Write where the samples stand to FILE, a line a vector: the line of its file that the tree starts on; for an empty vector, that of the error."`
	IDsFile       string  `name:"ids-file" placeholder:"FILE" predictor:"output" help:"Write the names of the samples to FILE, a line a vector."`
	UnknownLabel  string  `placeholder:"VALUE" help:"The number of labels that the store does not know (default: they are bad input)."`

	command.LabelFlags    `embed:"" group:"Labels and documents:"`
	command.DocumentFlags `embed:"" group:"Labels and documents:"`
	command.InputFlags    `embed:"" group:"Reading input:"`

	OnError             string `group:"Reading input:" enum:"stop,skip,empty" default:"stop" help:"What a bad tree does: stop, skip (rows no longer match the input), or empty (an empty vector)."`
	command.ErrorFlags  `embed:"" group:"Reading input:"`
	Budget              command.Amount `default:"0" placeholder:"N" help:"States that matching one tree may visit, and pairs of its nodes for --normalize kernel, as in 500M; a tree that takes more is a bad tree. 0 is 100M, some seconds."`
	Workers             int            `placeholder:"N" help:"Goroutines (default: one a core)."`
	command.OutputFlags `embed:"" group:"Output:" set:"formats=${vector_formats}"`
}

func (*LinearizeCommand) Help() string {
	return `Prints one vector a tree, in input order, as soon as the input has nothing more waiting; after a tree of brackets over several lines that is a blank line, or the next tree. Features are numbered from 1 by the order of the fragments in the store. Labels that are numbers stay, others are numbered from 1 in byte order. A tree without a label has the number 0, or -1 where 0 is a label; a line says so, unless it is 0 for all.

Example:

    fstore linearize demo.store new.mrg --label-from file -o new.svmlight
    parser < text | fstore linearize demo.store - --weight kernel --normalize kernel
    fstore linearize demo.store --training --selection strong -o train.svmlight
    fstore linearize demo.store --training --where 'support >= 10 && order <= 3' -o frequent.svmlight
`
}

func (c *LinearizeCommand) Validate() error {
	if c.Training && len(c.Inputs) > 0 {
		return errors.New("--training takes no INPUT")
	}
	if c.Training && (c.LabelFlags != command.LabelFlags{} || c.InputFlags != command.InputFlags{}) {
		return errors.New("--training writes the stored samples with their labels: flags that say how trees are read and labelled are for INPUT")
	}
	if c.Sum != "" && c.Normalize == string(linearize.NormalizeKernel) {
		return errors.New("--sum: vectors that are added up have no kernel to be normalized by; --normalize l2 scales the sums")
	}
	if c.Memory > 0 && !c.Training {
		return errors.New("--memory is for --training")
	}
	return errors.Join(command.CheckLambda(c.Lambda), command.NotNegative("workers", c.Workers), c.featuresFlags.check(),
		c.LabelFlags.Check(), c.InputFlags.Check(), c.ErrorFlags.Check(c.OnError))
}

func (c *LinearizeCommand) Run(ctx context.Context, env *command.Env) error {
	if err := env.OrStdin(&c.Inputs, c.Training); err != nil {
		return err
	}
	if err := c.checkEffects(env); err != nil {
		return err
	}
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		o := linearize.Options{
			Normalize: linearize.Normalize(c.Normalize), Lambda: c.Lambda,
			UnknownLabel: c.UnknownLabel, Budget: int64(min(c.Budget, math.MaxInt64)),
		}
		if c.Sum != "" {
			o.Normalize = linearize.NormalizeNone // scale the sums, not the vectors
		}
		l, err := c.featuresFlags.open(ctx, env, s, o)
		if err != nil {
			return err
		}
		if !c.Training {
			env.CompareReading(s.Meta(), &c.InputFlags)
		}
		if c.Expect != nil {
			err = l.Expect(*c.Expect)
		}
		if err == nil {
			err = c.linearize(ctx, env, l)
		}
		return errors.Join(err, l.Close())
	})
}

func (c *LinearizeCommand) checkEffects(env *command.Env) (err error) {
	if !usesLambda(c.Weight, c.Normalize) {
		err = env.Needs("--weight kernel and --normalize kernel", "lambda")
	}
	if c.Training {
		err = errors.Join(err, env.Needs("INPUT: --training reads none", "unknown-label", "on-error", "document-from", "lines-file", "budget"))
	}
	if c.Sum != string(linearize.ByDocument) {
		err = errors.Join(err, env.Needs("--sum document", "document-from"))
	}
	return err
}

type linearizeFiles struct{ out, vocabulary, names, labels, ids, lines, log output.Sink }

// linearize writes the vectors and the files that describe them. It opens all files before the long work.
func (c *LinearizeCommand) linearize(ctx context.Context, env *command.Env, l *linearize.Linearizer) error {
	format, out, err := openVectors(env, c.OutputFlags, c.Text)
	if err != nil {
		return err
	}
	defer out.Abort()
	tables, err := tableFormat(c.Vocabulary)
	if err != nil {
		return err
	}
	var sides []output.Sink
	defer func() {
		for _, sink := range sides {
			sink.Abort()
		}
	}()
	side := func(flag, file, holds, extension string) output.Sink {
		if err != nil {
			return nil
		}
		var sink output.Sink
		if sink, err = env.Side(flag, file, holds, extension); err == nil {
			sides = append(sides, sink)
		}
		return sink
	}
	f := linearizeFiles{
		out: out,
		// The extension is one of a table format: tableFormat has refused all others.
		vocabulary: side("--vocabulary", c.Vocabulary, "a table", strings.TrimPrefix(strings.ToLower(filepath.Ext(c.Vocabulary)), ".")),
		names:      side("--names", c.Names, "a fragment a line", ""),
		labels:     side("--label-map", c.LabelMap, "a number, a tab and a label a line", "tsv"),
		ids:        side("--ids-file", c.IDsFile, "a name a line", ""),
		lines:      side("--lines-file", c.LinesFile, "a number a line", ""),
		log:        side("--error-log", c.ErrorLog, "a line for each bad sentence", ""),
	}
	if err != nil {
		return err
	}
	env.Note("n_features=%d, zero_based=False", l.Features())
	rows, err := c.vectors(ctx, env, l, format, &f)
	if err != nil {
		return err
	}
	if err := c.describe(ctx, l, tables, &f); err != nil {
		return err
	}
	for _, sink := range append(sides, out) {
		if err := sink.Commit(); err != nil {
			return err
		}
	}
	values := ""
	if c.Weight == string(linearize.Binary) && c.Normalize == string(linearize.NormalizeNone) {
		values = " of binary values (most learners do better with --weight kernel --normalize l2)"
	}
	env.Note("%s%s", index.Plural(rows, "vector"), values)
	return nil
}

// describe writes the files that describe the vectors.
func (c *LinearizeCommand) describe(ctx context.Context, l *linearize.Linearizer, tables string, f *linearizeFiles) error {
	if c.Vocabulary != "" {
		if err := writeVocabulary(ctx, l, tables, f.vocabulary); err != nil {
			return err
		}
	}
	if c.Names != "" {
		if err := writeNames(ctx, l, f.names); err != nil {
			return err
		}
	}
	for i, name := range l.Numbering.Names {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		number, _ := l.Numbering.Number(name)
		if _, err := fmt.Fprintf(f.labels, "%s\t%s\n", number, name); err != nil {
			return err
		}
	}
	return nil
}

// vectors writes the vectors, and returns how many there are.
func (c *LinearizeCommand) vectors(ctx context.Context, env *command.Env, l *linearize.Linearizer, format vector.Format, f *linearizeFiles) (rows uint64, err error) {
	o := l.VectorOptions()
	o.Scratch = runfile.Dir{FS: env.FS, Path: env.TempDir()}
	if c.Text || format.Named {
		o.Text = l.FragmentTexts()
	}
	w := format.Open(f.out, o)
	defer vector.Discard(w)
	refused := read.Refusals{Log: f.log}
	stream := l.NewStream(ctx, flushing{w, f.out}, linearize.StreamOptions{
		OnError: linearize.OnError(c.OnError), Workers: c.Workers, Bad: refused.Add, IDs: f.ids, Lines: f.lines,
		Sum: linearize.Sum(c.Sum), SumL2: c.Normalize == string(linearize.NormalizeL2),
	})
	err = c.run(env, l, stream)
	if errors.Is(err, linearize.ErrNothingToSum) {
		err = index.Usagef("--sum %s: %v", c.Sum, err)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil { // if a write failed, the message of f.out is better than that of a library
		err = cmp.Or(f.out.Flush(), err)
	}
	env.Progress.Close()
	n, _ := refused.Skipped()
	env.Refused(&refused, c.passedOver(n), c.ErrorLog)
	rows = stream.Rows()
	if n := stream.Without(); n > 0 && err == nil {
		env.Note("%s without a %s: in no sum", index.Plural(n, "sample"), c.Sum)
	}
	if err == nil {
		env.Unlabelled(stream.Unlabelled(), rows, l.Numbering)
	}
	return rows, command.Printed(err, rows, "vector", c.Out)
}

// passedOver returns what happened to n bad trees, as the end of a message.
func (c *LinearizeCommand) passedOver(n int) string {
	switch {
	case c.OnError != "empty":
		return "left out: rows no longer match the input"
	case n == 1:
		return "became an empty vector"
	}
	return "became empty vectors"
}

func (c *LinearizeCommand) run(env *command.Env, l *linearize.Linearizer, stream *linearize.Stream) error {
	if c.Training {
		return stream.RunStored(int64(c.Memory), env.Progress)
	}
	o := env.InputOptions(stream.Context(), &c.InputFlags, &c.LabelFlags)
	o.DocumentFrom = c.DocumentFrom
	o.Symbols, o.OnIdle = l.ReaderSymbols(), stream.Idle
	in, err := read.Open(command.ExpandGlobs(c.Inputs), o)
	if err != nil {
		return err
	}
	err = stream.Run(env.Watch(in, "linearize", c.Out))
	return errors.Join(err, in.Close())
}
