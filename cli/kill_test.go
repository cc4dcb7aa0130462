package cli

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// kills is the number of processes that TestKill kills. In make crash it is 200.
var kills = flag.Int("kills", 8, "processes that TestKill kills")

// killedRun is a run over the store s that is killed.
type killedRun struct {
	name string
	old  bool // there is a store before the run
	args func(files []string) []string
}

// killed are runs of one command each. TestKill also kills the last task of a job.
var killed = []killedRun{
	{"build", false, func(files []string) []string {
		return append([]string{"build", "s", "--label-from", "file", "-q"}, files...)
	}},
	{"append", true, func(files []string) []string {
		return []string{"build", "s", "--label-from", "file", "--append", "-q", files[2]}
	}},
	{"mine", true, func([]string) []string {
		return []string{"mine", "s", "--name", "sel", "--by", "chi2", "--alpha", "0.01", "--min-support", "1", "-q"}
	}},
	{"overwrite", true, func(files []string) []string {
		return append([]string{"build", "s", "--overwrite", "--label-from", "file", "-q"}, files...)
	}},
	{"remove", true, func(files []string) []string {
		return []string{"remove", "s", "--file", files[0], "-q"}
	}},
	{"repair", true, func([]string) []string { return []string{"verify", "s", "--repair", "-q"} }},
}

// killing has the data that TestKill needs to kill processes.
type killing struct {
	t       *testing.T
	program string
	rng     *rand.Rand
	n       int // number of processes killed so far
}

// kill starts a process and kills it at a random time, before a whole run would end. The result is false if
// the process ended before.
func (k *killing) kill(takes time.Duration, args []string) bool {
	k.t.Helper()
	cmd := exec.Command(k.program, args...)
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	time.Sleep(time.Duration(math.Sqrt(k.rng.Float64()) * float64(takes))) // late times are more probable
	_ = cmd.Process.Kill()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
		return false
	}
	k.n++
	return true
}

// beginKilled restores the store s for a killed run, or removes it if `old` is false. For the run repair it
// damages the store.
func beginKilled(t *testing.T, name string, old bool) {
	t.Helper()
	err := os.RemoveAll("s")
	if old {
		err = errors.Join(err, os.CopyFS("s", os.DirFS("base")))
	}
	if err != nil {
		t.Fatal(err)
	}
	if name == "repair" {
		write(t, "s/expansion-1-0", "damaged")
	}
}

// TestKill kills processes of each kind that writes, at random times. Every second time it also kills the
// next run, which removes the files that the first run has left. Then the store must open and pass verify,
// and it must be the old or the new store. If the run is started again, it must make the new store. A build
// continues the killed run. No other files may stay beside the store.
func TestKill(t *testing.T) {
	files := sampleFiles(t)
	scratch(t)
	work := filepath.Join(t.TempDir(), "work")
	fstore(t, append([]string{"cluster", "init", work, "--parts", "1", "--ranges", "1", "--label-from", "file", "-q"}, files...)...)
	for _, task := range [][]string{{"read", work, "1"}, {"plan", work}, {"grow", work, "1"}} {
		fstore(t, append([]string{"cluster"}, task...)...)
	}
	killed := append(slices.Clone(killed), killedRun{"cluster commit", false, func([]string) []string {
		return []string{"cluster", "commit", work, "s", "-q"}
	}})
	k := &killing{t: t, program: program(t), rng: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))}
	fstore(t, append([]string{"build", "base", "--label-from", "file", "-q"}, files[:2]...)...)
	oldState := storeState(t, "base")
	newState := make([]string, len(killed))
	takes := make([]time.Duration, len(killed))
	for i, c := range killed {
		beginKilled(t, c.name, c.old)
		start := time.Now()
		if out, err := exec.Command(k.program, c.args(files)...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		takes[i] = time.Since(start)
		newState[i] = storeState(t, "s")
	}
	var twice, verified, news int
	for try := 0; k.n < *kills && try < 5**kills; try++ {
		i := try % len(killed)
		c, args := killed[i], killed[i].args(files)
		beginKilled(t, c.name, c.old)
		if !k.kill(takes[i], args) {
			continue
		}
		if try/len(killed)%2 == 1 && k.kill(takes[i]/4, args) {
			twice++
		}
		switch damaged := c.name == "repair" && runIn(nil, "verify", "s").code == 4; {
		case damaged: // the store is still damaged as before
			fstore(t, args...)
		case !exists("s/FSTORE") && !c.old:
			if c.name == "build" {
				args = append(args, "--resume")
			}
			fstore(t, args...)
		default:
			switch got := storeState(t, "s"); {
			case got == newState[i]:
				news++
			case got != oldState || !c.old:
				t.Fatalf("%s: neither old nor new:\n%s", c.name, got)
			default:
				fstore(t, args...)
			}
		}
		if got := storeState(t, "s"); got != newState[i] {
			t.Fatalf("%s, once more: got\n%s\nwant\n%s", c.name, got, newState[i])
		}
		fstore(t, "reindex", "s", "-q") // removes the files that a killed run has left after it had made the new store
		if r := runIn(nil, "verify", "s"); r.stderr != "" {
			t.Fatalf("%s: left in the store: %s", c.name, r.stderr)
		}
		if left := ls(t); left != "base s" {
			t.Fatalf("%s: left %s", c.name, left)
		}
		verified++
	}
	t.Logf("%d were done", news)
	fmt.Printf("killed %d, of them %d in a row, verified %d\n", k.n, twice, verified)
	if k.n < *kills {
		t.Errorf("only %d of %d were killed", k.n, *kills)
	}
}

// storeState verifies a store and returns a text that differs between its states.
func storeState(t *testing.T, dir string) string {
	t.Helper()
	clean := fstore(t, "verify", dir, "-q")
	if !strings.HasPrefix(clean, "clean: ") {
		t.Fatal(clean)
	}
	return clean + fstore(t, "query", dir, "--limit", "0", "--format", "tsv", "-q")
}
