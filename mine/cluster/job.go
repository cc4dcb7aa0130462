package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/store"
	"fstore/store/disk"
)

// Job says what the tasks build.
type Job struct {
	Program string    // the version of fstore: all tasks have the same
	Command string    // the command line that began the job
	Dir     string    // the working directory, where an input has a relative path
	Flags   []byte    // of the build, for the caller
	Options []Option  // what the flags mean: those of another job differ
	Inputs  []Input   // those with samples come first
	Parts   [][]Piece // ascending: the samples are theirs, one after the other
	Ranges  int       // tasks that grow
}

// Option is an option of the build: what messages call it, and its value as text.
type Option struct{ Name, Value string }

// Input is a file, as it was when the job began.
type Input struct {
	Flag string // that names a file beside the samples, such as --gold; "" for samples
	Path string
	Size int64
	Hash uint64 // xxh3 of its bytes
}

// Changed is the error of an input that is not what it was when the job began.
func (in *Input) Changed() error {
	return &index.InputError{File: in.Path, Fatal: true, Msg: fmt.Sprintf("is another file than when the job began, which had %s bytes: begin a job in another directory", index.Thousands(in.Size))}
}

// Piece is an input or a block of it, in which whole samples are.
type Piece struct {
	Input     int
	From, To  int64  // bytes; 0 and -1: all of it
	Lines     int    // before From
	Sentences int    // before From, about: a reader may count bad ones otherwise
	Format    string // of a block
	Hash      uint64 // xxh3 of its bytes
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

var (
	taskFile = regexp.MustCompile(`^(JOB|plan|(part|grow)-\d+)$`)
	tempFile = regexp.MustCompile(`^(JOB|plan|(part|grow)-\d+)\.[0-9a-f]+\` + tempSuffix + `$`)
)

// IsTaskFile says whether path is where a task of the job in its directory has its file.
func IsTaskFile(f vfs.FS, path string) bool {
	_, err := f.Stat(f.PathJoin(f.PathDir(path), jobName))
	return taskFile.MatchString(f.PathBase(path)) && err == nil
}

// Files returns the files that the tasks of the job in dir read: the inputs, from the directory that
// the job was begun in and from this one. There are none if dir has no job.
func Files(f vfs.FS, dir string) (all []string) {
	j, _, err := readJob(f, dir)
	if err != nil {
		return nil
	}
	for _, in := range j.Inputs {
		all = append(all, in.Path, j.path(in))
	}
	return all
}

// path is the path of an input, absolute if the job has a relative one.
func (j *Job) path(in Input) string {
	if filepath.IsAbs(in.Path) {
		return filepath.Clean(in.Path)
	}
	return filepath.Join(j.Dir, in.Path)
}

// Check looks whether a job can begin in dir, or go on there: it is ErrOther if dir has other files.
func Check(f vfs.FS, dir string) error {
	if _, _, err := readJob(f, dir); !errors.Is(err, ErrNoWork) {
		return err
	}
	names, err := f.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	foreign := slices.ContainsFunc(names, func(name string) bool {
		if isTemp(name) {
			return false
		}
		r, err := openFile(f, dir, name, 0, nil)
		if err == nil { // another Init has begun the job now
			err = r.close()
		}
		// A task's file stays if JOB was damaged, and was removed.
		return err != nil && !errors.Is(err, ErrOther) && !errors.Is(err, fs.ErrNotExist)
	})
	if foreign {
		return &Error{Dir: dir, Kind: ErrOther, Detail: "there are other files: a job needs a directory of its own"}
	}
	return err
}

// Init begins a job in dir, which it makes, or goes on with the same job there. It is ErrOther if dir
// holds other files, or another job: the message then says what differs. Of two at once one begins
// its job, and the other compares.
func Init(f vfs.FS, dir string, j *Job) error {
	if err := Check(f, dir); err != nil {
		return err
	}
	err := f.MkdirAll(dir, 0o777)
	if err != nil {
		return err
	}
	old, _, missing := readJob(f, dir)
	if missing != nil {
		var w *writer
		if w, err = create(f, dir, jobName, 0); err == nil {
			err = w.finish(j)
		}
		old, _, missing = readJob(f, dir)
	}
	if missing != nil {
		return errors.Join(err, missing)
	}
	clean(f, dir, jobName)
	return j.same(dir, old)
}

// isTemp says whether a task has left a file or a directory of this name, or writes it now.
func isTemp(name string) bool { return tempFile.MatchString(name) }

// clean removes what tasks that were killed have left of a file; "" is any. A task that still runs
// loses what it writes: see Task.once.
func clean(f vfs.FS, dir, file string) {
	names, _ := f.List(dir)
	for _, name := range names {
		if isTemp(name) && (file == "" || strings.HasPrefix(name, file+".")) {
			_ = disk.RemoveAll(f, f.PathJoin(dir, name)) // another task may remove it too
		}
	}
}

// readJob reads the job in dir.
func readJob(f vfs.FS, dir string) (j *Job, sum uint64, err error) {
	j = &Job{}
	if info, err := f.Stat(dir); dir == "" || err == nil && !info.IsDir() {
		return nil, 0, index.Usagef("WORK %q: expected a directory", dir)
	}
	r, err := openFile(f, dir, jobName, 0, j)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, &Error{Dir: dir, Kind: ErrNoWork, Detail: "no job: fstore cluster init begins one"}
	}
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return nil, 0, fmt.Errorf("%s: the job cannot be read: %w", dir, pe.Err)
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
		return &Error{Dir: dir, Kind: store.ErrVersion, Detail: fmt.Sprintf("the job was begun by fstore %s, and this is fstore %s: all tasks need the same", j.Program, program)}
	}
	return nil
}

// same says how the job differs from the one that is there.
func (j *Job) same(dir string, old *Job) error {
	if err := old.sameProgram(dir, j.Program); err != nil {
		return err
	}
	other := func(format string, args ...any) error {
		return &Error{Dir: dir, Kind: ErrOther, Detail: "there is another job: " + fmt.Sprintf(format, args...)}
	}
	for i, is := range j.Options { // one version of fstore has the same ones
		was := Option{}
		if i < len(old.Options) {
			was = old.Options[i]
		}
		if is != was {
			return other("%s was %s and is %s", is.Name, was.Value, is.Value)
		}
	}
	if len(j.Inputs) != len(old.Inputs) {
		return other("it has %s, not %d", index.Plural(len(old.Inputs), "input"), len(j.Inputs))
	}
	for i := range j.Inputs {
		switch is, was := j.Inputs[i], old.Inputs[i]; {
		case is.Flag != was.Flag || j.path(is) != old.path(was):
			return other("%s was %s and is %s", cmp.Or(is.Flag, was.Flag, fmt.Sprintf("input %d", i+1)), was.Path, is.Path)
		case is.Size != was.Size || is.Hash != was.Hash:
			return other("%s had %s bytes, or others, when it began", is.Path, index.Thousands(was.Size))
		}
	}
	if len(j.Parts) != len(old.Parts) || j.Ranges != old.Ranges {
		return other("it has %d parts and %d ranges, not %d and %d", len(old.Parts), old.Ranges, len(j.Parts), j.Ranges)
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
		return nil, &Error{Dir: t.Dir, Kind: ErrMissing, Detail: name + " is not there yet: run its task first (fstore cluster status lists what is missing)"}
	}
	return r, err
}

// isDone says whether a task's file is there and whole, and reads its description into meta, which
// may be nil. A damaged file does not count: the task writes it anew.
func (t *Task) isDone(name string, meta any) (bool, error) {
	_, is, err := t.look(name, meta, (*file).verify)
	return is, err
}

// once does a task, unless its file is there. It then removes what killed copies of the task have left.
// A copy that runs beside this one loses its temporary files by that, and fails: it too finds that the
// task is done.
func (t *Task) once(name string, isDone func() (bool, error), do func() error) (wrote bool, err error) {
	is, err := isDone()
	if !is && err == nil {
		if err = do(); err == nil {
			wrote = true
		} else if is, _ := isDone(); is {
			err = nil
		}
	}
	if err != nil {
		return false, t.setAside(err)
	}
	clean(t.FS, t.Dir, name)
	return wrote, nil
}

// setAside removes the file that err says is damaged, so that Status lists its task. Another task may
// have written it anew by now: then it stays.
func (t *Task) setAside(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.file == "" {
		return err
	}
	if is, wrong := t.isDone(e.file, nil); is || wrong != nil {
		return err
	}
	return errors.Join(err, t.FS.Remove(t.FS.PathJoin(t.Dir, e.file)))
}

// State is how far a job is.
type State struct {
	Parts, Grown []int // the missing ones
	Planned      bool
	Left         int // temporary files of tasks that were killed, or run now
}

// Status returns how far the job is. A plan counts if it is of the parts, and a range if it is of the
// plan. Status looks at the end of each file only. The tasks that read a file check the rest, and
// remove it if it is damaged.
func (t *Task) Status(ctx context.Context) (s State, err error) {
	names, err := t.FS.List(t.Dir)
	if err != nil {
		return s, err
	}
	for _, name := range names {
		if isTemp(name) {
			s.Left++
		}
	}
	head := func(name string, meta any) (sum uint64, is bool) {
		if err = cmp.Or(err, ctx.Err()); err == nil {
			sum, is, err = t.look(name, meta, func(*file) error { return nil })
		}
		return sum, is
	}
	var plan planHead
	planSum, planned := head(planName, &plan)
	s.Planned = planned && len(plan.Parts) == len(t.Job.Parts)
	for i := range t.Job.Parts {
		if sum, is := head(PartName(i+1), nil); !is {
			s.Parts = append(s.Parts, i+1)
		} else if s.Planned {
			s.Planned = plan.Parts[i].Sum == sum
		}
	}
	for j := range t.Job.Ranges {
		var g struct{ Plan uint64 } // of grownMeta
		if _, is := head(GrowName(j+1), &g); !is || planned && g.Plan != planSum {
			s.Grown = append(s.Grown, j+1)
		}
	}
	return s, err
}

// look reads the end of a task's file, and what check reads. It returns the file's sum. is is false if
// the file is missing, damaged or of another job: then its task writes it anew.
func (t *Task) look(name string, meta any, check func(*file) error) (sum uint64, is bool, err error) {
	r, err := openFile(t.FS, t.Dir, name, t.sum, meta)
	if err == nil {
		sum, err = r.sum, errors.Join(check(r), r.close())
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamaged) || errors.Is(err, ErrOther) {
		return 0, false, nil
	}
	return sum, err == nil, err
}
