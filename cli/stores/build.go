// Package stores has the commands that make, describe and maintain stores.
package stores

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/store"
)

// BuildCommand is the command `build`. It makes a store from treebanks.
type BuildCommand struct {
	Store  string   `arg:"" predictor:"store" help:"The directory to make."`
	Inputs []string `arg:"" name:"input" predictor:"file" help:"Treebanks: files, folders, globs, or - for standard input."`

	BuildFlags `embed:""`

	Overwrite bool `xor:"existing" help:"Replace an existing store."`
	Append    bool `xor:"existing,resume" help:"Add to an existing store, whose spaces and limits stay."`

	Resume bool `xor:"resume" help:"Go on from what an interrupted or killed run with the same inputs and options has left; leave that again if interrupted. Not with --append."`

	command.ErrorFlags `embed:"" group:"Reading input:"`
	Workers            int              `placeholder:"N" help:"Goroutines (default: one a core)."`
	Memory             command.ByteSize `placeholder:"SIZE" help:"Memory to stay within, such as 64MiB or 1GB; the result is the same."`
}

// BuildFlags and the inputs determine what a store contains. The command `cluster` has these flags too.
type BuildFlags struct {
	Space        []command.SpaceArg `sep:"none" predictor:"space" placeholder:"NAME[:OPTIONS]" help:"Fragment space to store; repeatable. Options of one space as in stk:max-order=3 (default: stk for brackets, dep for dependencies)."`
	MinSupport   *uint32            `placeholder:"N" help:"Store fragments that occur in at least this many samples (default: 2)."`
	MaxOrder     *int               `placeholder:"R" help:"Store fragments of at most this many building blocks; 0 is any (default: 5)."`
	Closed       *bool              `help:"Store only fragments that no larger one covers."`
	MaxFragments command.Amount     `default:"50M" help:"Stop where there would be more; 0 is any number."`

	command.LabelFlags    `embed:"" group:"Labels and documents:"`
	command.DocumentFlags `embed:"" group:"Labels and documents:"`
	command.InputFlags    `embed:"" group:"Reading input:"`
	Gold                  string `group:"Reading input:" placeholder:"FILE" predictor:"file" help:"The inputs are K-best lists, and FILE has their gold trees: of each list the candidate with the gold tree's structure is marked; where there is none, the gold tree is added."`
	Tags                  string `group:"Reading input:" enum:",majority,own" default:"" placeholder:"WHOSE" help:"${build_tags_help}"`

	OnError string `group:"Reading input:" enum:"stop,skip" default:"stop" help:"What a bad tree does: stop, or skip (it is left out, counted and listed)."`
}

func (*BuildCommand) Help() string {
	return `Reads treebanks, and stores every fragment of the chosen spaces with the samples it occurs in. The same input and options give the same store, whatever --workers and --memory.

A new store is built in the directory STORE, also beside the one that --overwrite replaces, and counts once it is whole: until then readers, and a run that is killed, see the old one or none. Who reads the old one goes on with it. ^C removes what was built unless --resume is given; a run that was killed leaves it, and a run with --resume goes on from there: from the samples, once all are read, and from each part of the fragments that is grown. Any other run that writes to STORE removes it. Nothing beside STORE is ever touched; where STORE is a link, the link stays.

` + command.InputLimits + `

` + command.CommentRule + `

The spaces, and the options that stand behind the name, as in dep:siblings=adjacent,root-arcs=true, with the default in brackets:

` + spaces.Describe() + `

Example:

    fstore build demo.store 'news/*.mrg' recipes.mrg.gz --label-from file
    fstore build demo.store more.mrg --append
`
}

func (c *BuildCommand) Validate() error {
	return errors.Join(c.BuildFlags.Check(), command.NotNegative("workers", c.Workers), c.ErrorFlags.Check(c.OnError))
}

// Check returns an error if two flags contradict each other or a value is wrong.
func (c *BuildFlags) Check() error {
	switch {
	case c.MinSupport != nil && *c.MinSupport == 0:
		return errors.New("--min-support: at least 1")
	case c.MaxOrder != nil && *c.MaxOrder < 0:
		return command.NotNegative("max-order", *c.MaxOrder)
	}
	if c.Tags != "" && c.Gold == "" {
		return errors.New("--tags needs --gold")
	}
	return errors.Join(c.LabelFlags.Check(), c.InputFlags.Check())
}

