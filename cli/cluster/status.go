package cluster

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/cluster"
)

// statusCommand lists the tasks of a job that are not done.
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
	rows := missing(&s)
	if c.Next {
		rows = [][2]string{next(&s)}
	}
	err = env.WriteTable(c.OutputFlags, columns, func(o *table.Options) { o.NoHeader = c.Next }, func(row *table.Row, write func() error) error {
		for _, r := range rows {
			row.SetString(0, r[0])
			row.SetString(1, r[1])
			if err := write(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || c.Next {
		return err
	}
	describe(env, j.Job, &s)
	return nil
}

// next returns the kind of the tasks that can run now, and their numbers.
func next(s *cluster.State) [2]string {
	switch {
	case len(s.Parts) > 0:
		return [2]string{"read", rangesOf(s.Parts)}
	case !s.Planned:
		return [2]string{"plan"}
	case len(s.Grown) > 0:
		return [2]string{"grow", rangesOf(s.Grown)}
	}
	return [2]string{"commit"}
}

// rangesOf writes ascending numbers in the form that schedulers read: 1-3,7.
func rangesOf(all []int) string {
	var parts []string
	for i := 0; i < len(all); {
		k := i
		for k+1 < len(all) && all[k+1] == all[k]+1 {
			k++
		}
		if k == i {
			parts = append(parts, fmt.Sprint(all[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", all[i], all[k]))
		}
		i = k + 1
	}
	return strings.Join(parts, ",")
}

// missing returns the name and the number of each task that is not done.
func missing(s *cluster.State) (rows [][2]string) {
	for _, n := range s.Parts {
		rows = append(rows, [2]string{"read", strconv.Itoa(n)})
	}
	if !s.Planned {
		rows = append(rows, [2]string{"plan"})
	}
	for _, n := range s.Grown {
		rows = append(rows, [2]string{"grow", strconv.Itoa(n)})
	}
	return rows
}

// describe prints how much of a job is done.
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
