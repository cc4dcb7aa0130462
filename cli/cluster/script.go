package cluster

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"unicode/utf8"

	"fstore/cli/command"
	"fstore/index"
	"fstore/mine/cluster"
)

//go:embed slurm.sh kubernetes.yaml Makefile.txt
var scripts embed.FS

// scriptCommand prints a script that runs the job.
type scriptCommand struct {
	work
	Store   string           `arg:"" predictor:"store" help:"The store to make."`
	Engine  string           `required:"" enum:"slurm,kubernetes,make" placeholder:"E" help:"slurm: a script for sbatch, which submits arrays and itself until all is done. kubernetes: an Indexed Job. make: a Makefile for make -j on one machine."`
	Out     string           `name:"output" short:"o" placeholder:"FILE" predictor:"output" help:"Write to FILE. - is standard output."`
	Fstore  string           `placeholder:"PATH" help:"The program (default: this one)."`
	Memory  command.ByteSize `placeholder:"SIZE" help:"--memory of each grow task."`
	Option  []string         `sep:"none" placeholder:"TEXT" help:"slurm: an option for each sbatch, such as --option=--mem=4G; repeatable."`
	Image   string           `placeholder:"NAME" default:"fstore" help:"kubernetes: the image with fstore in it."`
	Claim   string           `placeholder:"NAME" default:"fstore-work" help:"kubernetes: the volume claim that all tasks mount, with WORK, STORE and the inputs."`
	Mount   string           `placeholder:"DIR" help:"kubernetes: where it is mounted (default: the directory that the job was begun in)."`
	Retries int              `placeholder:"N" default:"5" help:"slurm and kubernetes: how often what is missing is run again."`
}

func (*scriptCommand) Help() string {
	return `Prints a job that runs all tasks, each after those that it needs, and runs again what is missing.

Example:

    fstore cluster script work news.store --engine slurm > job.sh
    sbatch job.sh
`
}

func (c *scriptCommand) Validate() error {
	switch {
	case c.Store == "":
		return errors.New("STORE is an empty name")
	case c.Image == "" || c.Claim == "":
		return errors.New("--image and --claim: an empty name")
	}
	return command.NotNegative("retries", c.Retries)
}

// script is the data for the templates. File names are absolute, because a task runs in Dir.
type script struct {
	*scriptCommand
	Dir, Options, Limit string
	Parts, Ranges       []string // the names of the tasks' files
	Name                string   // name of the job, in the form that Kubernetes allows
}

// Tasks returns how many tasks there are: reading, the plan, growing, and the last one.
func (s *script) Tasks() int { return len(s.Parts) + 1 + len(s.Ranges) + 1 }

func (c *scriptCommand) Run(_ context.Context, env *command.Env) error {
	var err error
	if c.Engine == "make" {
		err = env.Needs("--engine slurm or kubernetes", "retries")
	}
	if c.Engine != "slurm" {
		err = cmp.Or(err, env.Needs("--engine slurm", "option"))
	}
	if c.Engine != "kubernetes" {
		err = cmp.Or(err, env.Needs("--engine kubernetes", "image", "claim", "mount"))
	}
	if err != nil {
		return err
	}
	j, err := c.open(env, effort{})
	if err != nil {
		return err
	}
	s, err := c.fill(j.Job)
	if err != nil {
		return err
	}
	if err := s.refuse(j); err != nil {
		return err
	}
	out, err := env.OpenText("-o", c.Out, "a script")
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := s.write(out); err != nil {
		return err
	}
	return out.Commit()
}

func (s *script) write(w io.Writer) error {
	t, err := template.New("").Funcs(functions).ParseFS(scripts, "*")
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, map[string]string{"slurm": "slurm.sh", "kubernetes": "kubernetes.yaml", "make": "Makefile.txt"}[s.Engine], s)
}

// names makes the file names absolute. It returns the directory in which the tasks run.
func (c *scriptCommand) names(j *cluster.Job) (dir string, err error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	absolute := func(name *string) {
		if !filepath.IsAbs(*name) { // not filepath.Join: a/../b is not b if a is a link
			*name = wd + string(filepath.Separator) + *name
		}
	}
	absolute(&c.Work)
	absolute(&c.Store)
	if c.Mount != "" {
		absolute(&c.Mount)
	}
	dir = cmp.Or(j.Dir, c.Mount, wd)
	c.Mount = filepath.Clean(cmp.Or(c.Mount, dir))
	switch {
	case c.Engine == "kubernetes":
		c.Fstore = cmp.Or(c.Fstore, "fstore") // the command in the image
	case c.Fstore == "":
		c.Fstore, err = os.Executable()
	case filepath.Base(c.Fstore) != c.Fstore: // else the shell finds it in PATH
		absolute(&c.Fstore)
	}
	return dir, err
}

// fill returns the data for the templates.
func (c *scriptCommand) fill(j *cluster.Job) (*script, error) {
	dir, err := c.names(j)
	if err != nil {
		return nil, err
	}
	s := &script{scriptCommand: c, Dir: dir}
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
	s.Name = cmp.Or(s.Name, "fstore") // if WORK has no Latin letters or digits
	return s, nil
}

// refuse returns an error for a name that the script cannot hold, or for a file that its tasks would not see.
func (s *script) refuse(j *job) error {
	type name struct{ what, name string }
	names := []name{{"WORK", s.Work}, {"STORE", s.Store}, {"the directory", s.Dir}, {"--fstore", s.Fstore}}
	wrong := func(string) bool { return false }
	var why string
	switch s.Engine {
	case "make":
		wrong, why = func(name string) bool { return strings.Contains(name, "\n") }, "a Makefile cannot hold a line break"
	case "slurm":
		wrong, why = func(name string) bool { return strings.Contains(name, "\r\n") }, "sbatch takes no script with a line break of DOS"
		names = append(names, name{"--option", s.Options})
	case "kubernetes":
		wrong, why = func(name string) bool { return !utf8.ValidString(name) }, "YAML cannot hold what is not UTF-8"
		names = append(names, name{"--mount", s.Mount}, name{"--image", s.Image}, name{"--claim", s.Claim})
	}
	for _, n := range names {
		if wrong(n.name) {
			return index.Usagef("%s %q: %s", n.what, n.name, why)
		}
	}
	if s.Engine != "kubernetes" {
		return nil
	}
	if strings.Contains(s.Mount, ":") {
		return index.Usagef("--mount %q: Kubernetes mounts nothing at a name with a colon", s.Mount)
	}
	seen := names[:3]
	for _, in := range j.Job.Inputs {
		seen = append(seen, name{cmp.Or(in.Flag, "the input"), in.Path})
	}
	for _, n := range seen {
		path := n.name
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Dir, path)
		}
		if in, err := filepath.Rel(s.Mount, path); err != nil || !filepath.IsLocal(in) {
			return index.Usagef("%s %s is not in %s: tasks see only what is mounted there (--mount)", n.what, path, s.Mount)
		}
	}
	return nil
}

var functions = template.FuncMap{
	"sh":    quote,
	"make":  func(s string) string { return strings.NewReplacer("$", "$$", "#", "$(hash)").Replace(quote(s)) },
	"yaml":  func(s string) string { return fmt.Sprintf("%q", s) },
	"twice": func(s string) string { return strings.ReplaceAll(s, "$", "$$") },
	"inc":   func(i int) int { return i + 1 },
}

// quote puts a word in single quotes, so that shells read the same word in every locale.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