func (c *BuildCommand) Run(ctx context.Context, env *command.Env) error {
	defer command.Frugal()()
	if err := c.CheckLimits(); err != nil {
		return err
	}
	if err := NotInStore(c.Store); err != nil {
		return err
	}
	log, err := env.SideLog(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	var in *read.Inputs
	var notes []string // notes about labels
	o := c.options(env)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		io := c.InputOptions(ctx, env, s)
		io.SkipLog = log
		io.OnNote = func(line string) { notes = append(notes, line) }
		var err error
		in, err = read.Open(command.ExpandGlobs(c.Inputs), io)
		return in, err
	}
	o.Event = func() store.Event {
		event := env.Event(in.Read())
		event.Reading = c.InputFlags.Reading()
		return event
	}
	result, err := builder.Run(ctx, c.Store, o)
	env.Progress.Close()
	if in != nil {
		err = errors.Join(err, in.Close())
		env.Refused(&in.Refusals, "left out", c.ErrorLog)
	}
	switch err = command.TooMany(err, "--min-support"); {
	case errors.Is(err, store.ErrExists):
		err = fmt.Errorf("%w: --append adds to it, --overwrite replaces it", err)
	case errors.Is(err, builder.ErrNotResumable):
		err = fmt.Errorf("%s: %w: a run without --resume begins anew", c.Store, err)
	}
	if err != nil {
		return err
	}
	Decided(env, result, c.Append)
	env.CompareReading(result.Meta, &c.InputFlags)
	if err := env.Labelled(c.Store, notes); err != nil {
		return err
	}
	return log.Commit()
}

// NotInStore returns an error if dir is inside of a store.
func NotInStore(dir string) error {
	if above := output.StoreAbove(dir, read.IsStore); above != "" {
		return index.Usagef("%s is in the store %s: make it elsewhere", dir, above)
	}
	return nil
}

// InputOptions returns the options for reading the inputs of a build.
func (c *BuildFlags) InputOptions(ctx context.Context, env *command.Env, s *index.Symbols) read.InputOptions {
	o := env.InputOptions(ctx, &c.InputFlags, &c.LabelFlags)
	o.Symbols, o.Gold, o.DocumentFrom = s, c.Gold, c.DocumentFrom
	o.Tags = cmp.Or(read.Tags(c.Tags), read.TagsMajority)
	o.Skip = c.OnError == "skip"
	return o
}

// Choice returns the spaces whose fragments are stored, with their limits.
func (c *BuildFlags) Choice() builder.Choice {
	o := builder.Choice{MinSupport: c.MinSupport, MaxOrder: c.MaxOrder, Closed: c.Closed}
	for _, s := range c.Space {
		o.Spaces = append(o.Spaces, s.Request)
	}
	return o
}

func (c *BuildCommand) options(env *command.Env) builder.Options {
	o := builder.Options{
		FS:           env.FS,
		Spaces:       c.Choice(),
		MaxFragments: uint64(c.MaxFragments), Workers: c.Workers, Memory: int64(c.Memory),
		Resume: c.Resume, ResumeKey: c.key(), Progress: env.Progress,
	}
	switch {
	case c.Append:
		o.Mode = store.Append
	case c.Overwrite:
		o.Mode = store.Overwrite
	}
	return o
}

// CheckLimits returns an error if a limit has no effect because each --space has its own.
func (c *BuildFlags) CheckLimits() error {
	for _, limit := range []struct {
		flag string
		set  bool
		own  func(s *command.SpaceArg) bool
	}{
		{"min-support", c.MinSupport != nil, func(s *command.SpaceArg) bool { return s.MinSupport != nil }},
		{"max-order", c.MaxOrder != nil, func(s *command.SpaceArg) bool { return s.MaxOrder != nil }},
		{"closed", c.Closed != nil, func(s *command.SpaceArg) bool { return s.Closed != nil }},
	} {
		some := slices.ContainsFunc(c.Space, func(s command.SpaceArg) bool { return !limit.own(&s) })
		if limit.set && len(c.Space) > 0 && !some {
			return index.Usagef("--%s has no effect here: each --space has its own", limit.flag)
		}
	}
	return nil
}

// key returns a text with all flags that determine what the store contains. With --resume, a run can continue
// only a run with the same key.
func (c *BuildCommand) key() string {
	k := *c
	k.Store, k.Space, k.Workers, k.Memory = "", nil, 0, 0
	k.Resume, k.Overwrite, k.ErrorFlags = false, false, command.ErrorFlags{}
	var chosen []any
	for _, s := range c.Space {
		chosen = append(chosen, spaces.RecordID(s.Request.Space.ID()), s.Request.MinSupport, s.Request.MaxOrder, s.Request.Closed)
	}
	b, err := json.Marshal([]any{k, k.LabelFlags, k.InputFlags, chosen})
	if err != nil {
		panic(err) // no error is possible: flags are numbers and strings
	}
	return string(b)
}

// Decided prints what a build, or a build with --append, has done.
func Decided(env *command.Env, r *builder.Result, added bool) {
	all := r.Meta.Samples
	if added {
		env.Note("%s added, %d in all", index.Plural(r.Added, "sample"), all)
	} else {
		env.Note("%s", index.Plural(all, "sample"))
	}
	lists := r.Meta.Lists
	if inLists := lists.Candidates + lists.GoldAdded; inLists > 0 && inLists < uint64(all) {
		env.Warn("the store has %s of K-best lists and %s of no list: rerankers learn from the lists alone, and support counts each candidate",
			index.Plural(lists.Candidates, "candidate"), index.Plural(uint64(all)-inLists, "sample"))
	}
	if len(r.Meta.Spaces) == 0 {
		env.Note("there is no space for %s trees yet: the store holds the samples only", r.Meta.Kind)
		return
	}
	env.Note("%s", r.Meta.History[len(r.Meta.History)-1].Decided)
}
