package cluster

import (
	"encoding/json"
	"os"

	"fstore/cli/command"
	"fstore/cli/stores"
	"fstore/mine/cluster"
	"fstore/store"
)

// work is the argument that all subcommands have: the directory of a job.
type work struct {
	Work string `arg:"" predictor:"work" help:"The directory that the tasks share."`
}

// isWork reports whether dir is the job's directory w.Work, perhaps under another name.
func (w *work) isWork(dir string) bool {
	is, err := os.Stat(dir)
	work, wrong := os.Stat(w.Work)
	return err == nil && wrong == nil && os.SameFile(is, work)
}

// effort limits the goroutines and the memory of a task.
type effort struct {
	Workers int              `placeholder:"N" help:"Goroutines (default: one a core)."`
	Memory  command.ByteSize `placeholder:"SIZE" help:"Memory to stay within, such as 64MiB or 1GB; the result is the same."`
}

func (e *effort) Validate() error { return command.NotNegative("workers", e.Workers) }

type job struct {
	cluster.Task
	flags stores.BuildFlags
}

func (w *work) open(env *command.Env, e effort) (*job, error) {
	j := &job{Task: cluster.Task{
		FS: env.FS, Dir: w.Work, Program: command.ProgramVersion(), Workers: e.Workers, Memory: int64(e.Memory), Progress: env.Progress,
	}}
	if err := j.Open(); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(j.Job.Flags, &j.flags); err != nil {
		return nil, &cluster.Error{Dir: w.Work, Kind: store.ErrDamaged, Detail: "the options of the job: " + err.Error()}
	}
	j.Choice, j.MaxFragments = j.flags.Choice(), uint64(j.flags.MaxFragments)
	return j, nil
}
