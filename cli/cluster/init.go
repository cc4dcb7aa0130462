package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fstore/cli/command"
	"fstore/cli/stores"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/cluster"
	"fstore/mine/grow"
)

// initCommand begins a job. If the directory has the same job already, it changes nothing.
type initCommand struct {
	work
	Inputs []string `arg:"" name:"input" predictor:"file" help:"Treebanks: files, folders, globs."`

	Parts      int  `required:"" placeholder:"N" help:"How many tasks read the inputs."`
	Ranges     int  `required:"" placeholder:"M" help:"How many tasks grow fragments."`
	WholeFiles bool `help:"Cut no file into blocks."`

	stores.BuildFlags `embed:""`
}

func (*initCommand) Help() string {
	return `Begins a job: what to build, from what, in how many tasks. The options are those of build. If WORK holds the same job, nothing changes; if it holds another, that is an error which says what differs.

A part has about the N-th share of the bytes: whole files, or blocks of larger files. A large file is cut where a block can be read without what comes before: brackets between trees, CoNLL-U before # newdoc. Compressed files, K-best lists and files without such a place are not cut. With --gold or --labels-file one task reads all inputs. Each input is read once here for its hash, and once more where it is cut: a task refuses an input that has changed since.

Example:

    fstore cluster init work 'news/*.mrg' --parts 8 --ranges 8 --min-support 16
`
}

func (c *initCommand) Validate() error {
	if slices.Contains(append(c.Inputs, c.Gold, c.LabelsFile), "-") {
		return errors.New("-: tasks read files, not standard input")
	}
	return c.BuildFlags.Check()
}

// mostTasks is the largest number of tasks, because the names of files in WORK have five digits.
const mostTasks = 99_999

