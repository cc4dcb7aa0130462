package gradient

import (
	"fmt"

	"fstore/index"
)

// progress tells how far an iteration is. Any goroutine may call add; nil tells nothing.
type progress struct {
	to        index.Progress // that any goroutine may call
	iteration int
}

// step begins a part of the iteration, of so many units; 0 is not known.
func (p *progress) step(what, unit string, total int) {
	if p != nil {
		p.to.Step(fmt.Sprintf("iteration %d, %s", p.iteration, what), unit, int64(total))
	}
}

// add says that n more units are done.
func (p *progress) add(n int) {
	if p != nil {
		p.to.Add(int64(n))
	}
}
