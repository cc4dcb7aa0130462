package crossval

import (
	"fstore/mine/learn/measure"
)

// Trial is the outcome of cross-validation with one value of C.
type Trial struct {
	C        float64
	Outcomes measure.Outcomes // over all samples, each predicted by a model trained outside of its fold
}

// Best returns the index of the trial with the highest accuracy. Of equal trials it takes the smallest C.
func Best(trials []Trial) int {
	best := 0
	for i := range trials {
		a, b := trials[i].Outcomes.Accuracy(), trials[best].Outcomes.Accuracy()
		if a > b || a == b && trials[i].C < trials[best].C {
			best = i
		}
	}
	return best
}
