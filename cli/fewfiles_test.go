package cli

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// If a process can open only few files, it reports this. It does not damage a store, and does not report a
// store as damaged. If it can open enough files, it succeeds.
func TestFewFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("ulimit")
	}
	files := sampleFiles(t)
	scratch(t)
	name := program(t)
	fstore(t, append([]string{"build", "s", "--label-from", "file", "-q"}, files[:2]...)...)
	old := storeState(t, "s")
	refused, appended := 0, false
	for limit := 8; limit <= 64 && !appended; limit += 4 {
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
					appended = true // the store is changed now
					break
				}
				fstore(t, "build", "t", "--overwrite", "-q", files[1])
				if err := os.RemoveAll("t"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if refused == 0 || !appended {
		t.Errorf("%d runs had too few files, and one had enough to append: %v", refused, appended)
	}
}
