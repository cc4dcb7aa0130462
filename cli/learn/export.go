package learn

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/decode/models"
	"fstore/index"
	"fstore/mine/exchange"
	"fstore/store"
)

// ExportCommand is the command `export`. It writes a selection or a model to a file.
type ExportCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`
	Name  string `arg:"" help:"A selection, or a model."`
	File  string `arg:"" optional:"" predictor:"output" help:"The file, which appears whole or not at all; - is standard output."`

	Out       string `name:"output" short:"o" placeholder:"FILE" predictor:"output" help:"The file, as elsewhere: in the place of the argument."`
	LIBLINEAR bool   `name:"liblinear" group:"Models:" help:"Write a linear model as a model file of LIBLINEAR (default: as a table of weights)."`
	Positive  string `group:"Models:" placeholder:"LABEL" help:"Write the kernel machine of LABEL, where the model has several."`
}

func (*ExportCommand) Help() string {
	return `Writes a selection as one file of text: a header with its space, its options and its columns, then a fragment a line. import reads it into any store.

A model is written as other programs have it, and as import reads it back, to decide alike. A linear model becomes a table, lines of id, tab, class, tab, weight, in which id 0 is the bias, or with --liblinear a model file of LIBLINEAR, whose classes are the labels' numbers; ids are those of linearize, with the options that are printed, which import needs too. A kernel machine over svmtk or klp trees becomes a model file of SVM-Light-TK, where its kernel is st, stk, sstbow or ptk: it tells +1, the label of the machine, from -1, and what perceptrons vote is averaged.

Example:

    fstore export demo.store strong strong.fst
    fstore import other.store strong.fst --name strong
    fstore export demo.store l weights.tsv
    fstore export demo.store m model.svmlighttk --positive news
`
}

func (c *ExportCommand) Validate() error {
	switch {
	case c.File == "" && c.Out == "":
		return errors.New("expected a FILE to write to; - is standard output")
	case c.File != "" && c.Out != "":
		return errors.New("FILE and -o: not both")
	}
	return nil
}

func (c *ExportCommand) Run(ctx context.Context, env *command.Env) error {
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		model := s.Meta().Model(c.Name)
		out, err := c.open(env, model)
		if err != nil {
			return err
		}
		defer out.Abort()
		switch {
		case model != nil:
			err = models.ExportModel(out, s, c.Name, models.ExportOptions{LIBLINEAR: c.LIBLINEAR, Positive: c.Positive})
		case c.LIBLINEAR || c.Positive != "":
			err = index.Usagef("--liblinear and --positive are of models, and the store has none of the name %s", c.Name)
		case s.Meta().Selection(c.Name) == nil:
			err = noName(s.Meta(), c.Name)
		default:
			err = exchange.Export(ctx, s, c.Name, out)
		}
		if err != nil {
			return err
		}
		if err := out.Commit(); err != nil || model == nil || model.Kernel != "" {
			return err
		}
		env.Note("ids are those of: linearize %s", featureOptions(model))
		return nil
	})
}

// open opens the output for the given model. If model is nil, a selection is exported.
func (c *ExportCommand) open(env *command.Env, model *store.ModelInfo) (output.Sink, error) {
	flag, file := "FILE", c.File+c.Out // one of the two is ""
	if c.Out != "" {
		flag = "-o"
	}
	holds, extensions := "a model file of SVM-Light-TK", []string(nil)
	withTabs := []string{"tsv"}
	switch {
	case model == nil:
		holds, extensions = "a selection for import; query --selection "+c.Name+" -o FILE writes a table", withTabs
	case model.Kernel == "" && c.LIBLINEAR:
		holds = "a model file of LIBLINEAR"
	case model.Kernel == "":
		holds, extensions = "a table of weights with tabs", withTabs
	}
	return env.OpenText(flag, file, holds, extensions...)
}

func noName(m *store.Meta, name string) error {
	var selections, models []string
	for i := range m.Selections {
		selections = append(selections, m.Selections[i].Name)
	}
	for i := range m.Models {
		models = append(models, m.Models[i].Name)
	}
	list := func(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }
	return index.Usagef("the store has no selection and no model %s: selections %s; models %s", name, list(selections), list(models))
}

// featureOptions returns text with the flags for linearize that make the vectors of a linear model.
func featureOptions(m *store.ModelInfo) string {
	of := "--space " + m.Settings["space"]
	if m.Selection != "" {
		of = "--selection " + m.Selection
	}
	weight, normalize := m.Settings["weight"], m.Settings["normalize"]
	of += " --weight " + weight
	if normalize != "" {
		of += " --normalize " + normalize
	}
	if usesLambda(weight, normalize) {
		of += " --lambda " + m.Settings["lambda"]
	}
	return of
}