func (c *initCommand) Run(ctx context.Context, env *command.Env) error {
	for _, n := range [...]struct {
		flag  string
		tasks int
	}{{"parts", c.Parts}, {"ranges", c.Ranges}} {
		if n.tasks < 1 || n.tasks > mostTasks {
			return index.Usagef("--%s %d: expected 1 to %d", n.flag, n.tasks, mostTasks)
		}
	}
	if err := errors.Join(c.CheckLimits(), stores.NotInStore(c.Work)); err != nil {
		return err
	}
	if err := cluster.Check(env.FS, c.Work); err != nil {
		return err
	}
	beside, err := c.beside()
	if err != nil {
		return err
	}
	in, err := read.Open(command.ExpandGlobs(c.Inputs), c.InputOptions(ctx, env, index.NewSymbols()))
	if err != nil {
		return err
	}
	paths := in.Paths()
	if err := in.Close(); err != nil {
		return err
	}
	j := &cluster.Job{Program: command.ProgramVersion(), Command: command.CommandLine(env.Args), Ranges: c.Ranges, Parts: make([][]cluster.Piece, c.Parts)}
	if slices.ContainsFunc(append(paths, c.Gold, c.LabelsFile), func(p string) bool { return p != "" && !filepath.IsAbs(p) }) {
		if j.Dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	format, err := c.cut(ctx, paths, j)
	if err != nil {
		return err
	}
	if err := c.describe(j, format); err != nil {
		return err
	}
	j.Inputs = append(j.Inputs, beside...)
	if err := hashInputs(ctx, j, env.Progress); err != nil {
		return err
	}
	env.Progress.Close()
	if err := cluster.Init(env.FS, c.Work, j); err != nil {
		return err
	}
	env.Note("%s of %s, %s", index.Plural(c.Parts, "part"), index.Plural(len(paths), "input"), index.Plural(c.Ranges, "range"))
	return nil
}

// beside returns the files of --gold and --labels-file.
func (c *initCommand) beside() (all []cluster.Input, err error) {
	for _, in := range []cluster.Input{{Flag: "--gold", Path: c.Gold}, {Flag: "--labels-file", Path: c.LabelsFile}} {
		if in.Path != "" {
			if in.Size, err = regular(in.Path); err != nil {
				return nil, err
			}
			all = append(all, in)
		}
	}
	return all, nil
}

// compressedWeight is an estimate of how many bytes of text are in one byte of a compressed file.
const compressedWeight = 8

// cut divides the inputs into the parts of the job. It returns the first input format that is known, or "".
func (c *initCommand) cut(ctx context.Context, paths []string, j *cluster.Job) (format string, err error) {
	weights, formats, format, err := c.weigh(ctx, paths, j)
	if err != nil {
		return "", err
	}
	total := int64(0)
	for _, w := range weights {
		total += w
	}
	parts := c.Parts
	if c.Gold != "" || c.LabelsFile != "" {
		parts = 1
	}
	begin, at := int64(0), 0 // byte where the input begins in the text of all inputs, and index of the part
	for i, path := range paths {
		end := begin + weights[i]
		pieces := []cluster.Piece{{Input: i, To: -1}}
		var places []int64
		for k := 1; k < parts; k++ {
			if b := share(total, k, parts); b > begin && b < end {
				places = append(places, b-begin)
			}
		}
		if len(places) > 0 && formats[i] != "" && !c.WholeFiles {
			cuts, err := read.Cuts(ctx, path, formats[i], places)
			if err != nil {
				return "", err
			}
			for _, cut := range cuts {
				pieces[len(pieces)-1].To = cut.At
				pieces = append(pieces, cluster.Piece{Input: i, From: cut.At, To: -1, Lines: cut.Lines, Sentences: cut.Sentences, Format: formats[i]})
			}
		}
		for k, p := range pieces {
			to := end
			if k+1 < len(pieces) {
				to = begin + p.To
			}
			middle := (begin + p.From + to) / 2
			for at+1 < parts && middle >= share(total, at+1, parts) {
				at++
			}
			if all := j.Parts[at]; len(all) > 0 && p.From > 0 { // p continues the last piece of this part
				all[len(all)-1].To = p.To
				continue
			}
			j.Parts[at] = append(j.Parts[at], p)
		}
		begin = end
	}
	return format, nil
}

// weigh records the inputs in the job. For each input it returns the approximate bytes of text, and the
// format: "" if it is unknown or the input is compressed.
func (c *initCommand) weigh(ctx context.Context, paths []string, j *cluster.Job) (weights []int64, formats []string, firstFormat string, err error) {
	weights, formats = make([]int64, len(paths)), make([]string, len(paths))
	for i, path := range paths {
		in := cluster.Input{Path: path}
		if in.Size, err = regular(path); err != nil {
			return nil, nil, "", err
		}
		j.Inputs = append(j.Inputs, in)
		format, compressed, err := read.FormatOf(ctx, path, c.InputFormat)
		if err != nil {
			return nil, nil, "", err
		}
		firstFormat = cmp.Or(firstFormat, format)
		if weights[i] = in.Size; compressed {
			weights[i] *= compressedWeight
		} else {
			formats[i] = format
		}
	}
	return weights, formats, firstFormat, nil
}

// share returns the byte where part k of n begins.
func share(total int64, k, n int) int64 {
	return total/int64(n)*int64(k) + total%int64(n)*int64(k)/int64(n)
}

// notGiven is the text for an option without a value.
const notGiven = "not given"

// describe records the flags in the job, with defaults and the stored spaces, so that fstore can tell whether
// two jobs make the same store.
func (c *initCommand) describe(j *cluster.Job, format string) (err error) {
	if j.Flags, err = json.Marshal(&c.BuildFlags); err != nil {
		return err
	}
	m := c.BuildFlags
	stored, err := c.stored(format)
	if err != nil {
		return err
	}
	if stored != "" {
		m.Space, m.MinSupport, m.MaxOrder, m.Closed = nil, nil, nil, nil
	}
	m.AsTag, m.AsWord = cmp.Or(m.AsTag, "upos"), cmp.Or(m.AsWord, "form")
	m.Tags = cmp.Or(m.Tags, string(read.TagsMajority))
	m.ScoreColumn = max(m.ScoreColumn, 1)
	paths := ""
	if m.LabelFrom == "path" || m.LabelsFile != "" { // labels depend on how the inputs are named
		for i := range j.Inputs {
			paths += " " + j.Inputs[i].Path
		}
	}
	m.Gold, m.LabelsFile = "", ""
	b, err := json.Marshal(&m)
	if err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	for field, value := range fields {
		text := string(value)
		if slices.Contains([]string{"null", `""`, "0", "false"}, text) && field != "MaxFragments" { // MaxFragments 0 means any number
			text = notGiven
		}
		j.Options = append(j.Options, cluster.Option{Name: flagOf(field), Value: text})
	}
	slices.SortFunc(j.Options, func(a, b cluster.Option) int { return cmp.Compare(a.Name, b.Name) })
	j.Options = append(
		j.Options,
		cluster.Option{Name: "what is stored", Value: stored},
		cluster.Option{Name: "--whole-files", Value: strconv.FormatBool(c.WholeFiles)},
		cluster.Option{Name: "the list of inputs", Value: strings.TrimSpace(paths)},
	)
	return nil
}

// stored returns text about the spaces that the job stores, or "" if the format does not tell the kind of the
// trees.
func (c *initCommand) stored(format string) (string, error) {
	f, err := read.FormatByName(format)
	if err != nil || format == "jsonl" {
		return "", nil
	}
	kind := f.Kind
	if c.As != "" {
		kind = index.Constituency
	}
	choice := c.Choice()
	spaces, err := choice.ForNew(kind)
	if err != nil {
		return "", err
	}
	var all []string
	for _, s := range spaces {
		all = append(all, grow.Describe(s.Space.ID(), s.Limits))
	}
	return cmp.Or(strings.Join(all, "; "), "no space"), nil
}

// flagOf returns the flag for a field: --min-support for MinSupport.
func flagOf(field string) string {
	capital := regexp.MustCompile("[A-Z]")
	return "-" + capital.ReplaceAllStringFunc(field, func(c string) string { return "-" + strings.ToLower(c) })
}
