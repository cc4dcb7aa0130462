package cli

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// A process that may open few files says so, and neither damages a store nor calls it
// damaged; with enough of them it does what it should.
func TestFewFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("ulimit")
	}
	files := sampleFiles(t)
	scratch(t)
	name := program(t)
	fstore(t, append([]string{"build", "s", "--label-from", "file", "-q"}, files[:2]...)...)
	old := storeState(t, "s")
	refused := 0
	for limit := 8; limit <= 64; limit += 4 {
		for _, args := range []string{
			"query s --limit 3", "verify s", "linearize s --training -o v", "mine s --name n --by chi2 --tau 9 --dry-run",
			"build s --append " + files[2], "build t " + files[2],
		} {
			cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit -n %d && exec '%s' %s -q", limit, name, args))
			out, err := cmd.CombinedOutput()
			switch code := cmd.ProcessState.ExitCode(); {
			case err == nil:
			case code == 4 || strings.Contains(string(out), "internal error"):
				t.Errorf("%d files: %s: exit %d: %s", limit, args, code, out)
			default:
				refused++
			}
			if strings.Contains(args, "build s") && err != nil {
				if got := storeState(t, "s"); got != old {
					t.Errorf("%d files: %s: the store has changed", limit, args)
				}
			}
			if err == nil && strings.HasPrefix(args, "build") {
				fstore(t, "verify", strings.Fields(args)[1])
				if args[6] == 's' {
					return // and now it is another
				}
				fstore(t, "build", "t", "--overwrite", "-q", files[1])
				if out, err := exec.Command("rm", "-r", "t").CombinedOutput(); err != nil {
					t.Fatal(string(out))
				}
			}
		}
	}
	if refused == 0 {
		t.Error("no run had too few files")
	}
}
