package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fstore/cli/command"
	"fstore/cli/number"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/gram"
	"fstore/mine/query"
	"fstore/store"
)

// KernelCommand is the command kernel. It computes the kernel of each pair of trees.
type KernelCommand struct {
	Input  string `arg:"" predictor:"file" help:"A treebank, or - for standard input."`
	Input2 string `arg:"" optional:"" name:"input2" predictor:"file" help:"A second one: kernels between the two."`

	Space               command.SpaceArg `predictor:"space" placeholder:"NAME[:OPTIONS]" help:"The kernel (default: stk, or that of --selection)."`
	Store               string           `and:"selected" predictor:"store" placeholder:"STORE" help:"The store that has --selection."`
	Selection           string           `and:"selected" placeholder:"SEL" help:"The kernel runs over the fragments of this selection only."`
	Lambda              float64          `default:"0.4" help:"The decay."`
	Normalize           string           `enum:"none,kernel" default:"none" help:"Of --format libsvm, whose values are the kernel's: none, or kernel, the normalized values."`
	Columns             []string         `placeholder:"NAME" help:"Only these of kernel and normalized, beside i and j."`
	command.LabelFlags  `embed:"" group:"Labels:"`
	command.InputFlags  `embed:"" group:"Reading input:"`
	Workers             int `placeholder:"N" help:"Goroutines (default: one a core)."`
	command.OutputFlags `embed:"" group:"Output:" set:"formats=As tables: table, tsv, csv, jsonl, xlsx; or libsvm, a precomputed matrix."`
}

func (*KernelCommand) Help() string {
	return `Prints i, j, the kernel and the normalized kernel of each pair, counted from 0; within one input i ≤ j. Inputs are read whole before the first value. A kernel that no float64 holds is left empty, its normalized value printed all the same, and the exit code is 1.

With --selection, the kernel is the dot product of the vectors over the selection's fragments, with the values that the space gives them (Suzuki & Isozaki 2005): over a selection of everything, the kernel itself.

With --format libsvm a line is a sample of INPUT: its label, 0:i, and its kernel with each sample of INPUT2, or of INPUT.

Example:

    fstore kernel trees.mrg --lambda 0.4
    fstore kernel test.mrg train.mrg --format libsvm --label-from file -o test.libsvm
    fstore kernel trees.mrg --store demo.store --selection strong
`
}

func (c *KernelCommand) Validate() error {
	if c.Selection != "" && c.Space.Space != nil {
		return errors.New("--space: that of --selection is taken")
	}
	for _, name := range c.Columns {
		if name != "kernel" && name != "normalized" {
			return fmt.Errorf("--columns: %q is neither kernel nor normalized", name)
		}
	}
	return errors.Join(command.CheckLambda(c.Lambda), command.NotNegative("workers", c.Workers), c.LabelFlags.Check(), c.InputFlags.Check())
}

type matrix struct {
	c      *KernelCommand
	gram   gram.Matrix
	a, b   []any // trees of the two inputs; b is nil if there is only one input
	labels []string
	more   []string // labels of b
}

func (c *KernelCommand) Run(ctx context.Context, env *command.Env) error {
	_, terminal := command.TerminalOf(env.Stdout)
	formats := append(table.OutputFormats(), output.Format{Name: "libsvm", Extensions: []string{"svmlight"}})
	format, err := output.Pick(formats, c.Format, c.Out, table.Fallback(terminal), terminal)
	if err != nil {
		return err
	}
	if format != "libsvm" && c.Normalize != "none" {
		return index.Usagef("--normalize is for --format libsvm: tables have both values")
	}
	if format == "libsvm" && len(c.Columns) > 0 {
		return index.Usagef("--columns is for tables: --format libsvm has the value that --normalize says")
	}
	if format != "libsvm" && c.LabelFlags != (command.LabelFlags{}) {
		return index.Usagef("--label, --label-from, --label-match and --labels-file are for --format libsvm: tables have no labels")
	}
	c.Format = format
	m := &matrix{c: c}
	if err := m.open(ctx, env); err != nil {
		return err
	}
	if format == "libsvm" {
		return m.libsvm(ctx, env)
	}
	return m.table(ctx, env)
}

// open reads the inputs. It needs the store of --selection only while it reads.
func (m *matrix) open(ctx context.Context, env *command.Env) error {
	c := m.c
	r := &gram.Reader{Space: c.Space.Request, Symbols: index.NewSymbols(), Lambda: c.Lambda}
	if c.Selection != "" {
		return env.WithStore(c.Store, 0, func(s *store.Store) error { return m.selected(ctx, env, s, r) })
	}
	if r.Space.Space == nil {
		var err error
		if r.Space, err = spaces.Parse(spaces.Default(index.Constituency)); err != nil {
			return err
		}
	}
	return m.read(ctx, env, r)
}

