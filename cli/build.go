package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"fstore/cli/output"
	"fstore/decode"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine"
	"fstore/store"
)

// buildCommand makes a store.
type buildCommand struct {
	Store  string   `arg:"" help:"The directory to make."`
	Inputs []string `arg:"" name:"input" predictor:"file" help:"Treebanks: files, folders, globs, or - for standard input."`

	Space        []spaceArg `sep:"none" predictor:"space" placeholder:"NAME[:OPTIONS]" help:"Fragment space to store; repeatable. Options of one space as in stk:max-order=3 (default: stk for brackets, dep for dependencies)."`
	MinSupport   *uint32    `placeholder:"N" help:"Store fragments that occur in at least this many samples (default: 2)."`
	MaxOrder     *int       `placeholder:"R" help:"Store fragments of at most this many building blocks; 0 is any (default: 5)."`
	Closed       *bool      `help:"Store only fragments that no larger one covers."`
	MaxFragments amount     `default:"50M" help:"Stop where there would be more; 0 is any number."`

	labelFlags `embed:"" group:"Labels and documents:"`
	inputFlags `embed:"" group:"Reading input:"`
	Gold       string `group:"Reading input:" placeholder:"FILE" predictor:"file" help:"The inputs are K-best lists, and FILE has their gold trees: of each list the candidate with the gold tree's structure is marked; where there is none, the gold tree is added."`
	Tags       string `group:"Reading input:" enum:",majority,own" default:"" placeholder:"WHOSE" help:"With --gold: the tags, lemmas and features of dependency trees: majority, those that most candidates of the list have, each counted as in the vote of predict (the default), or own, each tree's: gold trees may be known by theirs."`

	Overwrite bool `xor:"existing" help:"Replace an existing store."`
	Append    bool `xor:"existing,resume" help:"Add to an existing store, whose spaces and limits stay."`

	Resume bool `xor:"resume" help:"Go on from what an interrupted or killed run with the same inputs and options has left; leave that again if interrupted. Not with --append."`

	OnError    string `group:"Reading input:" enum:"stop,skip" default:"stop" help:"What a bad tree does: stop, or skip (it is left out, counted and listed)."`
	errorFlags `embed:"" group:"Reading input:"`
	Workers    int      `placeholder:"N" help:"Goroutines (default: one a core)."`
	Memory     byteSize `placeholder:"SIZE" help:"Memory to stay within, such as 64MiB or 1GB; the result is the same."`
}

// Help is kong's hook.
func (*buildCommand) Help() string {
	return `Reads treebanks, and stores every fragment of the chosen spaces with the samples it occurs in. The same input and options give the same store, whatever --workers and --memory.

A new store is built in the directory STORE, also beside the one that --overwrite replaces, and counts once it is whole: until then readers, and a run that is killed, see the old one or none. Who reads the old one goes on with it. ^C removes what was built unless --resume is given; a run that was killed leaves it, and a run with --resume goes on from there: from the samples, once all are read, and from each part of the fragments that is grown. Any other run that writes to STORE removes it. Nothing beside STORE is ever touched; where STORE is a link, the link stays.

` + inputLimits + `

` + commentRule + `

The spaces, and the options that stand behind the name, as in dep:siblings=adjacent,root-arcs=true, with the default in brackets:

` + spaces.Describe() + `

Example:

    fstore build demo.store 'news/*.mrg' recipes.mrg.gz --label-from file
    fstore build demo.store more.mrg --append
`
}

// Validate is kong's hook.
func (c *buildCommand) Validate() error {
	switch {
	case c.MinSupport != nil && *c.MinSupport == 0:
		return errors.New("--min-support: at least 1")
	case c.MaxOrder != nil && *c.MaxOrder < 0:
		return notNegative("max-order", *c.MaxOrder)
	}
	if c.Tags != "" && c.Gold == "" {
		return errors.New("--tags needs --gold")
	}
	return errors.Join(notNegative("workers", c.Workers),
		c.labelFlags.check(), c.inputFlags.check(), c.errorFlags.check(c.OnError),
		output.Apart(append(inputFiles(c.Inputs), c.LabelsFile, c.Gold), output.Named{Flag: "--error-log", File: c.ErrorLog}))
}

