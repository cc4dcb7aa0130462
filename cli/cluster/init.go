package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"fstore/cli/command"
	"fstore/cli/stores"
	"fstore/cli/usage"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/cluster"
)

// initCommand begins a job.
type initCommand struct {
	work
	Inputs []string `arg:"" name:"input" predictor:"file" help:"Treebanks: files, folders, globs."`

	Parts      int  `required:"" placeholder:"N" help:"How many tasks read the inputs."`
	Ranges     int  `required:"" placeholder:"M" help:"How many tasks grow fragments."`
	WholeFiles bool `help:"Cut no file into blocks."`

	stores.BuildFlags `embed:""`
}

// Help is kong's hook.
func (*initCommand) Help() string {
	return `Begins a job: what to build, from what, in how many tasks. The options are those of build. If WORK holds the same job, nothing changes; if it holds another, that is an error which says what differs.

A part has about the N-th share of the bytes: whole files, or blocks of larger files. A large file is read once here, to cut it where a block can be read without what comes before: brackets between trees, CoNLL-U before # newdoc. Compressed files, K-best lists and files without such a place are not cut. With --gold or --labels-file one task reads all inputs.

Example:

    fstore cluster init work 'news/*.mrg' --parts 8 --ranges 8 --min-support 16
`
}

// Validate is kong's hook.
func (c *initCommand) Validate() error {
	switch {
	case c.Parts < 1 || c.Parts > mostTasks:
		return fmt.Errorf("--parts: 1 to %d", mostTasks)
	case c.Ranges < 1 || c.Ranges > mostTasks:
		return fmt.Errorf("--ranges: 1 to %d", mostTasks)
	case slices.Contains(c.Inputs, "-"):
		return errors.New("-: tasks read files, not standard input")
	}
	return c.BuildFlags.Check()
}

// mostTasks is what the names of WORK's files have room for.
const mostTasks = 99_999

// Run is kong's hook.
func (c *initCommand) Run(ctx context.Context, env *command.Env) error {
	if err := c.CheckLimits(); err != nil {
		return err
	}
	if err := stores.NotInStore(c.Work); err != nil {
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
	j := &cluster.Job{Program: command.ProgramVersion(), Ranges: c.Ranges, Parts: make([][]cluster.Piece, c.Parts)}
	if slices.ContainsFunc(paths, func(p string) bool { return !filepath.IsAbs(p) }) {
		if j.Dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	if j.Options, err = encodeOptions(&c.BuildFlags); err != nil {
		return err
	}
	if err := c.cut(ctx, paths, j); err != nil {
		return err
	}
	if err := cluster.Init(env.FS, c.Work, j); err != nil {
		return err
	}
	env.Note("%s of %s, %s", index.Plural(c.Parts, "part"), index.Plural(len(paths), "input"), index.Plural(c.Ranges, "range"))
	return nil
}

// compressedWeight is about how many bytes of text a byte of a compressed file has.
const compressedWeight = 8

// cut looks at the inputs, and divides them into the parts of the job.
func (c *initCommand) cut(ctx context.Context, paths []string, j *cluster.Job) error {
	weights, formats, err := c.weigh(ctx, paths, j)
	if err != nil {
		return err
	}
	total := int64(0)
	for _, w := range weights {
		total += w
	}
	parts := c.Parts
	if c.Gold != "" || c.LabelsFile != "" {
		parts = 1
	}
	begin, at := int64(0), 0 // of the input, and the part that comes next
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
				return err
			}
			for _, cut := range cuts {
				pieces[len(pieces)-1].To = cut.At
				pieces = append(pieces, cluster.Piece{Input: i, From: cut.At, To: -1, Lines: cut.Lines, Format: formats[i]})
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
			if all := j.Parts[at]; len(all) > 0 && p.From > 0 { // two blocks of the input in one part
				all[len(all)-1].To = p.To
				continue
			}
			j.Parts[at] = append(j.Parts[at], p)
		}
		begin = end
	}
	return nil
}

// weigh notes the inputs, and returns how much each is to read, and the formats of those that can be
// cut, which are not compressed.
func (c *initCommand) weigh(ctx context.Context, paths []string, j *cluster.Job) (weights []int64, formats []string, err error) {
	weights, formats = make([]int64, len(paths)), make([]string, len(paths))
	for i, path := range paths {
		in, err := fingerprint(path)
		if err != nil {
			return nil, nil, err
		}
		j.Inputs = append(j.Inputs, in)
		format, compressed, err := read.FormatOf(ctx, path, c.InputFormat)
		if err != nil {
			return nil, nil, err
		}
		if weights[i] = in.Size; compressed {
			weights[i] *= compressedWeight
		} else {
			formats[i] = format
		}
	}
	return weights, formats, nil
}

// share is where part k of n begins.
func share(total int64, k, n int) int64 {
	return total/int64(n)*int64(k) + total%int64(n)*int64(k)/int64(n)
}

// printBytes is how much of either end of an input its fingerprint looks at.
const printBytes = 64 << 10

// fingerprint looks at a file.
func fingerprint(path string) (in cluster.Input, err error) {
	f, err := os.Open(path)
	if err != nil {
		return in, &index.InputError{File: path, Msg: "cannot be read: " + err.Error(), Fatal: true}
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return in, usage.Errorf("%s is no regular file: tasks read files", path)
	}
	if err != nil {
		return in, err
	}
	in = cluster.Input{Path: path, Size: info.Size()}
	h := xxh3.New()
	for _, at := range [...]int64{0, max(0, in.Size-printBytes)} {
		b := make([]byte, min(printBytes, in.Size))
		n, err := f.ReadAt(b, at)
		if n < len(b) && err != nil {
			return in, &index.InputError{File: path, Msg: "cannot be read: " + err.Error(), Fatal: true}
		}
		_, _ = h.Write(b)
	}
	in.Sum = h.Sum64()
	return in, nil
}

// check refuses an input that is not what it was when the job began.
func check(was cluster.Input) error {
	is, err := fingerprint(was.Path)
	if err == nil && is != was {
		err = &index.InputError{File: was.Path, Fatal: true, Msg: fmt.Sprintf("is another file than when the job began, which had %s bytes: begin a job in another directory", index.Thousands(was.Size))}
	}
	return err
}
