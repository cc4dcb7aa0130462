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

// TestDeepChains: the memory that a build takes of two trees that are deep chains does not grow
// with the square of their depth. The race detector takes more than what is allowed here.
func TestDeepChains(t *testing.T) {
	if *chains == 0 {
		t.Skip("no -chains")
	}
	scratch(t)
	chain := func(leaf string) string {
		return strings.Repeat("(A ", *chains) + leaf + strings.Repeat(")", *chains) + "\n"
	}
	write(t, "t.mrg", chain("(B x)")+chain("(B y)"))
	cmd := exec.Command(program(t), "build", "s", "t.mrg", "--max-order", "0", "--min-support", "1", "--memory", "64MiB", "-q")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	const most = 700_000
	if took := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; took > most {
		t.Errorf("%d kB, want %d at most", took, most)
	}
}