// Run is kong's hook.
func (c *buildCommand) Run(ctx context.Context, env *Env) error {
	defer frugal()()
	log, err := env.side(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	var in *decode.Inputs
	var notes []string // about labels
	o := c.options(env)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		io := env.inputOptions(ctx, &c.inputFlags, &c.labelFlags)
		io.Symbols, io.Gold = s, c.Gold
		io.Tags = cmp.Or(decode.Tags(c.Tags), decode.TagsMajority)
		io.Skip, io.SkipLog = c.OnError == "skip", log
		io.OnNote = func(line string) { notes = append(notes, line) }
		var err error
		in, err = decode.OpenInputs(expandGlobs(c.Inputs), io)
		return in, err
	}
	o.Event = func() store.Event { return env.event(in.Read()) }
	result, err := mine.Build(ctx, c.Store, o)
	env.Progress.Close()
	if in != nil {
		err = errors.Join(err, in.Close())
		n, first := in.Skipped()
		env.refused(n, first, "left out", c.ErrorLog)
	}
	switch err = tooMany(err, "--min-support"); {
	case errors.Is(err, store.ErrExists):
		err = fmt.Errorf("%w: --append adds to it, --overwrite replaces it", err)
	case errors.Is(err, mine.ErrNotResumable):
		err = fmt.Errorf("%s: %w: a run without --resume begins anew", c.Store, err)
	}
	if err != nil {
		return err
	}
	c.decided(env, result)
	if err := env.labelled(c.Store, notes); err != nil {
		return err
	}
	return log.Commit()
}

func (c *buildCommand) options(env *Env) mine.Options {
	o := mine.Options{
		FS:           env.FS,
		Spaces:       mine.Choice{MinSupport: c.MinSupport, MaxOrder: c.MaxOrder, Closed: c.Closed},
		MaxFragments: uint64(c.MaxFragments), Workers: c.Workers, Memory: int64(c.Memory),
		Resume: c.Resume, ResumeKey: c.key(), Progress: env.Progress,
	}
	for _, s := range c.Space {
		o.Spaces.Spaces = append(o.Spaces.Spaces, s.Request)
	}
	switch {
	case c.Append:
		o.Mode = store.Append
	case c.Overwrite:
		o.Mode = store.Overwrite
	}
	return o
}

// key is everything that the store depends on, for --resume.
func (c *buildCommand) key() string {
	k := *c
	k.Store, k.Space, k.Workers, k.Memory = "", nil, 0, 0
	k.Resume, k.Overwrite, k.errorFlags = false, false, errorFlags{}
	var chosen []any
	for _, s := range c.Space {
		chosen = append(chosen, spaces.RecordID(s.Request.Space.ID()), s.Request.MinSupport, s.Request.MaxOrder, s.Request.Closed)
	}
	b, err := json.Marshal([]any{k, k.labelFlags, k.inputFlags, chosen})
	if err != nil {
		panic(err) // of flags, which are numbers and strings
	}
	return string(b)
}

// decided says what the run has done.
func (c *buildCommand) decided(env *Env, r *mine.Result) {
	all := r.Meta.Samples
	if c.Append {
		env.Note("%s added, %d in all", index.Plural(r.Added, "sample"), all)
	} else {
		env.Note("%s", index.Plural(all, "sample"))
	}
	if len(r.Meta.Spaces) == 0 {
		env.Note("there is no space for %s trees yet: the store holds the samples only", r.Meta.Kind)
		return
	}
	env.Note("%s", r.Meta.History[len(r.Meta.History)-1].Decided)
}

// tooMany names the flags that an ErrTooMany is about; least is that of the least frequent ones.
func tooMany(err error, least string) error {
	if errors.Is(err, mine.ErrTooMany) {
		return fmt.Errorf("%w (%s, --max-order, --max-fragments)", err, least)
	}
	return err
}

// event is a run's entry in the history of its store.
func (e *Env) event(read []decode.Input) store.Event {
	event := store.Event{Command: commandLine(e.Args), Version: programVersion(), Time: time.Now().Unix()}
	for _, i := range read {
		event.Inputs = append(event.Inputs, store.Input{Name: i.Path, Size: i.Bytes, Hash: i.Hash})
	}
	return event
}

// commandLine writes arguments as a shell reads them.
func commandLine(args []string) string {
	line := "fstore"
	for _, a := range args {
		if a == "" || strings.ContainsFunc(a, needsQuotes) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		line += " " + a
	}
	return line
}

func needsQuotes(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%", r)
}
