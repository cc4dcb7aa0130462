package gradient

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage rarely: stores of random trees are small, and are made by the hundred.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
