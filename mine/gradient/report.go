package gradient

import "time"

// Order reports what an iteration did with the fragments of one order.
type Order struct {
	Order      int    `json:"order"`
	Candidates uint64 `json:"candidates"` // seen: those that extend what was not pruned
	Pruned     uint64 `json:"pruned"`     // of them, those that at most C samples of either side have
	Kept       uint64 `json:"kept"`       // the others
	Features   uint64 `json:"features"`   // S_r: the kept ones, and those with a weight
	Templates  uint64 `json:"templates"`  // of S_r
}

// Iteration reports what one iteration did.
type Iteration struct {
	Iteration int     `json:"iteration"`
	Wrong     int     `json:"wrong"`     // lists whose best candidate has not the gold structure
	Before    float64 `json:"before"`    // the objective, before the step
	Objective float64 `json:"objective"` // and after it
	Step      float64 `json:"step"`      // α; 0 where no step lowers the objective
	Tried     int     `json:"tried"`     // steps
	Weights   uint64  `json:"weights"`   // fragments that have one now
	Orders    []Order `json:"orders"`

	MineSeconds  float64 `json:"mine_seconds"`  // to find the fragments
	MergeSeconds float64 `json:"merge_seconds"` // to merge them with those that have a weight
	ScoreSeconds float64 `json:"score_seconds"` // to find the step
	SpilledBytes int64   `json:"spilled_bytes"` // written to scratch files
	MemoryBytes  uint64  `json:"memory_bytes"`  // of the process, when the fragments were found
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
