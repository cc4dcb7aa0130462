package cluster

import (
	"cmp"
	"context"
)

// State says which tasks of a job are done, and which are missing.
type State struct {
	Parts, Grown []int // numbers of the missing tasks
	Planned      bool
	Left         int // temporary files of killed or running tasks
}

// Status returns which tasks are missing. A plan that was made from other parts counts as missing, and so
// does a Grow file that was made from another plan. Status checks only the end of each file.
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
			sum, is, err = t.checkDone(name, meta, func(*file) error { return nil })
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
		var g struct{ Plan uint64 } // the same field as in grownMeta
		if _, is := head(GrowName(j+1), &g); !is || planned && g.Plan != planSum {
			s.Grown = append(s.Grown, j+1)
		}
	}
	return s, err
}
