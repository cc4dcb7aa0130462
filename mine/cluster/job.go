package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/store"
)

// Job says what the tasks build.
type Job struct {
	Program string   // the version of fstore: all tasks have the same
	Dir     string   // the working directory, where an input has a relative path
	Options []Option // those of the build, as their names are given
	Inputs  []Input
	Parts   [][]Piece // ascending: the samples are theirs, one after the other
	Ranges  int       // tasks that grow
}

// Option is an option of the build: what messages call it, and its value as text.
type Option struct{ Name, Value string }

// Input is a file, as it was when the job began.
type Input struct {
	Path string
	Size int64
	Sum  uint64 // of its first and its last bytes
}

// Piece is an input or a block of it, in which whole samples are.
type Piece struct {
	Input    int
	From, To int64  // bytes; 0 and -1: all of it
	Lines    int    // before From
	Format   string // of a block
}

// Task is what the caller says of each task.
type Task struct {
	FS      vfs.FS
	Dir     string // WORK
	Program string
	// Choice and MaxFragments are those of a build: see builder.Options.
	Choice       builder.Choice
	MaxFragments uint64
	Workers      int
	Memory       int64
	Progress     index.Progress
	Job          *Job // as Open returned it

	sum uint64 // of the job
}

// names of the files.
const (
	jobName  = "JOB"
	planName = "plan"
)

// PartName is the name of the file of part i.
func PartName(i int) string { return fmt.Sprintf("part-%05d", i) }

// GrowName is the name of the file of range j.
func GrowName(j int) string { return fmt.Sprintf("grow-%05d", j) }

// IsTaskFile says whether path is where a task of the job in its directory has its file.
func IsTaskFile(f vfs.FS, path string) bool {
	ok, _ := regexp.MatchString(`^(JOB|plan|(part|grow)-\d+)$`, f.PathBase(path))
	_, err := f.Stat(f.PathJoin(f.PathDir(path), jobName))
	return ok && err == nil
}

// Init begins a job in dir, which it makes, or goes on with the same job there. It is ErrOther if dir
// holds other files, or another job: the message then says what differs.
func Init(f vfs.FS, dir string, j *Job) error {
	old, _, err := readJob(f, dir)
	switch {
	case err == nil:
		return j.same(dir, old)
	case !errors.Is(err, ErrNoWork):
		return err
	}
	names, err := f.List(dir)
	if err == nil && slices.ContainsFunc(names, func(name string) bool { return !isTemp(name) }) {
		return &Error{dir, ErrOther, "there are other files: a job needs a directory of its own"}
	}
	if err := f.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	w, err := create(f, dir, jobName, 0)
	if err != nil {
		return err
	}
	return w.finish(j)
}

// isTemp says whether a task has left a file or a directory of this name, or writes it now.
func isTemp(name string) bool { return strings.HasSuffix(name, tempSuffix) }

// readJob reads the job in dir.
func readJob(f vfs.FS, dir string) (j *Job, sum uint64, err error) {
	j = &Job{}
	r, err := openFile(f, dir, jobName, 0, j)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, &Error{dir, ErrNoWork, "no job: fstore cluster init begins one"}
	}
	if err != nil {
		return nil, 0, err
	}
	return j, r.sum, r.close()
}

// Open reads the job in t.Dir, which must be of this version of fstore.
func (t *Task) Open() (err error) {
	if t.Job, t.sum, err = readJob(t.FS, t.Dir); err != nil {
		return err
	}
	t.Workers = index.Workers(t.Workers)
	if t.Memory <= 0 {
		t.Memory = 1 << 30
	}
	t.Progress = cmp.Or[index.Progress](t.Progress, index.NoProgress{})
	return t.Job.sameProgram(t.Dir, t.Program)
}

func (j *Job) sameProgram(dir, program string) error {
	if j.Program != program {
		return &Error{dir, store.ErrVersion, fmt.Sprintf("the job was begun by fstore %s, and this is fstore %s: all tasks need the same", j.Program, program)}
	}
	return nil
}

