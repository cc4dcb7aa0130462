package conll

import (
	"fmt"
)

// list is the K-best list that is being read.
type list struct {
	group         string
	numbers       map[int]bool // of its candidates
	scored        bool         // its first candidate has a score
	candidateLine int          // of the `# candidate` of this sentence
	isScored      bool         // this sentence has a score
}

// checkCandidate refuses a candidate whose number its list has had, and one without a score among
// candidates that have one: it would count as 0.
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
		l.scored = l.isScored
	}
	if l.numbers[r.t.Candidate] {
		return &problem{l.candidateLine, fmt.Sprintf("candidate %d of %s again: expected another number", r.t.Candidate, l.group)}
	}
	l.numbers[r.t.Candidate] = true
	switch {
	case l.scored && !l.isScored:
		return &problem{l.candidateLine, fmt.Sprintf("candidate %d of %s has no # score, and the first has one: expected one", r.t.Candidate, l.group)}
	case !l.scored && l.isScored:
		return &problem{l.candidateLine, fmt.Sprintf("candidate %d of %s has a # score, and the first has none: expected none", r.t.Candidate, l.group)}
	}
	return nil
}
