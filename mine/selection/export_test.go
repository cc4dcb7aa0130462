package selection

// SetForceGrowth grows what could be scanned.
func (o *Options) SetForceGrowth(force bool) { o.forceGrowth = force }

// Within returns x for p-values of at most level.
func (x *ChiSquared) Within(level float64) *ChiSquared { return x.within(level) }

// Tests is how many hypotheses a fragment is.
func (x *ChiSquared) Tests() int { return x.tests }
