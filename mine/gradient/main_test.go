package gradient

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage rarely, because the tests make hundreds of small stores.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
