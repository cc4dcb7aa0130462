package trees

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/paired"
)

// CompareCommand is the command `compare`. It compares the trees of two systems with gold trees.
type CompareCommand struct {
	Gold string `arg:"" predictor:"file" help:"Gold trees: a file, or - for standard input."`
	A    string `arg:"" name:"A" predictor:"file" help:"Trees of one system, for the same sentences in the same order."`
	B    string `arg:"" name:"B" predictor:"file" help:"Trees of the other."`

	command.ScoreFlags `embed:"" group:"Comparing:"`
	Test               string `group:"Comparing:" enum:"randomization,bootstrap" default:"randomization" help:"Where pvalue comes from: randomization (Noreen 1989), or bootstrap (Efron & Tibshirani 1993), which also bounds the difference (default: ${default})."`
	Samples            int    `group:"Comparing:" default:"10000" help:"Of the test: swaps, or draws."`
	Seed               uint64 `group:"Comparing:" placeholder:"N" help:"Of the test."`

	command.InputFlags  `embed:"" group:"Reading input:"`
	command.OutputFlags `embed:"" group:"Output:"`
	Sentences           string `group:"Output:" placeholder:"FILE" predictor:"output" help:"Also write a row for each sentence to FILE, in the format of its extension."`
}

func (*CompareCommand) Help() string {
	return `Compares the trees of two parsers or rerankers, A and B, with gold trees and with each other: a row a measure, in percent, with B less A as the difference and the two-sided p-value of a paired test over sentences. The columns low and high bound the difference at 95 %, with --test bootstrap.

Of dependency trees the measures are UAS and LAS, as the scorers of CoNLL-X and CoNLL 2018 have them (--punct, --relations). Of constituency trees they are precision, recall and F1 of labelled brackets, as evalb has them, and F1 without labels; tags, and an outermost TOP, ROOT, S1 or VROOT, are no brackets. Other than in evalb, labels are compared whole (--strip-functions, --strip-traces), ADVP and PRT are two labels, and other words than the gold tree's are bad input.

--sentences writes what A and B have right in each sentence, and by how many errors B has less: arcs with another head, or brackets that are in one of two trees only.

Example:

    fstore compare gold.conllu parser.conllu reranked.conllu --punct unicode
    fstore compare gold.mrg a.mrg b.mrg --test bootstrap --seed 1 --sentences rows.xlsx
`
}

func (c *CompareCommand) Validate() error {
	if c.Samples < 1 {
		return errors.New("--samples: at least 1")
	}
	return c.InputFlags.Check()
}

func (c *CompareCommand) Run(ctx context.Context, env *command.Env) error {
	in, err := read.OpenComparison(c.Gold, c.A, c.B, env.InputOptions(ctx, &c.InputFlags, &command.LabelFlags{}), c.ScoreFlags.Options())
	if err != nil {
		return err
	}
	err = c.compare(ctx, env, in)
	return errors.Join(err, in.Close())
}

func (c *CompareCommand) compare(ctx context.Context, env *command.Env, in *read.Comparison) error {
	var a, b []treescore.Counts
	var kind index.Kind
	rows := &sentenceRows{file: c.Sentences, env: env}
	defer rows.abort()
	told := int64(0)
	_, total := in.Gold().Progress()
	env.Progress.Step("read", "bytes", total)
	var x read.Compared
	for {
		err := in.Next(&x)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if kind = x.Kind; len(a)&0xFF == 0 {
			done, _ := in.Gold().Progress()
			env.Progress.Add(done - told)
			told = done
		}
		a, b = append(a, x.A), append(b, x.B)
		if err := rows.write(&x); err != nil {
			return err
		}
	}
	env.Progress.Close()
	if kind == index.Constituency {
		if err := env.Needs("dependency trees", "relations"); err != nil {
			return err
		}
	}
	measures := command.TreeMeasures(kind)
	of := make([]func(treescore.Counts) float64, len(measures))
	for i, m := range measures {
		of[i] = m.Of
	}
	results, err := paired.Compare(ctx, a, b, of, paired.Options{Test: paired.Test(c.Test), Samples: c.Samples, Seed: c.Seed})
	if err != nil {
		return err
	}
	if err := c.print(env, measures, results); err != nil {
		return err
	}
	if err := rows.commit(); err != nil {
		return err
	}
	env.Note("%s: B is better in %s and worse in %s", index.Plural(len(a), "sentence"), index.Thousands(better(kind, a, b)), index.Thousands(better(kind, b, a)))
	return nil
}

