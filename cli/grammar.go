package cli

import (
	"errors"
	"io"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"fstore/cli/cluster"
	"fstore/cli/command"
	"fstore/cli/guide"
	"fstore/cli/learn"
	"fstore/cli/look"
	"fstore/cli/mining"
	"fstore/cli/python"
	"fstore/cli/serve"
	"fstore/cli/stores"
	"fstore/cli/trees"
	"fstore/mine/selection"
)

// grammar has all commands and flags, as kong reads them.
type grammar struct {
	globals

	Build      stores.BuildCommand    `cmd:"" help:"Make a store from treebanks."`
	Cluster    cluster.Command        `cmd:"" help:"Build one store in many tasks, on many machines."`
	Info       stores.InfoCommand     `cmd:"" help:"Say what a store holds."`
	Query      look.QueryCommand      `cmd:"" help:"List fragments, or show one."`
	Examples   look.ExamplesCommand   `cmd:"" help:"Show where a fragment occurs."`
	Count      look.CountCommand      `cmd:"" help:"Count constructions in the trees, stored as fragments or not."`
	Pattern    look.PatternCommand    `cmd:"" help:"Make patterns of chosen words, from general to special."`
	Collocates look.CollocatesCommand `cmd:"" help:"Say what fills the slots of a construction, against elsewhere or another construction."`
	Contrast   look.ContrastCommand   `cmd:"" help:"Compare two labels: which fragments set them apart."`
	Linearize  learn.LinearizeCommand `cmd:"" help:"Turn trees into sparse vectors over the fragments of a store."`
	Mine       mining.MineCommand     `cmd:"" help:"Select fragments, with proof that none is missed."`
	Select     mining.SelectCommand   `cmd:"" help:"Make a selection of a selection."`
	Kernel     learn.KernelCommand    `cmd:"" help:"Compute tree kernels."`
	Train      learn.TrainCommand     `cmd:"" help:"Train a model on the samples of a store."`
	Predict    learn.PredictCommand   `cmd:"" help:"Predict the labels of trees with a model."`
	Compare    trees.CompareCommand   `cmd:"" help:"Compare two parsers' or rerankers' trees with gold trees, and test the difference."`
	Export     learn.ExportCommand    `cmd:"" help:"Write a selection to a file."`
	Import     learn.ImportCommand    `cmd:"" help:"Take a selection, a list of fragments, or a model that another program has made into a store."`
	Verify     stores.VerifyCommand   `cmd:"" help:"Recount everything in a store from its trees."`
	Remove     stores.RemoveCommand   `cmd:"" help:"Take samples out of a store."`
	Reindex    stores.ReindexCommand  `cmd:"" help:"Make the expansion indexes of a store anew."`
	Cat        trees.CatCommand       `cmd:"" help:"Print treebanks in another format."`
	Draw       trees.DrawCommand      `cmd:"" help:"Draw a tree or a fragment."`
	Python     python.PythonCommand   `cmd:"" help:"Print a Python class that makes vectors of trees, for scikit-learn."`
	Serve      serve.ServeCommand     `cmd:"" help:"Show stores to a browser, on this machine."`
	Guide      guide.GuideCommand     `cmd:"" help:"Show a guide: what to do, with the output of each command."`
	Completion completionCommand      `cmd:"" help:"Print a script that completes command lines."`
	Man        manCommand             `cmd:"" help:"Print the manual page."`
	VersionCmd versionCommand         `cmd:"" name:"version" help:"Print the version."`
}

// globals are the flags that every command has.
type globals struct {
	Help    helpFlag    `short:"h" help:"Show help."`
	Version versionFlag `help:"Print the version."`
	Quiet   bool        `short:"q" help:"No progress and no closing line; errors are still printed."`

	Progress string `enum:"auto,json" default:"auto" help:"How far a long run is, on standard error: auto is a bar on a terminal and a line now and then elsewhere, json an object a line for programs (stage, unit, done, total, seconds, rate, left)."`
	LogFile  string `placeholder:"FILE" predictor:"output" help:"Write all that is said on standard error to FILE too, with the time, and each stage of the run. An old FILE is replaced."`
}

const description = `An embedded database of tree fragments: it finds the constructions that tell corpora or classes apart, and turns parse trees into sparse vectors that can be read.

Data goes to standard output or to -o FILE, everything else to standard error. An INPUT is a file (.gz .zst .bz2 .xz as they are), a folder, which is all files in it that can be read, a glob, or - for standard input. An argument or flag value @FILE is read from FILE, less a line break at its end; one that really begins with @ is written @@.`

// tablesHelp is help text that lists the table formats. The texts that use it add parquet at the end.
const tablesHelp = "table (aligned; on a terminal unless given), tsv (elsewhere), csv, jsonl (one object a line), xlsx, arrow (the IPC file), arrows (its stream)"

// errPrinted ends a run that has printed the help or the version.
var errPrinted = errors.New("printed")

// newParser builds the parser. If args begin with a command, it builds only this command, because building
// all takes some 8 ms.
func newParser(g *grammar, w io.Writer, args []string) *kong.Kong {
	options := []kong.Option{
		kong.Name("fstore"),
		kong.Description(description),
		kong.Vars{
			"formats":     tablesHelp + " or parquet.",
			"tables":      tablesHelp + ", parquet",
			"learners":    strings.Join(learn.Trainable(), ","),
			"objectives":  strings.Join(selection.Objectives(), ","),
			"corrections": strings.Join(selection.Corrections(), ","),
		},
		command.Texts, stores.Texts, look.Texts, learn.Texts, mining.Texts,
		kong.Writers(w, w),
		kong.NoDefaultHelp(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.PostBuild(func(k *kong.Kong) error {
			k.Model.HelpFlag = k.Model.Flags[0]
			return nil
		}),
	}
	for _, kind := range []reflect.Kind{reflect.String, reflect.Int, reflect.Int64, reflect.Uint32, reflect.Uint64, reflect.Float64} {
		options = append(options, kong.KindMapper(kind, kong.MapperFunc(command.DecodeArgument)))
	}
	if len(args) > 0 && args[0] != manName {
		if c := commandNamed(g, args[0]); c != nil {
			return kong.Must(&g.globals, append(options, c)...)
		}
	}
	return kong.Must(g, options...)
}

// manName is the name of the command `man`. Its page lists all commands, so the parser needs all of them.
const manName = "man"

// commandNamed returns the option that adds the command with this name to a parser, or nil if there is none.
func commandNamed(g *grammar, name string) kong.Option {
	v := reflect.ValueOf(g).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if _, ok := field.Tag.Lookup("cmd"); !ok {
			continue
		}
		own := field.Tag.Get("name")
		if own == "" {
			own = strings.ToLower(field.Name)
		}
		if own == name {
			return kong.DynamicCommand(name, field.Tag.Get("help"), "", v.Field(i).Addr().Interface())
		}
	}
	return nil
}

// helpFlag prints help for the command that it is given with.
type helpFlag bool

// BeforeReset runs before kong reports missing arguments, so that --help needs no other arguments.
func (helpFlag) BeforeReset(ctx *kong.Context) error {
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	return errPrinted
}

type versionFlag bool

func (versionFlag) BeforeReset(ctx *kong.Context) error {
	if _, err := io.WriteString(ctx.Stdout, versionLine()); err != nil {
		return err
	}
	return errPrinted
}
