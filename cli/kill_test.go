package cli

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// kills is how many processes TestKill kills; make crash kills 200.
var kills = flag.Int("kills", 6, "processes that TestKill kills")

// killed are the runs that are killed. Each is of the store s.
var killed = []struct {
	name string
	old  bool // there is a store
	args func(files []string) []string
}{
	{"build", false, func(files []string) []string {
		return append([]string{"build", "s", "--label-from", "file", "-q"}, files...)
	}},
	{"append", true, func(files []string) []string {
		return []string{"build", "s", "--label-from", "file", "--append", "-q", files[2]}
	}},
	{"mine", true, func([]string) []string {
		return []string{"mine", "s", "--name", "sel", "--by", "chi2", "--alpha", "0.01", "--min-support", "1", "-q"}
	}},
}

// TestKill kills a process at random instants of build, append and mine. The store that is
// left opens, verifies, and is the old one or the new one; the run, started again, makes
// the new one, for build by going on.
func TestKill(t *testing.T) {
	files := sampleFiles(t)
	scratch(t)
	name := program(t)
	fstore(t, append([]string{"build", "base", "--label-from", "file", "-q"}, files[:2]...)...)
	begin := func(old bool) {
		t.Helper()
		err := errors.Join(os.RemoveAll("s"), os.RemoveAll("s.building"))
		if old {
			err = errors.Join(err, os.CopyFS("s", os.DirFS("base")))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	oldState := storeState(t, "base")
	newState := make([]string, len(killed))
	takes := make([]time.Duration, len(killed))
	for i, k := range killed {
		begin(k.old)
		start := time.Now()
		if out, err := exec.Command(name, k.args(files)...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", k.name, err, out)
		}
		takes[i] = time.Since(start)
		newState[i] = storeState(t, "s")
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	var n, reopened, verified, news int
	for try := 0; n < *kills && try < 5**kills; try++ {
		i := try % len(killed)
		k, args := killed[i], killed[i].args(files)
		begin(k.old)
		cmd := exec.Command(name, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Float64() * float64(takes[i])))
		_ = cmd.Process.Kill()
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
			continue // it was done before
		}
		n++
		if k.old || exists("s") {
			got := storeState(t, "s")
			switch {
			case got == newState[i]:
				news++
			case !k.old || got != oldState:
				t.Fatalf("%s: neither old nor new:\n%s", k.name, got)
			}
		}
		reopened++
		if k.old && storeState(t, "s") == oldState {
			fstore(t, args...)
		} else if !exists("s") {
			fstore(t, append(args, "--resume")...)
		}
		if got := storeState(t, "s"); got != newState[i] {
			t.Fatalf("%s, once more: got\n%s\nwant\n%s", k.name, got, newState[i])
		}
		if left := ls(t); strings.Contains(left, "building") {
			t.Fatalf("left %s", left)
		}
		verified++
	}
	t.Logf("%d were done", news)
	fmt.Printf("killed %d, reopened %d, verified %d\n", n, reopened, verified)
	if n < *kills {
		t.Errorf("only %d of %d were killed", n, *kills)
	}
}

// storeState verifies a store, and returns what tells its states apart.
func storeState(t *testing.T, dir string) string {
	t.Helper()
	clean := fstore(t, "verify", dir, "-q")
	if !strings.HasPrefix(clean, "clean: ") {
		t.Fatal(clean)
	}
	return clean + fstore(t, "query", dir, "--limit", "0", "--format", "tsv", "-q")
}
