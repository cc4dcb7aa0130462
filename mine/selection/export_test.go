package selection

// SetForceGrowth grows what could be scanned.
func (o *Options) SetForceGrowth(force bool) { o.forceGrowth = force }
