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

// kills is how many processes TestKill kills; make crash kills 200.
var kills = flag.Int("kills", 8, "processes that TestKill kills")

// killedRun is a run that is killed, of the store s.
type killedRun struct {
	name string
	old  bool // there is a store
	args func(files []string) []string
}

// killed are the runs of one command. TestKill has the last task of a job beside them.
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

// killing is what TestKill kills processes with.
type killing struct {
	t       *testing.T
	program string
	rng     *rand.Rand
	n       int // killed so far
}

// kill starts a process, and kills it at a random instant of the time that it takes; false where
// it was done before.
func (k *killing) kill(takes time.Duration, args []string) bool {
	k.t.Helper()
	cmd := exec.Command(k.program, args...)
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	time.Sleep(time.Duration(math.Sqrt(k.rng.Float64()) * float64(takes))) // rather late than soon
	_ = cmd.Process.Kill()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
		return false
	}
	k.n++
	return true
}

// beginKilled puts the store that is killed, or none, in its place. That of repair is damaged.
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

// TestKill kills a process at random instants of every kind of writer, and every other time
// the run after it as well, which clears what the first has left. The store that is left opens,
// verifies, and is the old one or the new one; the run, started again, makes the new one, for
// build by going on. Nothing is left beside the store.
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
		case damaged: // as it was
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
		fstore(t, "reindex", "s", "-q") // clears what a kill has left, where the store was the new one by then
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

// storeState verifies a store, and returns what tells its states apart.
func storeState(t *testing.T, dir string) string {
	t.Helper()
	clean := fstore(t, "verify", dir, "-q")
	if !strings.HasPrefix(clean, "clean: ") {
		t.Fatal(clean)
	}
	return clean + fstore(t, "query", dir, "--limit", "0", "--format", "tsv", "-q")
}
