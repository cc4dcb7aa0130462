package conll

import (
	"fmt"
)

// list is the K-best list that is being read.
type list struct {
	group         string
	numbers       map[int]bool // of its candidates
	candidateLine int          // of the `# candidate` of this sentence
}

// checkCandidate refuses a candidate whose number its list has had.
func (r *Reader) checkCandidate() *problem {
	if r.t.Group == "" {
		return nil
	}
	l := &r.list
	if r.t.Group != l.group {
		l.group = r.t.Group
		if l.numbers == nil {
			l.numbers = map[int]bool{}
		}
		clear(l.numbers)
	}
	if l.numbers[r.t.Candidate] {
		return &problem{l.candidateLine, fmt.Sprintf("candidate %d of %s again: expected another number", r.t.Candidate, l.group)}
	}
	l.numbers[r.t.Candidate] = true
	return nil
}
