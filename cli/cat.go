package cli

import (
	"context"
	"errors"
	"io"

	"fstore/cli/output"
	"fstore/cli/usage"
	"fstore/decode"
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
	return `Labels that are no numbers are numbered for svmtk as those of a store are, and the numbers said.

Example:

    fstore cat wsj.mrg.gz --to svmtk --strip-traces --strip-functions
    fstore cat news.conllu.gz --to grct --label-from file
`
}

// Validate is kong's hook.
func (c *catCommand) Validate() error {
	return errors.Join(c.labelFlags.check(), c.inputFlags.check(), c.errorFlags.check(c.OnError),
		(&outputFlags{Out: c.Out}).distinct(output.Named{Flag: "--error-log", File: c.ErrorLog}))
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
	err = c.print(in, out, printer, syms)
	err = errors.Join(err, failed, in.Close())
	n, first := in.Skipped()
	env.refused(n, first, "left out", c.ErrorLog)
	if err != nil {
		return err
	}
	env.numbered(printer.Numbers())
	return errors.Join(out.Commit(), log.Commit())
}

func (c *catCommand) print(in *decode.Inputs, out io.Writer, p *decode.Printer, syms *index.Symbols) error {
	var t index.Tree
	var text []byte
	for {
		err := in.Next(&t)
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
		if text, err = p.Append(text[:0], &t, syms); err != nil {
			return err
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
}
