// Package trees has the commands for trees that need no store: cat, draw, compare.
package trees

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"fstore/cli/command"
	"fstore/decode/format/convert"
	"fstore/decode/print"
	"fstore/decode/read"
	"fstore/index"
)

// CatCommand is the command `cat`. It prints treebanks in another format.
type CatCommand struct {
	Inputs []string `arg:"" name:"input" predictor:"file" help:"Treebanks: files, folders, globs, or - for standard input."`

	To                    string `required:"" placeholder:"FORMAT" predictor:"tree-format" help:"The format to print: ptb, svmtk or klp for constituency trees, conllu or conllx for dependencies; grct, lct or loct is svmtk of what --as makes of them."`
	Spaces                string `placeholder:"TEXT" help:"conllx: write TEXT for each space within a field (default: a sentence with one is a bad tree)."`
	command.LabelFlags    `embed:"" group:"Labels and documents:"`
	command.DocumentFlags `embed:"" group:"Labels and documents:"`
	command.InputFlags    `embed:"" group:"Reading input:"`
	OnError               string `group:"Reading input:" enum:"stop,skip" default:"stop" help:"What a bad tree does: stop, or skip (it is left out, counted and listed)."`
	command.ErrorFlags    `embed:"" group:"Reading input:"`
	Out                   string `group:"Output:" name:"output" short:"o" placeholder:"FILE" predictor:"output" help:"Write to FILE, which appears whole or not at all. - is standard output."`
}

func (*CatCommand) Help() string {
	return `Labels that are no numbers are numbered for svmtk as those of a store are, and the numbers said. That takes a second reading: from standard input labels must be numbers, or --label the same for all.

What a format has no place for is counted on standard error. svmtk, klp, grct, lct and loct have no escapes: in labels and words a bracket becomes -LRB- or -RRB-; white space, a mark such as |ET| and an empty word become _. Vectors are printed as svmtk only. ptb has one tree a sample: several get a node TOP; a klp line has one tree too, and there several are a bad tree.

` + command.InputLimits + `

Example:

    fstore cat wsj.mrg.gz --to svmtk --strip-traces --strip-functions
    fstore cat news.conllu.gz --to grct --label-from file
`
}

func (c *CatCommand) Validate() error {
	reading := c.InputFlags
	if reading.As == "" && slices.Contains(convert.Shapes(), c.To) {
		reading.As = c.To // --as-tag and --as-word apply to --to grct too
	}
	return errors.Join(c.LabelFlags.Check(), reading.Check(), c.ErrorFlags.Check(c.OnError))
}

func (c *CatCommand) Run(ctx context.Context, env *command.Env) error {
	inputs := command.ExpandGlobs(c.Inputs)
	o := env.InputOptions(ctx, &c.InputFlags, &c.LabelFlags)
	o.DocumentFrom = c.DocumentFrom
	printer, err := print.NewPrinter(c.To, inputs, &o)
	if err != nil {
		return err
	}
	if printer.Format.NumericLabel == nil { // only a format with numeric labels has numbers of documents
		if err := env.Needs("--to svmtk, which has numbers of documents (qid)", "document-from"); err != nil {
			return err
		}
	}
	printer.Spaces = c.Spaces
	switch {
	case c.Spaces != "" && !printer.Format.NoSpaces:
		return index.Usagef("--spaces is for --to conllx: %s has a place for spaces, or writes them its own way", c.To)
	case strings.ContainsFunc(c.Spaces, unicode.IsSpace):
		return index.Usagef("--spaces %q has a space itself", c.Spaces)
	}
	log, err := env.SideLog(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	syms := read.ScratchSymbols() // symbols of the current tree only
	o.Symbols, o.Skip, o.SkipLog = syms, c.OnError == "skip", log
	out, err := env.OpenText("-o", c.Out, "a treebank ("+c.To+")")
	if err != nil {
		return err
	}
	defer out.Abort()
	var failed error // the first error of Flush
	o.OnIdle = func() {
		if failed == nil {
			failed = out.Flush()
		}
	}
	in, err := read.Open(inputs, o)
	if err != nil {
		return err
	}
	in.Need(index.Needs{NoHeads: true}) // sentences without heads can be printed too
	printed, err := c.print(env.Watch(in, "cat", c.Out), in, out, printer, syms)
	env.Progress.Close()
	err = errors.Join(command.Printed(err, printed, "sample", c.Out), failed, in.Close())
	env.Refused(&in.Refusals, "left out", c.ErrorLog)
	if err != nil {
		return err
	}
	env.Numbered(printer.Numbers)
	c.lost(env, printer, in)
	if n := printer.Mistaken(); n > 0 {
		return index.Usagef("--to %s: %s without a label cannot be told from those of the label %s: give each a label, as with --labels-file", c.To, index.Plural(n, "sample"), printer.Format.NoLabel)
	}
	return errors.Join(out.Commit(), log.Commit())
}

// lost prints what was changed or left out because the format cannot hold it.
func (c *CatCommand) lost(env *command.Env, p *print.Printer, in *read.Inputs) {
	l := p.Losses
	l.Add(in.Dropped())
	for _, x := range []struct {
		n          int
		noun, what string
	}{
		{l.Names + in.Renamed(), "word", "changed for " + c.To + " (labels included): brackets became -LRB- and -RRB-; white space, marks such as |ET| and empty words _"},
		{l.Vectors, "vector", "left out, as " + c.To + " has no place for them"},
		{l.Tops, "sample", "of several trees, or of none, got a node TOP: " + c.To + " has one tree each"},
		{l.Unlabelled, "sample", "without a label: " + c.To + " has " + p.Format.NoLabel + " for it"},
	} {
		if x.n > 0 {
			env.Note("%s %s", index.Plural(x.n, x.noun), x.what)
		}
	}
	if l.Spaces > 0 {
		env.Note("spaces in %s became %s", index.Plural(l.Spaces, "field"), c.Spaces)
	}
	if left := l.LeftOut(); left != "" {
		env.Note("left out, as %s has no place for it: %s", c.To, left)
	}
}

// print prints the trees of a source, and returns how many there are.
func (c *CatCommand) print(from index.Source, in *read.Inputs, out io.Writer, p *print.Printer, syms *index.Symbols) (n uint64, err error) {
	var t index.Tree
	var text []byte
	for {
		err := from.Next(&t)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if t.Kind != p.Format.Kind {
			file, _ := in.Where()
			return n, index.Usagef("--to %s: %s has %s trees, which print as %s", p.Format.Name, file, t.Kind, read.FormatNames(t.Kind))
		}
		text, err = p.Append(text[:0], &t, syms)
		if unfit := (*print.PrintError)(nil); errors.As(err, &unfit) {
			if err := in.Refuse(&t, err.Error()); err != nil {
				return n, err
			}
			continue
		}
		if err != nil {
			return n, err
		}
		if in.Named() {
			p.LeaveOutID(&t)
		}
		if _, err := out.Write(text); err != nil {
			return n, err
		}
		n++
	}
}
