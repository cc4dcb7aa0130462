// Package cluster has the commands that build one store in many tasks, see package mine/cluster.
package cluster

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/stores"
	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/cluster"
	"fstore/store"
)

// Command is the command `cluster`. Its subcommands do the tasks of a job.
type Command struct {
	Init   initCommand   `cmd:"" help:"Begin a job in the directory WORK, or go on with the same one."`
	Read   readCommand   `cmd:"" help:"Task I of those that read: the samples of part I."`
	Plan   planCommand   `cmd:"" help:"The task between: one table of symbols, and ranges that take about the same time."`
	Grow   growCommand   `cmd:"" help:"Task J of those that grow: the fragments of range J."`
	Commit commitCommand `cmd:"" help:"The last task: make the store."`
	Status statusCommand `cmd:"" help:"List what is missing."`
	Script scriptCommand `cmd:"" help:"Print the job for Slurm, Kubernetes or make."`
}

func (*Command) Help() string {
	return `Builds one store in many tasks, on the site's own scheduler. A task is a process; all share the directory WORK, and nothing else. Each writes one file with a checksum, or none: it may run again, twice at once, late, and on any machine that sees WORK and the inputs. The result is the store that one build makes. fstore guide many-machines shows it.

Example:

    fstore cluster init work 'news/*.mrg' --parts 8 --ranges 8 --min-support 16
    fstore cluster script work news.store --engine make > Makefile
    make -j 8
`
}

// readCommand is the task that reads one part of the inputs.
type readCommand struct {
	work
	Part               int `arg:"" help:"Which part, from 1."`
	command.ErrorFlags `embed:"" group:"Reading input:"`
}

func (*readCommand) Help() string {
	return `Reads part I of the inputs: its samples, with symbols of their own.

Example:

    fstore cluster read work 3
`
}

