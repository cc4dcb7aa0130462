package stores

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/index"
	"fstore/mine/maintain"
	"fstore/store"
)

// VerifyCommand is the command `verify`. It recounts everything in a store from the trees, or repairs the
// store.
type VerifyCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`

	Repair   bool             `help:"Where the store is damaged, make it anew from its trees, and put that in its place."`
	DropLost bool             `help:"With --repair: go on without the samples whose trees cannot be read."`
	Workers  int              `placeholder:"N" help:"Goroutines (default: one a core)."`
	Memory   command.ByteSize `placeholder:"SIZE" help:"Memory to stay within, such as 64MiB or 1GB."`
}

func (*VerifyCommand) Help() string {
	return `Checks every key and checksum, and recounts every posting list and number from the stored trees. Prints one line that begins with clean, or a line for each thing that differs and ends with exit code 4. Leftovers of a killed run are mentioned on standard error, and are no damage.

--repair makes a damaged store anew from its trees: fragments, labels, counts and expansion indexes, and what selections count. The fragments of selections, and models, are taken over where they can be read; what is lost is said, with the command that made it. Where trees are lost the store stays as it is, unless --drop-lost is given. It needs as much room on disk as the store has. Where only expansion indexes are damaged, reindex is faster.

Example:

    fstore verify demo.store
    fstore verify demo.store --repair
`
}

func (c *VerifyCommand) Validate() error {
	if c.DropLost && !c.Repair {
		return errors.New("--drop-lost is of --repair")
	}
	return command.NotNegative("workers", c.Workers)
}

func (c *VerifyCommand) Run(ctx context.Context, env *command.Env) error {
	out := output.Stdout(env.Stdout)
	defer out.Abort()
	err := c.verify(ctx, env, out)
	if errors.Is(err, store.ErrDamaged) && c.Repair {
		env.Progress.Close()
		env.Warn("%v", err)
		if err = c.repair(ctx, env); err == nil {
			err = c.verify(ctx, env, out)
		}
	}
	env.Progress.Close()
	if errors.Is(err, store.ErrDamaged) && !c.Repair {
		err = fmt.Errorf("%w (fstore verify --repair makes anew what follows from the trees)", err)
	}
	return errors.Join(err, out.Commit())
}

// repair rebuilds everything that can be computed from the trees of the store.
func (c *VerifyCommand) repair(ctx context.Context, env *command.Env) error {
	decided, err := maintain.Repair(ctx, c.Store, maintain.RepairOptions{
		RebuildOptions: env.Rebuild(c.Workers, c.Memory), DropLost: c.DropLost,
		Damaged: func(table error) { env.Warn("%v", table) },
	}, func(lost string) { env.Warn("%s", lost) })
	env.Progress.Close()
	if errors.Is(err, maintain.ErrLost) {
		return fmt.Errorf("%w; nothing was changed: build the store again from its inputs, or go on without those samples (--drop-lost)", err)
	}
	if err == nil {
		env.Note("%s", decided)
	}
	return err
}

// verify prints what is wrong with the store and returns an ErrDamaged, or prints that the store is clean.
func (c *VerifyCommand) verify(ctx context.Context, env *command.Env, out io.Writer) error {
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		n, err := c.check(ctx, env, s, out)
		if err != nil {
			return err
		}
		if n > 0 {
			return &store.Error{Dir: c.Store, Kind: store.ErrDamaged, Detail: index.Plural(n, "problem")}
		}
		m := s.Meta()
		line := "clean: " + index.Plural(m.Samples, "sample")
		for i := range m.Spaces {
			line += fmt.Sprintf(", %s of %s", index.Plural(m.Spaces[i].Features, "fragment"), m.Spaces[i].ID)
		}
		for i := range m.Selections {
			line += fmt.Sprintf(", %s in selection %s", index.Plural(m.Selections[i].Features, "fragment"), m.Selections[i].Name)
		}
		_, err = fmt.Fprintln(out, line)
		return err
	})
}

// check prints what is wrong with the store, and returns the number of problems.
func (c *VerifyCommand) check(ctx context.Context, env *command.Env, s *store.Store, out io.Writer) (n int, err error) {
	problem := func(text string) {
		n++
		_, _ = fmt.Fprintln(out, command.OneLine(text))
	}
	leftovers := 0
	env.Progress.Step("check", "store", 0)
	err = s.Check(ctx, problem, func(what string) {
		leftovers++
		env.Note("%s: left over: %s", c.Store, what)
	})
	if err != nil {
		return n, err
	}
	if leftovers > 0 {
		env.Note("%s: no damage; the next run that writes removes those that fstore has made, once no reader needs them", index.Plural(leftovers, "leftover"))
	}
	o := maintain.VerifyOptions{Workers: c.Workers, Memory: int64(c.Memory), Progress: env.Progress, Scratch: env.TempDir()}
	err = maintain.Verify(ctx, s, o, problem)
	if n > 0 && errors.Is(err, store.ErrDamaged) {
		problem(err.Error()) // n is above 0, so the caller returns an ErrDamaged anyway
		err = nil
	}
	return n, err
}