// same says how the job differs from the one that is there.
func (j *Job) same(dir string, old *Job) error {
	if err := old.sameProgram(dir, j.Program); err != nil {
		return err
	}
	other := func(format string, args ...any) error {
		return &Error{dir, ErrOther, "there is another job: " + fmt.Sprintf(format, args...)}
	}
	for i := range max(len(j.Options), len(old.Options)) {
		var is, was Option
		if i < len(j.Options) {
			is = j.Options[i]
		}
		if i < len(old.Options) {
			was = old.Options[i]
		}
		if is != was {
			return other("%s was %s and is %s", max(is.Name, was.Name), was.Value, is.Value)
		}
	}
	if len(j.Inputs) != len(old.Inputs) {
		return other("it has %s, not %d", index.Plural(len(old.Inputs), "input"), len(j.Inputs))
	}
	for i := range j.Inputs {
		switch is, was := j.Inputs[i], old.Inputs[i]; {
		case is.Path != was.Path:
			return other("input %d was %s and is %s", i+1, was.Path, is.Path)
		case is != was:
			return other("%s had %s bytes, or others, when it began", is.Path, index.Thousands(was.Size))
		}
	}
	if len(j.Parts) != len(old.Parts) || j.Ranges != old.Ranges {
		return other("it has %d parts and %d ranges, not %d and %d", len(old.Parts), old.Ranges, len(j.Parts), j.Ranges)
	}
	if j.Dir != old.Dir {
		return other("it was begun in %s, where its inputs lie, and this is %s", old.Dir, j.Dir)
	}
	return nil
}

// numbered refuses a task that the job does not have.
func numbered(what string, i, n int) error {
	if i < 1 || i > n {
		return index.Usagef("%s %d: the job has 1 to %d", what, i, n)
	}
	return nil
}

// open opens the file of another task. It is ErrMissing where that has not run yet.
func (t *Task) open(name string, meta any) (*file, error) {
	r, err := openFile(t.FS, t.Dir, name, t.sum, meta)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{t.Dir, ErrMissing, name + " is not there yet: run its task first (fstore cluster status lists what is missing)"}
	}
	return r, err
}

// isDone says whether a task's file is there and whole, and reads its description into meta, which
// may be nil. A damaged file does not count: the task writes it anew.
func (t *Task) isDone(name string, meta any) (bool, error) {
	r, err := openFile(t.FS, t.Dir, name, t.sum, meta)
	if err == nil {
		err = errors.Join(r.verify(), r.close())
	}
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrDamaged), errors.Is(err, ErrOther):
		return false, nil
	}
	return false, err
}

// State is how far a job is.
type State struct {
	Parts, Grown []int // the missing ones
	Planned      bool
	Left         int // temporary files of tasks that were killed, or run now
}

// Status returns how far the job is. It looks at the end of each file only. The task of a file, and
// the tasks that read it, check the rest.
func (t *Task) Status(ctx context.Context) (s State, err error) {
	names, err := t.FS.List(t.Dir)
	if err != nil {
		return s, err
	}
	slices.Sort(names)
	there := func(name string) (bool, error) {
		if _, ok := slices.BinarySearch(names, name); !ok {
			return false, nil
		}
		r, err := openFile(t.FS, t.Dir, name, t.sum, nil)
		if errors.Is(err, store.ErrDamaged) || errors.Is(err, ErrOther) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		return true, r.close()
	}
	for _, of := range [...]struct {
		n       int
		name    func(int) string
		missing *[]int
	}{{len(t.Job.Parts), PartName, &s.Parts}, {t.Job.Ranges, GrowName, &s.Grown}} {
		for i := 1; i <= of.n && err == nil; i++ {
			var ok bool
			if ok, err = there(of.name(i)); !ok {
				*of.missing = append(*of.missing, i)
			}
			if err == nil {
				err = ctx.Err()
			}
		}
	}
	if err == nil {
		s.Planned, err = there(planName)
	}
	for _, name := range names {
		if isTemp(name) {
			s.Left++
		}
	}
	return s, err
}