// selected reads the inputs for a kernel over the fragments of the selection.
func (m *matrix) selected(ctx context.Context, env *command.Env, s *store.Store, r *gram.Reader) (err error) {
	sel, err := query.OpenSelection(s, m.c.Selection)
	if err != nil {
		return err
	}
	if r.Space, err = spaces.Parse(sel.Space.ID()); err != nil {
		return err
	}
	x, err := sel.OpenExpansion()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	r.Symbols = syms.Overlay()
	r.Restrict(x, s.Meta())
	return m.read(ctx, env, r)
}

func (m *matrix) read(ctx context.Context, env *command.Env, r *gram.Reader) (err error) {
	c := m.c
	m.gram = r.Gram(c.Workers)
	o := env.InputOptions(ctx, &c.InputFlags, &c.LabelFlags)
	o.Symbols = r.Symbols
	o.LabelsContinue = c.Input2 != ""
	var before *read.Inputs
	read := func(name string) ([]any, []string, error) {
		in, err := read.Open([]string{name}, o)
		if err != nil {
			return nil, nil, err
		}
		defer in.Close()
		if before != nil {
			in.ContinueLabels(before)
		}
		before = in
		in.KnowLabels(m.labels)
		return r.Read(ctx, in)
	}
	if m.a, m.labels, err = read(c.Input); err != nil || c.Input2 == "" {
		return err
	}
	if c.Input == "-" && c.Input2 == "-" {
		return index.Usagef(`"-" twice: standard input can be read once`)
	}
	o.LabelsOptional = true // the samples of the first input have labels
	o.LabelsContinue = false
	m.b, m.more, err = read(c.Input2)
	return err
}

// pairs calls f for each pair of trees and shows the progress.
func (m *matrix) pairs(ctx context.Context, env *command.Env, f func(i, j int, k index.Number, normalized float64) error) error {
	n, columns := int64(len(m.a)), int64(len(m.b))
	total := n * columns
	switch {
	case m.b == nil && m.gram.Full:
		total = n * n
	case m.b == nil:
		total = n * (n + 1) / 2
	}
	env.Progress.Step("kernel", "pairs", total)
	row, done := 0, int64(0)
	err := m.gram.Pairs(ctx, m.a, m.b, func(i, j int, k index.Number, x float64) error {
		if done++; i != row {
			env.Progress.Add(done)
			row, done = i, 0
		}
		return f(i, j, k, x)
	})
	env.Progress.Close()
	return err
}

func (m *matrix) table(ctx context.Context, env *command.Env) error {
	columns := []table.Column{{Name: "i", Kind: table.Uint}, {Name: "j", Kind: table.Uint}}
	names := m.c.Columns
	if len(names) == 0 {
		names = []string{"kernel", "normalized"}
	}
	for _, name := range names {
		columns = append(columns, table.Column{Name: name, Kind: table.Float})
	}
	kernel, normalized := table.Index(columns, "kernel"), table.Index(columns, "normalized")
	over := 0 // number of values too large for a float64
	err := env.WriteTable(m.c.OutputFlags, columns, nil, func(row *table.Row, write func() error) error {
		return m.pairs(ctx, env, func(i, j int, k index.Number, n float64) error {
			row.SetUint(0, uint64(i))
			row.SetUint(1, uint64(j))
			if x := k.Float(); kernel >= 0 && math.IsInf(x, 0) {
				over++
			} else if kernel >= 0 {
				row.SetFloat(kernel, x)
			}
			if normalized >= 0 {
				row.SetFloat(normalized, n)
			}
			return write()
		})
	})
	if err == nil && over > 0 {
		err = fmt.Errorf("%s too large for a float64: --columns normalized asks for the normalized ones only", index.Plural(over, "kernel value"))
	}
	return err
}

func (m *matrix) libsvm(ctx context.Context, env *command.Env) error {
	out, err := env.OpenText("-o", m.c.Out, "a kernel matrix of LIBSVM")
	if err != nil {
		return err
	}
	defer out.Abort()
	numbers := read.NumberLabels(slices.Concat(m.labels, m.more)...)
	m.gram.Full = true
	var line []byte
	unlabelled := uint64(0)
	columns := len(m.b)
	if m.b == nil {
		columns = len(m.a)
	}
	err = m.pairs(ctx, env, func(i, j int, k index.Number, x float64) error {
		if j == 0 {
			label, err := numbers.Numbers(m.labels[i], "")
			if err != nil {
				return err
			}
			if label == numbers.None {
				unlabelled++
			}
			line = fmt.Appendf(line[:0], "%s 0:%d", label, i+1)
		}
		if m.c.Normalize == "none" {
			x = k.Float()
		}
		if math.IsInf(x, 0) {
			return fmt.Errorf("the kernel of %d and %d is too large for a float64: --normalize kernel", i, j)
		}
		line = number.AppendFloat(fmt.Appendf(line, " %d:", j+1), x)
		if j < columns-1 {
			return nil
		}
		_, err := out.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	env.Numbered(numbers)
	env.Unlabelled(unlabelled, uint64(len(m.labels)), numbers)
	return out.Commit()
}