// better returns the number of sentences in which b has fewer errors than a.
func better(k index.Kind, a, b []treescore.Counts) (n int) {
	for i := range a {
		if b[i].Cost(k) < a[i].Cost(k) {
			n++
		}
	}
	return n
}

func (c *CompareCommand) print(env *command.Env, measures []command.TreeMeasure, results []paired.Result) error {
	columns := []table.Column{{Name: "measure"}}
	for _, name := range []string{"A", "B", "difference", "low", "high", "pvalue"} {
		columns = append(columns, table.Column{Name: name, Kind: table.Float})
	}
	about := func(o *table.Options) {
		o.Caption = fmt.Sprintf("A %s, B %s; %s, %s, seed %d", c.A, c.B, c.Test, index.Plural(c.Samples, "sample"), c.Seed)
	}
	return env.WriteTable(c.OutputFlags, columns, about, func(row *table.Row, write func() error) error {
		for i, r := range results {
			row.SetString(0, measures[i].Name)
			for k, x := range []float64{100 * r.A, 100 * r.B, 100 * r.Difference, 100 * r.Low, 100 * r.High, r.PValue} {
				if !math.IsNaN(x) {
					row.SetFloat(k+1, x)
				}
			}
			if err := write(); err != nil {
				return err
			}
		}
		return nil
	})
}

// sentenceRows writes the table of --sentences. It opens the table at the first row, because the columns
// depend on the kind of the trees.
type sentenceRows struct {
	file string // "": no table
	env  *command.Env
	out  *command.Table
	row  *table.Row
}

// sentenceColumns are the columns between `sample` and `difference`: the gold tree's size, then measures of A
// and B.
var sentenceColumns = [...][]string{
	index.Constituency: {"gold", "brackets_A", "brackets_B", "unlabelled_A", "unlabelled_B", "labelled_A", "labelled_B"},
	index.Dependency:   {"words", "heads_A", "heads_B", "relations_A", "relations_B"},
}

func (s *sentenceRows) write(x *read.Compared) (err error) {
	if s.file == "" {
		return nil
	}
	if s.out == nil {
		columns := []table.Column{{Name: "sample"}}
		for _, name := range sentenceColumns[x.Kind] {
			columns = append(columns, table.Column{Name: name, Kind: table.Uint})
		}
		columns = append(columns, table.Column{Name: "difference", Kind: table.Int})
		s.row = table.NewRow(len(columns))
		if s.out, err = s.env.Table(command.OutputFlags{Out: s.file}, columns); err != nil {
			return err
		}
	}
	s.row.Clear()
	s.row.SetString(0, x.Sample)
	counts := []uint64{x.A.Gold, x.A.Unlabelled, x.B.Unlabelled, x.A.Labelled, x.B.Labelled}
	if x.Kind == index.Constituency {
		counts = []uint64{x.A.Gold, x.A.Predicted, x.B.Predicted, x.A.Unlabelled, x.B.Unlabelled, x.A.Labelled, x.B.Labelled}
	}
	for i, n := range counts {
		s.row.SetUint(i+1, n)
	}
	s.row.SetInt(len(counts)+1, int64(x.A.Cost(x.Kind))-int64(x.B.Cost(x.Kind)))
	return s.out.Write(s.row)
}

func (s *sentenceRows) commit() error {
	if s.out == nil {
		return nil
	}
	return s.out.Commit()
}

func (s *sentenceRows) abort() {
	if s.out != nil {
		s.out.Abort()
	}
}
