//go:build linux

package cli

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// chains is the depth of the trees of TestDeepChains. In make long it is 10,000.
var chains = flag.Int("chains", 0, "depth of the two chains of TestDeepChains; 0 skips it")

// TestDeepChains: for two trees that are deep chains, costs do not grow with the square of the depth. These
// costs are the memory of a build, and the time of a list and of a reindex. With the race detector the costs
// are higher than the limits here.
func TestDeepChains(t *testing.T) {
	if *chains == 0 {
		t.Skip("no -chains")
	}
	scratch(t)
	chain := func(leaf string) string {
		return strings.Repeat("(A ", *chains) + leaf + strings.Repeat(")", *chains) + "\n"
	}
	write(t, "t.mrg", chain("(B x)")+chain("(B y)"))
	for _, c := range []struct {
		args    string
		kB      int64
		seconds float64 // CPU seconds, since the machine may be busy
	}{
		{"build s t.mrg --max-order 0 --min-support 1 --memory 64MiB -q", 700_000, 60},
		{"query s --limit 2 -q", 300_000, 5},
		{"reindex s -q", 300_000, 10},
	} {
		cmd := exec.Command(program(t), strings.Fields(c.args)...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		p := cmd.ProcessState
		kB, seconds := p.SysUsage().(*syscall.Rusage).Maxrss, (p.UserTime() + p.SystemTime()).Seconds()
		t.Logf("%s: %d kB, %.1f s", c.args, kB, seconds)
		if kB > c.kB || seconds > c.seconds {
			t.Errorf("want %d kB and %.0f s at most", c.kB, c.seconds)
		}
	}
}
