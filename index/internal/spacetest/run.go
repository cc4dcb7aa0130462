package spacetest

import "testing"

// Run runs all checks.
func (c *Case) Run(t *testing.T) {
	t.Run("growth", c.Growth)
	t.Run("additive", c.addsUp)
	t.Run("values", c.Values)
	t.Run("codes", c.Codes)
	t.Run("matcher", c.Matcher)
	t.Run("kernel", c.Kernel)
	if c.New != nil {
		t.Run("new", c.newSamples)
	}
}
