package gradient

import (
	"fmt"

	"fstore/index"
)

// progress reports how far an iteration is. Any goroutine may call add. A nil progress reports nothing.
type progress struct {
	to        index.Progress // any goroutine may call it
	iteration int
}

// step begins a stage of the iteration that has total units. A total of 0 means that the number is not known.
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
