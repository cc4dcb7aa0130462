package gradient

import "time"

// Order reports what an iteration did with the fragments of one order.
type Order struct {
	Order      int    `json:"order"`
	Candidates uint64 `json:"candidates"` // fragments seen, each an extension of a fragment that was not pruned
	Pruned     uint64 `json:"pruned"`     // candidates that at most C samples of either side have
	Kept       uint64 `json:"kept"`       // candidates that were not pruned
	Features   uint64 `json:"features"`   // kept fragments, and fragments that already had a weight
	Templates  uint64 `json:"templates"`  // the number of templates of the features
}

// Iteration reports what one iteration did.
type Iteration struct {
	Iteration int     `json:"iteration"`
	Wrong     int     `json:"wrong"`     // lists whose best candidate does not have the gold structure
	Before    float64 `json:"before"`    // the objective before the step
	Objective float64 `json:"objective"` // the objective after the step
	Step      float64 `json:"step"`      // α; 0 if no step lowers the objective
	Tried     int     `json:"tried"`     // how many steps were tried
	Weights   uint64  `json:"weights"`   // how many fragments have a weight after the step
	Orders    []Order `json:"orders"`

	MineSeconds  float64 `json:"mine_seconds"`  // time to find the fragments
	MergeSeconds float64 `json:"merge_seconds"` // time to merge them with the fragments that have a weight
	ScoreSeconds float64 `json:"score_seconds"` // time to find the step
	SpilledBytes int64   `json:"spilled_bytes"` // bytes written to scratch files
	MemoryBytes  uint64  `json:"memory_bytes"`  // the largest memory of the process that was seen
}

// Features returns the number of features of the iteration, over all orders.
func (i *Iteration) Features() (n uint64) {
	for _, o := range i.Orders {
		n += o.Features
	}
	return n
}

// clock measures the time of the stages of an iteration.
type clock struct{ at time.Time }

// lap returns the seconds since the last call.
func (c *clock) lap() float64 {
	now := time.Now()
	d := now.Sub(c.at)
	c.at = now
	return d.Seconds()
}
