package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fstore/cli/output"
	"fstore/mine"
	"fstore/store"
)

// verifyCommand recounts a store.
type verifyCommand struct {
	Store string `arg:"" predictor:"file" help:"The store."`

	Workers int      `placeholder:"N" help:"Goroutines (default: one a core)."`
	Memory  byteSize `placeholder:"SIZE" help:"Memory to stay within, such as 64MiB or 1GB."`
}

// Help is kong's hook.
func (*verifyCommand) Help() string {
	return `Checks every key and checksum, and recounts every posting list and number from the stored trees. Prints one line that begins with clean, or a line for each thing that differs and ends with exit code 4. Leftovers of a killed run are mentioned on standard error, and are no damage.

Example:

    fstore verify demo.store
`
}

// Validate is kong's hook.
func (c *verifyCommand) Validate() error { return notNegative("workers", c.Workers) }

// Run is kong's hook.
func (c *verifyCommand) Run(ctx context.Context, env *Env) error {
	out := output.Stdout(env.Stdout)
	defer out.Abort()
	return env.withStore(c.Store, 0, func(s *store.Store) error {
		n, err := c.check(ctx, env, s, out)
		env.Progress.Close()
		if err != nil {
			return err
		}
		if n > 0 {
			return errors.Join(out.Commit(), &store.Error{Dir: c.Store, Kind: store.ErrDamaged, Detail: plural(n, "problem")})
		}
		m := s.Meta()
		line := "clean: " + plural(m.Samples, "sample")
		for i := range m.Spaces {
			line += fmt.Sprintf(", %s of %s", plural(m.Spaces[i].Features, "fragment"), m.Spaces[i].ID)
		}
		for i := range m.Selections {
			line += fmt.Sprintf(", %s in selection %s", plural(m.Selections[i].Features, "fragment"), m.Selections[i].Name)
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
		return out.Commit()
	})
}

// check prints what differs and returns how much that is.
func (c *verifyCommand) check(ctx context.Context, env *Env, s *store.Store, out io.Writer) (n int, err error) {
	problem := func(text string) {
		n++
		_, _ = fmt.Fprintln(out, oneLine(text))
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
		env.Note("%s: no damage, and the next run that writes removes those of a run that was killed", plural(leftovers, "leftover"))
	}
	o := mine.VerifyOptions{Workers: c.Workers, Memory: int64(c.Memory), Progress: env.Progress, Scratch: env.tempDir()}
	err = mine.Verify(ctx, s, o, problem)
	if n > 0 && errors.Is(err, store.ErrDamaged) {
		problem(err.Error()) // as the check has said already
		err = nil
	}
	return n, err
}
