package cluster

import (
	"context"
	"strconv"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/cluster"
)

// statusCommand lists what is missing.
type statusCommand struct {
	work
	command.OutputFlags
	Next bool `help:"Print what can run now, for scripts: read, plan, grow or commit, a tab, and the numbers of its tasks as in 1-3,7."`
}

func (*statusCommand) Help() string {
	return `Lists the tasks whose files are missing, or of an earlier plan, a row each. Damage inside of a file shows when a task reads it: that task removes the file. --next prints one line with those that can run now; once all else is done it is commit.

Example:

    fstore cluster status work
`
}

func (c *statusCommand) Run(ctx context.Context, env *command.Env) error {
	j, err := c.open(env, effort{})
	if err != nil {
		return err
	}
	s, err := j.Status(ctx)
	if err != nil {
		return err
	}
	columns := []table.Column{{Name: "task", Kind: table.Text}, {Name: "number", Kind: table.Text}}
	var out *command.Table
	if c.Next {
		out, err = env.Headless(c.OutputFlags, columns)
	} else {
		out, err = env.Table(c.OutputFlags, columns)
	}
	if err != nil {
		return err
	}
	defer out.Abort()
	row := table.NewRow(len(columns))
	write := func(task, number string) error {
		row.SetString(0, task)
		row.SetString(1, number)
		return out.Write(row)
	}
	if c.Next {
		err = write(next(&s))
	} else {
		err = list(&s, write)
	}
	if err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if !c.Next {
		describe(env, j.Job, &s)
	}
	return nil
}

// next is what can run now.
func next(s *cluster.State) (task, numbers string) {
	switch {
	case len(s.Parts) > 0:
		return "read", rangesOf(s.Parts)
	case !s.Planned:
		return "plan", ""
	case len(s.Grown) > 0:
		return "grow", rangesOf(s.Grown)
	}
	return "commit", ""
}

// list writes a row for each task that is missing.
func list(s *cluster.State, write func(task, number string) error) error {
	for _, of := range []struct {
		task    string
		numbers []int
	}{{"read", s.Parts}, {"plan", nil}, {"grow", s.Grown}} {
		if of.task == "plan" && !s.Planned {
			if err := write("plan", ""); err != nil {
				return err
			}
		}
		for _, n := range of.numbers {
			if err := write(of.task, strconv.Itoa(n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// describe says how far a job is.
func describe(env *command.Env, j *cluster.Job, s *cluster.State) {
	planned := "planned"
	if !s.Planned {
		planned = "not planned"
	}
	env.Note("%d of %s read, %s, %d of %s grown", len(j.Parts)-len(s.Parts), index.Plural(len(j.Parts), "part"), planned, j.Ranges-len(s.Grown), index.Plural(j.Ranges, "range"))
	if s.Left > 0 {
		env.Note("%s of tasks that run, or that were killed (*.tmp)", index.Plural(s.Left, "file"))
	}
}
