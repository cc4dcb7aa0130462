package cli

import (
	"context"
	"errors"
	"io"
	"slices"

	"fstore/cli/output"
	"fstore/cli/usage"
	"fstore/decode"
	"fstore/decode/convert"
	"fstore/index"
)

// catCommand prints treebanks in another format.
type catCommand struct {
	Inputs []string `arg:"" name:"input" predictor:"file" help:"Treebanks: files, globs, or - for standard input."`

	To         string `required:"" placeholder:"FORMAT" predictor:"tree-format" help:"The format to print: ptb, svmtk or klp for constituency trees, conllu or conllx for dependencies; grct, lct or loct is svmtk of what --as makes of them."`
	labelFlags `embed:"" group:"Labels and documents:"`
	inputFlags `embed:"" group:"Reading input:"`
	OnError    string `group:"Reading input:" enum:"stop,skip" default:"stop" help:"What a bad tree does: stop, or skip (it is left out, counted and listed)."`
	errorFlags `embed:"" group:"Reading input:"`
	Out        string `group:"Output:" name:"output" short:"o" placeholder:"FILE" predictor:"file" help:"Write to FILE, which appears whole or not at all. - is standard output."`
}

// Help is kong's hook.
func (*catCommand) Help() string {
	return `Labels that are no numbers are numbered for svmtk as those of a store are, and the numbers said. That takes a second reading: from standard input labels must be numbers, or --label the same for all.

What a format has no place for is counted on standard error. svmtk, klp, grct, lct and loct have no escapes: in labels and words a bracket becomes -LRB- or -RRB-; white space, a mark such as |ET| and an empty word become _. Vectors are printed as svmtk only. ptb has one tree a sample: several get a node TOP; a klp line has one tree too, and there several are a bad tree.

` + inputLimits + `

Example:

    fstore cat wsj.mrg.gz --to svmtk --strip-traces --strip-functions
    fstore cat news.conllu.gz --to grct --label-from file
`
}

// Validate is kong's hook.
func (c *catCommand) Validate() error {
	reading := c.inputFlags
	if reading.As == "" && slices.Contains(convert.Shapes(), c.To) {
		reading.As = c.To // --as-tag and --as-word are about it as well
	}
	return errors.Join(c.labelFlags.check(), reading.check(), c.errorFlags.check(c.OnError),
		(&outputFlags{Out: c.Out}).distinct(append(expandGlobs(c.Inputs), c.LabelsFile), output.Named{Flag: "--error-log", File: c.ErrorLog}))
}

// Run is kong's hook.
func (c *catCommand) Run(ctx context.Context, env *Env) error {
	inputs := expandGlobs(c.Inputs)
	o := env.inputOptions(ctx, &c.inputFlags, &c.labelFlags)
	printer, err := decode.NewPrinter(c.To, inputs, &o)
	if err != nil {
		return err
	}
	log, err := env.side(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	syms := index.NewSymbols()
	syms.Freeze() // each tree's symbols are forgotten after it
	o.Symbols, o.Skip, o.SkipLog = syms, c.OnError == "skip", log
	out, err := output.Open(env.FS, c.Out, env.Stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	var failed error // of a flush
	o.OnIdle = func() {
		if failed == nil {
			failed = out.Flush()
		}
	}
	in, err := decode.OpenInputs(inputs, o)
	if err != nil {
		return err
	}
	err = c.print(env.watch(in, "cat", c.Out), in, out, printer, syms)
	env.Progress.Close()
	err = errors.Join(err, failed, in.Close())
	n, first := in.Skipped()
	env.refused(n, first, "left out", c.ErrorLog)
	if err != nil {
		return err
	}
	env.numbered(printer.Numbers())
	c.lost(env, printer, in)
	return errors.Join(out.Commit(), log.Commit())
}

// lost says what the format had no place for.
func (c *catCommand) lost(env *Env, p *decode.Printer, in *decode.Inputs) {
	l := p.Losses()
	if n := l.Names + in.Renamed(); n > 0 {
		env.Note("%s changed for %s (labels included): brackets became -LRB- and -RRB-; white space, marks such as |ET| and empty words _", index.Plural(n, "word"), c.To)
	}
	if l.Vectors > 0 {
		env.Note("%s left out, for which %s has no place", index.Plural(l.Vectors, "vector"), c.To)
	}
	if l.Tops > 0 {
		env.Note("%s of several trees, or of none, got a node TOP: %s has one tree each", index.Plural(l.Tops, "sample"), c.To)
	}
}

// print prints the trees of a source, which is in as it is watched.
func (c *catCommand) print(from index.Source, in *decode.Inputs, out io.Writer, p *decode.Printer, syms *index.Symbols) error {
	var t index.Tree
	var text []byte
	for {
		err := from.Next(&t)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if t.Kind != p.Format.Kind {
			file, _ := in.Where()
			return usage.Errorf("--to %s: %s has %s trees, which print as %s", p.Format.Name, file, t.Kind, decode.FormatNames(t.Kind))
		}
		text, err = p.Append(text[:0], &t, syms)
		if unfit := (*decode.PrintError)(nil); errors.As(err, &unfit) {
			if err := in.Refuse(&t, err.Error()); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
}
