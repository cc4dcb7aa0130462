package gradient

import (
	"fmt"

	"fstore/index"
)

// progress reports how far an iteration is. Any goroutine can call add. A nil progress reports nothing.
type progress struct {
	to        index.Progress // any goroutine can call it
	iteration int
}

// step begins a stage with this many units of work; 0 means that the number is not known.
func (p *progress) step(what, unit string, total int) {
	if p != nil {
		p.to.Step(fmt.Sprintf("iteration %d, %s", p.iteration, what), unit, int64(total))
	}
}

// add reports that n more units are done.
func (p *progress) add(n int) {
	if p != nil {
		p.to.Add(int64(n))
	}
}
