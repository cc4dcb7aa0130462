package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli/command"
)

// interrupts is how often TestInterruptAnywhere interrupts each command.
var interrupts = flag.Int("interrupts", 3, "interruptions of each command of TestInterruptAnywhere")

// interruptibleCommands returns command lines. They use a store s with the selection sel and the model
// kernel, trees in files, and the output out.
func interruptibleCommands(files []string) map[string][]string {
	return map[string][]string{
		"build":           append([]string{"build", "new", "--max-order", "0"}, files...),
		"append":          {"build", "s", "--append", files[0]},
		"overwrite":       append([]string{"build", "s", "--overwrite"}, files...),
		"mine support":    {"mine", "s", "--name", "new", "--by", "support", "--max-order", "8"},
		"mine chi2":       {"mine", "s", "--name", "new", "--by", "chi2", "--alpha", "0.01", "--min-support", "1", "--max-order", "8"},
		"mine closed":     {"mine", "s", "--name", "new", "--by", "chi2", "--alpha", "0.01", "--closed", "--max-order", "0"},
		"mine top":        {"mine", "s", "--name", "new", "--by", "chi2", "--top", "100", "--max-order", "0"},
		"mine folds":      {"mine", "s", "--name", "new", "--by", "chi2", "--alpha", "0.01", "--per-fold", "--cv", "4"},
		"mine relevance":  {"mine", "s", "--name", "new", "--by", "relevance", "--model", "kernel", "--positive", "recipe", "--top", "100"},
		"train kernel":    {"train", "s", "--name", "new", "--kernel", "stk"},
		"train linear":    {"train", "s", "--name", "new", "--learner", "l2-logistic", "--space", "stk"},
		"reindex":         {"reindex", "s"},
		"remove":          {"remove", "s", "--label", "news"},
		"repair":          {"verify", "s", "--repair"},
		"select":          {"select", "s", "--from", "sel", "--name", "new", "--where", "support >= 3"},
		"verify":          {"verify", "s"},
		"query":           {"query", "s", "--limit", "0", "-o", "out"},
		"contrast":        {"contrast", "s", "news", "letter", "--limit", "0", "-o", "out"},
		"linearize":       {"linearize", "s", "--training", "-o", "out"},
		"predict":         {"predict", "s", "--model", "kernel", files[0], "-o", "out"},
		"kernel":          {"kernel", files[0], "-o", "out"},
		"kernel embedded": {"kernel", files[0], "--space", "emb", "-o", "out"},
	}
}

// TestInterruptAnywhere interrupts commands at random times. A command ends with exit code 130, or has
// finished before. After an interrupt the store is as before, and no file is incomplete.
func TestInterruptAnywhere(t *testing.T) {
	files := sampleFiles(t)
	scratch(t)
	fstore(t, append([]string{"build", "base", "--label-from", "file", "-q"}, files...)...)
	fstore(t, "mine", "base", "--name", "sel", "--by", "support", "--min-support", "4", "-q")
	fstore(t, "train", "base", "--name", "kernel", "--kernel", "stk", "-q")
	before, err := os.ReadFile("base/FSTORE")
	if err != nil {
		t.Fatal(err)
	}
	renew := func() {
		t.Helper()
		if err := errors.Join(os.RemoveAll("s"), os.RemoveAll("new"), os.RemoveAll("out"), os.CopyFS("s", os.DirFS("base"))); err != nil {
			t.Fatal(err)
		}
	}
	for name, args := range interruptibleCommands(files) {
		t.Run(name, func(t *testing.T) {
			renew()
			start := time.Now()
			fstore(t, args...)
			takes := time.Since(start)
			renew()
			n, worst := 0, time.Duration(0)
			for range *interrupts {
				code, after := interruptAt(t, args, time.Duration(rand.Float64()*float64(takes)))
				if code == command.ExitDone {
					renew()
					continue
				}
				n, worst = n+1, max(worst, after)
				now, err := os.ReadFile("s/FSTORE")
				if left := ls(t); err != nil || !bytes.Equal(now, before) || left != "base s" {
					t.Fatalf("%v; the store changed: %v; left %s", err, !bytes.Equal(now, before), left)
				}
			}
			fstore(t, "verify", "s", "-q")
			t.Logf("%v, interrupted %d times, ended at most %v later", takes, n, worst)
		})
	}
}

// interruptAt interrupts a command at the time `at`. It returns the exit code, and how long after the
// interrupt the command ended.
func interruptAt(t *testing.T, args []string, at time.Duration) (code int, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var interrupted time.Time
	timer := time.AfterFunc(at, func() {
		interrupted = time.Now()
		cancel()
	})
	var errs bytes.Buffer
	code = Execute(ctx, vfs.Default, args, strings.NewReader(""), io.Discard, &errs)
	if timer.Stop() {
		return code, 0 // the command had finished before the interrupt
	}
	<-ctx.Done()
	if code != command.ExitDone && (code != command.ExitInterrupted || !strings.HasSuffix(errs.String(), "fstore: interrupted\n")) {
		t.Fatalf("exit code %d, said %q", code, errs.String())
	}
	return code, time.Since(interrupted)
}