func (c *readCommand) Run(ctx context.Context, env *command.Env) error {
	defer command.Frugal()()
	j, err := c.open(env, effort{})
	if err != nil {
		return err
	}
	if err := c.Check(j.flags.OnError); err != nil {
		return err
	}
	log, err := env.SideLog(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	var in *partSource
	samples, wrote, err := j.Read(ctx, c.Part, cluster.Reading{
		Open: func(of *cluster.Job, part int, s *index.Symbols) (cluster.Source, error) {
			o := j.flags.InputOptions(ctx, env, s)
			o.SkipLog = log
			in, err = openPart(ctx, of, part, o)
			if err != nil {
				return nil, err
			}
			return in, nil
		},
		Missing: func(err error) (string, string) { return labelsMissing(err, j.Job) },
	})
	env.Progress.Close()
	var bad *index.InputError
	if errors.As(err, &bad) { // perhaps the file has changed since init
		err = cmp.Or(unchanged(ctx, j.Job, c.Part, true), err)
	}
	if in != nil {
		in.TakeBack(bad)
		env.Refused(&in.Refusals, "left out", c.ErrorLog)
	}
	if err != nil {
		return err
	}
	if !wrote {
		env.Note("part %d is there already", c.Part)
	} else if in == nil {
		env.Note("part %d has no inputs", c.Part)
	} else {
		env.Note("part %d: %s", c.Part, index.Plural(samples, "sample"))
	}
	return log.Commit()
}

// labelsMissing returns the option that found no labels or documents in a part, and its message. If err must
// end the task, both are "".
func labelsMissing(err error, j *cluster.Job) (option, text string) {
	full := 0
	for _, pieces := range j.Parts {
		if len(pieces) > 0 {
			full++
		}
	}
	var e *read.OptionError
	if full > 1 && errors.As(err, &e) && slices.Contains([]string{"label-from", "label-match", "document-from"}, e.Option) {
		return e.Option, e.Error()
	}
	return "", ""
}

// partSource reads the samples of a part.
type partSource struct{ *read.Inputs }

func openPart(ctx context.Context, j *cluster.Job, part int, o read.InputOptions) (*partSource, error) {
	if err := unchanged(ctx, j, part, false); err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range j.Parts[part-1] {
		paths = append(paths, j.Inputs[p.Input].Path)
		o.Pieces = append(o.Pieces, read.Piece{From: p.From, To: p.To, Lines: p.Lines, Sentences: p.Sentences, Format: p.Format})
	}
	in, err := read.Open(paths, o)
	if err != nil {
		return nil, err
	}
	return &partSource{in}, nil
}

// Pieces implements cluster.Source.
func (s *partSource) Pieces() (all []cluster.PieceRead) {
	for _, r := range s.Read() {
		all = append(all, cluster.PieceRead{Path: r.Path, Bytes: r.Bytes, Hash: r.Hash, Raw: r.Raw, Sentences: r.Samples + r.Refused})
	}
	return all
}

// planCommand is the task between reading and growing.
type planCommand struct{ work }

func (*planCommand) Help() string {
	return `Merges the symbols of all parts, in the order in which one build sees them, numbers the samples, and divides the fragments of each space into ranges that take about the same time, by growing some of the trees.

Example:

    fstore cluster plan work
`
}

func (c *planCommand) Run(ctx context.Context, env *command.Env) error {
	defer command.Frugal()()
	j, err := c.open(env, effort{})
	if err != nil {
		return err
	}
	wrote, err := j.Plan(ctx, func(label string) (float64, bool) { return format.Decimal([]byte(label)) })
	env.Progress.Close()
	if err == nil && !wrote {
		env.Note("the plan is there already")
	}
	return err
}

// taskGrowth is by how many bytes a small heap of a task may grow (see command.FrugalBy). It is small because
// many tasks run on one machine.
const taskGrowth = 32 << 20

// growCommand is the task that grows the fragments of one range.
type growCommand struct {
	work
	Range  int `arg:"" help:"Which range, from 1."`
	effort `embed:""`
}

func (*growCommand) Help() string {
	return `Grows the fragments of range J of each space, over the samples of all parts.

Example:

    fstore cluster grow work 3 --memory 4GiB
`
}

func (c *growCommand) Run(ctx context.Context, env *command.Env) error {
	defer command.FrugalBy(taskGrowth)()
	j, err := c.open(env, c.effort)
	if err != nil {
		return err
	}
	wrote, err := j.Grow(ctx, c.Range)
	env.Progress.Close()
	switch err = command.TooMany(err, "--min-support"); {
	case err != nil:
		return err
	case !wrote:
		env.Note("range %d is there already", c.Range)
	default:
		env.Note("range %d is grown", c.Range)
	}
	return nil
}

// commitCommand is the last task. It makes the store.
type commitCommand struct {
	work
	Store   string `arg:"" predictor:"store" help:"The directory to make."`
	Workers int    `placeholder:"N" help:"Goroutines (default: one a core)."`
}

func (*commitCommand) Help() string {
	return `Makes the store from the files of the other tasks. If this job has made it before, nothing changes. WORK stays, but nothing needs it any more.

Example:

    fstore cluster commit work news.store && rm -r work
`
}

func (c *commitCommand) Run(ctx context.Context, env *command.Env) error {
	defer command.FrugalBy(taskGrowth)()
	j, err := c.open(env, effort{Workers: c.Workers})
	if err != nil {
		return err
	}
	if err := stores.NotInStore(c.Store); err != nil {
		return err
	}
	if output.StoreAbove(c.Store, c.isWork) != "" {
		return index.Usagef("%s is in the directory of the job: make it elsewhere", c.Store)
	}
	result, err := j.Commit(ctx, c.Store, func(inputs []store.Input) store.Event {
		event := env.Event(nil)
		event.Reading, event.Inputs = j.flags.Reading(), inputs
		return event
	})
	env.Progress.Close()
	if err = command.TooMany(err, "--min-support"); err != nil {
		return err
	}
	if result == nil {
		env.Note("%s is there already", c.Store)
		return nil
	}
	stores.Decided(env, result, false)
	return env.Labelled(c.Store, nil)
}
