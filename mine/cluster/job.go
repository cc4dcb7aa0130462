package cluster

import (
	"cmp"
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

// Job says what the tasks build. Init writes it to the file JOB.
type Job struct {
	Program string    // version of fstore, which all tasks must have
	Command string    // command line that began the job
	Dir     string    // working directory, if an input has a relative path
	Flags   []byte    // flags of the build, which only the caller understands
	Options []Option  // what the flags mean; used to compare two jobs
	Inputs  []Input   // inputs with samples come first
	Parts   [][]Piece // pieces of each part, in the order of the samples
	Ranges  int       // number of tasks that grow
}

// Option is an option of the build: its name in messages, and its value as text.
type Option struct{ Name, Value string }

// Input is an input file, as it was when the job began.
type Input struct {
	Flag string // flag that names the file, such as --gold; "" for a file of samples
	Path string
	Size int64
	Hash uint64 // xxh3 of its bytes
}

// Changed returns the error for an input that has changed since the job began.
func (in *Input) Changed() error {
	return &index.InputError{File: in.Path, Fatal: true, Msg: fmt.Sprintf("is another file than when the job began, which had %s bytes: begin a job in another directory", index.Thousands(in.Size))}
}

// Piece is an input, or a block of an input. It holds whole samples.
type Piece struct {
	Input     int
	From, To  int64  // in bytes; 0 and -1 mean the whole input
	Lines     int    // lines before From
	Sentences int    // sentences before From, about: a reader may count bad ones differently
	Format    string // format of a block
	Hash      uint64 // xxh3 of its bytes
}

// Task is a task of a job, as the caller describes it.
type Task struct {
	FS      vfs.FS
	Dir     string // the directory WORK
	Program string
	// Choice and MaxFragments are as in builder.Options.
	Choice       builder.Choice
	MaxFragments uint64
	Workers      int
	Memory       int64
	Progress     index.Progress
	Job          *Job // the job that Open has read

	sum uint64 // checksum of the job
}

// PartName returns the name of the file of part i, counted from 1.
func PartName(i int) string { return fmt.Sprintf("part-%05d", i) }

// GrowName returns the name of the file of Grow task j, counted from 1.
func GrowName(j int) string { return fmt.Sprintf("grow-%05d", j) }

var (
	taskFile = regexp.MustCompile(`^(JOB|plan|(part|grow)-\d+)$`)
	tempFile = regexp.MustCompile(`^(JOB|plan|(part|grow)-\d+)\.[0-9a-f]+\` + tempSuffix + `$`)
)

// IsTaskFile says whether path is the file of a task. Its name must fit, and a JOB must be beside it.
func IsTaskFile(f vfs.FS, path string) bool {
	_, err := f.Stat(f.PathJoin(f.PathDir(path), jobName))
	return taskFile.MatchString(f.PathBase(path)) && err == nil
}

// Files returns the paths of the inputs of the job in dir, or none if dir has no job. A relative path comes
// twice: as it is, and joined to the job's working directory.
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

// path returns the path of an input. A relative path is relative to the job's working directory.
func (j *Job) path(in Input) string {
	if filepath.IsAbs(in.Path) {
		return filepath.Clean(in.Path)
	}
	return filepath.Join(j.Dir, in.Path)
}

// Check returns nil if a job can begin or continue in dir. It returns ErrOther if dir has other files.
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
		if err == nil { // another Init has just begun the job
			err = r.close()
		}
		// ErrOther is no error here: a task's file can be left after a damaged JOB was removed.
		return err != nil && !errors.Is(err, ErrOther) && !errors.Is(err, fs.ErrNotExist)
	})
	if foreign {
		return &Error{Dir: dir, Kind: ErrOther, Detail: "there are other files: a job needs a directory of its own"}
	}
	return err
}

// Init begins a job in dir, or continues the same job there. It makes dir if dir is missing. If dir has other
// files or another job, the error is ErrOther and says what differs.
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
	return j.checkSame(dir, old)
}

// isTemp says whether a name has the form of a task's temporary file.
func isTemp(name string) bool { return tempFile.MatchString(name) }

// clean removes the temporary files of tasks from WORK, or only those of one file. A running task can lose
// its temporary files too, see Task.once.
func clean(f vfs.FS, dir, file string) {
	names, _ := f.List(dir)
	for _, name := range names {
		if isTemp(name) && (file == "" || strings.HasPrefix(name, file+".")) {
			_ = disk.RemoveAll(f, f.PathJoin(dir, name)) // another task may remove it at the same time
		}
	}
}

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

// Open reads the job in t.Dir. It returns an error if another version of fstore began the job.
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

// checkSame returns an error that says how j differs from the job in dir.
func (j *Job) checkSame(dir string, old *Job) error {
	if err := old.sameProgram(dir, j.Program); err != nil {
		return err
	}
	other := func(format string, args ...any) error {
		return &Error{Dir: dir, Kind: ErrOther, Detail: "there is another job: " + fmt.Sprintf(format, args...)}
	}
	for i, is := range j.Options { // the same version of fstore has the same options
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

// numbered returns an error if i is not a task number from 1 to n.
func numbered(what string, i, n int) error {
	if i < 1 || i > n {
		return index.Usagef("%s %d: the job has 1 to %d", what, i, n)
	}
	return nil
}

// open opens the file of another task. It returns ErrMissing if that task has not run yet.
func (t *Task) open(name string, meta any) (*file, error) {
	r, err := openFile(t.FS, t.Dir, name, t.sum, meta)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Dir: t.Dir, Kind: ErrMissing, Detail: name + " is not there yet: run its task first (fstore cluster status lists what is missing)"}
	}
	return r, err
}

// isDone says whether a task's file exists and is undamaged. It decodes the file's description into meta.
func (t *Task) isDone(name string, meta any) (bool, error) {
	_, is, err := t.checkDone(name, meta, (*file).verify)
	return is, err
}

// once does a task if the task's file does not exist yet. It ignores an error of `do` if another process has
// done the task meanwhile. Without an error, it removes the task's temporary files.
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

// setAside removes the damaged file that err names, so that Status lists its task again. A file that another
// process has meanwhile written stays.
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

// checkDone returns the checksum of a task's file, and whether the task is done. A task is not done if its
// file is missing, damaged or of another job.
func (t *Task) checkDone(name string, meta any, check func(*file) error) (sum uint64, done bool, err error) {
	r, err := openFile(t.FS, t.Dir, name, t.sum, meta)
	if err == nil {
		sum, err = r.sum, errors.Join(check(r), r.close())
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamaged) || errors.Is(err, ErrOther) {
		return 0, false, nil
	}
	return sum, err == nil, err
}
