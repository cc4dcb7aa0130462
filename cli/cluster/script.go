package cluster

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"fstore/cli/command"
	"fstore/mine/cluster"
)

//go:embed slurm.sh kubernetes.yaml Makefile.txt
var scripts embed.FS

// scriptCommand prints the job.
type scriptCommand struct {
	work
	Store   string           `arg:"" predictor:"store" help:"The store to make."`
	Engine  string           `required:"" enum:"slurm,kubernetes,make" placeholder:"E" help:"slurm: a script for sbatch, which submits arrays and itself until all is done. kubernetes: Indexed Jobs. make: a Makefile for make -j on one machine."`
	Out     string           `name:"output" short:"o" placeholder:"FILE" predictor:"output" help:"Write to FILE. - is standard output."`
	Fstore  string           `placeholder:"PATH" help:"The program (default: this one)."`
	Memory  command.ByteSize `placeholder:"SIZE" help:"--memory of each grow task."`
	Option  []string         `sep:"none" placeholder:"TEXT" help:"slurm: an option for each sbatch, such as --option=--mem=4G; repeatable."`
	Image   string           `placeholder:"NAME" default:"fstore" help:"kubernetes: the image with fstore in it."`
	Claim   string           `placeholder:"NAME" default:"fstore-work" help:"kubernetes: the volume claim that all tasks mount, with WORK, STORE and the inputs."`
	Mount   string           `placeholder:"DIR" help:"kubernetes: where it is mounted (default: the directory that the job was begun in)."`
	Retries int              `placeholder:"N" default:"5" help:"How often what is missing is run again."`
}

// Help is kong's hook.
func (*scriptCommand) Help() string {
	return `Prints a job that runs all tasks, each after those that it needs, and runs again what is missing.

Example:

    fstore cluster script work news.store --engine slurm > job.sh
    sbatch job.sh
`
}

// script is what the templates are filled with.
type script struct {
	*scriptCommand
	Dir, Options, Limit string
	Parts, Ranges       []string // the names of the files
	Name                string   // of the job, as Kubernetes allows it
}

// kubernetesJob is one of the jobs.
type kubernetesJob struct {
	*script
	Name  string
	Tasks int
	Run   string // by the shell
}

// Jobs are those of Kubernetes: each task waits until those that it needs are done.
func (s *script) Jobs() []kubernetesJob {
	word := func(args ...string) string {
		for i := range args {
			args[i] = quote(args[i])
		}
		return strings.Join(args, " ")
	}
	fstore := word(s.Fstore) + " cluster "
	wait := func(tasks string) string {
		return "until " + fstore + "status " + word(s.Work) + " --next --format tsv | grep -Eq '^(" + tasks + ")'; do sleep 10; done; exec "
	}
	index := " $((JOB_COMPLETION_INDEX + 1))"
	return []kubernetesJob{
		{s, s.Name + "-read", len(s.Parts), "exec " + fstore + "read " + word(s.Work) + index},
		{s, s.Name + "-plan", 1, wait("plan|grow|commit") + fstore + "plan " + word(s.Work)},
		{s, s.Name + "-grow", len(s.Ranges), wait("grow|commit") + fstore + "grow " + word(s.Work) + index + s.Limit},
		{s, s.Name + "-commit", 1, wait("commit") + fstore + "commit " + word(s.Work, s.Store)},
	}
}

// Run is kong's hook.
func (c *scriptCommand) Run(_ context.Context, env *command.Env) error {
	if err := command.NotNegative("retries", c.Retries); err != nil {
		return err
	}
	if c.Engine != "slurm" {
		if err := env.Needs("--engine slurm", "option"); err != nil {
			return err
		}
	}
	if c.Engine != "kubernetes" {
		if err := env.Needs("--engine kubernetes", "image", "claim", "mount"); err != nil {
			return err
		}
	}
	j, err := c.open(env, effort{})
	if err != nil {
		return err
	}
	s, err := c.fill(j.Job)
	if err != nil {
		return err
	}
	name := map[string]string{"slurm": "slurm.sh", "kubernetes": "kubernetes.yaml", "make": "Makefile.txt"}[c.Engine]
	text, err := scripts.ReadFile(name)
	if err != nil {
		return err
	}
	t, err := template.New(name).Funcs(template.FuncMap{"sh": quote, "make": quoteMake, "yaml": quoteYAML, "inc": func(i int) int { return i + 1 }}).Parse(string(text))
	if err != nil {
		return err
	}
	out, err := env.OpenText("-o", c.Out, "a script")
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := t.Execute(out, s); err != nil {
		return err
	}
	return out.Commit()
}

// fill makes what a template is filled with.
func (c *scriptCommand) fill(j *cluster.Job) (*script, error) {
	s := &script{scriptCommand: c, Dir: j.Dir}
	var err error
	if s.Dir == "" {
		if s.Dir, err = os.Getwd(); err != nil {
			return nil, err
		}
	}
	if c.Fstore == "" {
		if c.Fstore, err = os.Executable(); err != nil {
			return nil, err
		}
		if c.Engine == "kubernetes" {
			c.Fstore = "fstore"
		}
	}
	if c.Mount == "" {
		c.Mount = s.Dir
	}
	var options []string
	for _, o := range c.Option {
		options = append(options, quote(o))
	}
	s.Options = strings.Join(options, " ")
	if c.Memory > 0 {
		s.Limit = fmt.Sprintf(" --memory %d", c.Memory)
	}
	for i := range j.Parts {
		s.Parts = append(s.Parts, cluster.PartName(i+1))
	}
	for i := range j.Ranges {
		s.Ranges = append(s.Ranges, cluster.GrowName(i+1))
	}
	s.Name = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, filepath.Base(c.Work)), "-")
	if len(s.Name) > 40 {
		s.Name = strings.Trim(s.Name[:40], "-")
	}
	s.Name = cmp.Or(s.Name, "fstore") // nothing is left of a WORK without Latin letters and digits
	return s, nil
}

// quote makes one word of the shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// quoteMake makes one word of the shell in a Makefile.
func quoteMake(s string) string { return strings.ReplaceAll(quote(s), "$", "$$") }

// quoteYAML makes a string of YAML.
func quoteYAML(s string) string { return fmt.Sprintf("%q", s) }
