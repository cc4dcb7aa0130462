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

// chains is how deep the trees of TestDeepChains are; make long has 10,000.
var chains = flag.Int("chains", 0, "depth of the two chains of TestDeepChains; 0 skips it")

// TestDeepChains: what commands take of two trees that are deep chains does not grow with the
// square of their depth: the memory that a build takes, and the time for a list and for an index
// made anew. The race detector takes more than what is allowed here.
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
		seconds float64 // of processors, as the machine may be busy
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
