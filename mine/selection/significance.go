package selection

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/judge"
)

// significance is the level to which a correction lowers Options.Alpha, with the counts that Result.Decided
// reports.
type significance struct {
	level      float64 // findings have a p-value of at most this; 0 is a level too; noLevel: there are no findings
	hypotheses uint64  // number of hypotheses; 0 if not all were counted
	testable   uint64  // how many of them have a support that can attain the level
	countedAt  string  // the level that testable is counted at, if it is not level; may be ""
	how        string  // more about the correction; may be ""
}

// noLevel is below every p-value. It is negative because 0 can be a level: a p-value that is too small for a
// float64 is stored as 0.
const noLevel = -1

func (s *significance) describe(alpha float64, c Correction) string {
	said := fmt.Sprintf("p ≤ %.6g", s.level)
	if c == WestfallYoungCorrection {
		said = fmt.Sprintf("p < %.6g", s.level)
	}
	switch s.level {
	case noLevel:
		said = "no p"
	case 0:
		said = fmt.Sprintf("p < %v", math.SmallestNonzeroFloat64)
	}
	said += fmt.Sprintf(" (alpha %v, ", alpha)
	if c != NoCorrection {
		said += string(c) + s.how
	}
	if s.hypotheses > 0 {
		said += " over " + hypothesesOf(s.hypotheses) + ", " + index.Thousands(s.testable) + " testable"
	} else {
		said = strings.TrimSuffix(said, ", ") + "; " + hypothesesOf(s.testable) + " testable"
	}
	return said + s.countedAt + ")"
}

func hypothesesOf(n uint64) string {
	if n == 1 {
		return "1 hypothesis"
	}
	return index.Thousands(n) + " hypotheses"
}

// lastDiscovery returns the largest p-value of a discovery at false discovery rate alpha, and whether there
// is a discovery. The m tests include the tests of pruned fragments.
func (x *ChiSquared) lastDiscovery(from *judge.Source, alpha float64, m uint64) (p float64, found bool, err error) {
	d := &discoveries{ChiSquared: x.atLevel(alpha), closed: from.Limits.Closed, times: map[float64]uint64{}}
	if err := from.Look(d); err != nil {
		return 0, false, err
	}
	var tests association.Tests
	for p, times := range d.times {
		tests.P, tests.Times = append(tests.P, p), append(tests.Times, times)
	}
	p, found = tests.LastDiscovery(alpha, m)
	return p, found, nil
}

// discoveries is an Objective that only gathers the p-values of all hypotheses that reach the level.
type discoveries struct {
	*ChiSquared
	closed bool

	mu    sync.Mutex
	times map[float64]uint64 // number of hypotheses by p-value: many have the same
}

func (*discoveries) Columns() []string { return nil }

func (d *discoveries) Judge(b *index.Batch, _ float64, v *judge.Verdicts) {
	n := len(d.classes)
	v.Room = judge.Zeroed(v.Room, 3*n)
	with, without := d.thresholds(0, v.Room)
	found := v.Score[:0]
	for i, support := range b.Support {
		for k, o := range d.observe(v.Room[2*n:], b, i)[:d.tests] {
			if o < with[k] && support-o < without[k] {
				continue
			}
			b.Descend[i] = true
			if d.closed && !b.Closed[i] {
				continue
			}
			if p := d.pvalue(k, o, support); association.AtMost(p, d.level) {
				found = append(found, p)
			}
		}
	}
	if len(found) == 0 {
		return // return without the lock, which all workers share
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range found {
		d.times[p]++
	}
}
