package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/vector"
)

const petTrees = `(S (NP (DT the) (NN cat)) (VP (VBD slept)))
(S (NP (DT the) (NN dog)) (VP (VBD slept)))
`

// program returns the path of the test binary under the name fstore, see TestMain.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "fstore")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.Link(self, name); err != nil {
		if err := os.Symlink(self, name); err != nil {
			t.Skip(err)
		}
	}
	return name
}

// waitFor waits until the function ok returns true.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// building reports whether a new store s is being built.
func building() bool { return exists("s/UNFINISHED") && appending() }

// appending reports whether the store s is being written.
func appending() bool { return exists("s/load") }

// held is a started run that waits for more input.
type held struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err bytes.Buffer
}

func hold(t *testing.T, args ...string) *held {
	t.Helper()
	h := &held{cmd: exec.Command(program(t), args...)}
	h.cmd.Stderr = &h.err
	var err error
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.out = bufio.NewReader(out)
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.cmd.Process.Kill() })
	if _, err := io.WriteString(h.in, petTrees); err != nil {
		t.Fatal(err)
	}
	return h
}

// end wants a run to end well when there is no more input.
func (h *held) end(t *testing.T) {
	t.Helper()
	_ = h.in.Close()
	if err := h.cmd.Wait(); err != nil {
		t.Fatal(err, h.err.String())
	}
}

// TestInterrupt checks that ^C in a build gives exit code 130 and leaves no files. If the terminal is closed
// during an append, the store stays as before.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	scratch(t)
	h := hold(t, "build", "s", "-")
	waitFor(t, "the build", building)
	interrupt := func(h *held, by os.Signal) {
		t.Helper()
		time.Sleep(50 * time.Millisecond) // until the run reads its input
		if err := h.cmd.Process.Signal(by); err != nil {
			t.Fatal(err)
		}
		_ = h.cmd.Wait()
		if code := h.cmd.ProcessState.ExitCode(); code != 130 || h.err.String() != "fstore: interrupted\n" {
			t.Errorf("exit code %d, said %q", code, h.err.String())
		}
	}
	interrupt(h, os.Interrupt)
	if left := ls(t); left != "" {
		t.Errorf("left: %s", left)
	}

	write(t, "t.mrg", petTrees)
	fstore(t, "build", "s", "t.mrg", "-q")
	before := fstore(t, "query", "s", "--limit", "0")
	h = hold(t, "build", "s", "-", "--append")
	waitFor(t, "the append", appending)
	hangUp := syscall.SIGHUP
	if signal.Ignored(hangUp) { // the test runs under nohup
		hangUp = syscall.SIGTERM
	}
	interrupt(h, hangUp)
	if after := fstore(t, "query", "s", "--limit", "0"); after != before || ls(t) != "s t.mrg" {
		t.Errorf("left: %s\n%s", ls(t), after)
	}
	if out := fstore(t, "verify", "s"); !strings.HasPrefix(out, "clean: 2 samples") {
		t.Error(out)
	}
}

// TestOneWriter checks that a second writer gets exit code 4 and the reason while a process writes. Several
// processes can read at the same time.
func TestOneWriter(t *testing.T) {
	scratch(t)
	write(t, "t.mrg", petTrees)
	refused := func(why string, args ...string) {
		t.Helper()
		if r := runIn(nil, args...); r.code != 4 || !strings.Contains(r.stderr, why) {
			t.Errorf("%v: exit code %d, %s", args, r.code, r.stderr)
		}
	}
	h := hold(t, "build", "s", "-", "-q")
	waitFor(t, "the build", building)
	refused("s: store is locked: another process is building it", "build", "s", "t.mrg")
	h.end(t)

	h = hold(t, "build", "s", "-", "--append", "-q")
	waitFor(t, "the append", appending)
	for _, how := range []string{"--append", "--overwrite"} {
		refused("s: store is locked: another process is writing it", "build", "s", "t.mrg", how)
	}
	h.end(t)
	if info := fstore(t, "info", "s", "--format", "jsonl"); !strings.HasPrefix(info, `{"samples":4,`) {
		t.Error(info)
	}

	// A reader that stays open does not block other processes.
	h = hold(t, "linearize", "s")
	if line, err := h.out.ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	fstore(t, "query", "s")
	fstore(t, "build", "s", "t.mrg", "--overwrite", "--label", "x")
	fstore(t, "remove", "s", "--sample", "t.mrg#1")
	for _, args := range [][]string{{"info", "s"}, {"verify", "s"}} {
		if r := runIn(nil, args...); r.code != 0 || !regexp.MustCompile(`bytes:waiting|[1-9][\d,]* bytes in [1-9]\d* files wait for readers`).MatchString(r.stdout+r.stderr) {
			t.Errorf("%v: exit code %d: %s%s", args, r.code, r.stdout, r.stderr)
		}
	}
	h.end(t)
	fstore(t, "build", "s", "t.mrg", "--overwrite")
}

// TestReaderBesideWriter checks that a reader prints the vectors of the store as it was when the reader
// opened it, even if another process writes. A later reader prints the vectors of the new store.
func TestReaderBesideWriter(t *testing.T) {
	scratch(t)
	write(t, "t.mrg", petTrees)
	write(t, "more.mrg", strings.ReplaceAll(petTrees, "slept", "ran"))
	vectors := func() string { return runIn(strings.NewReader(petTrees), "linearize", "s").stdout }
	fstore(t, "build", "s", "t.mrg")
	old := vectors()

	// Readers can start and end while a writer waits for its input.
	writer := hold(t, "build", "s", "-", "--append", "-q")
	waitFor(t, "the append", appending)
	reader := hold(t, "linearize", "s")
	line, err := reader.out.ReadString('\n')
	if err != nil {
		t.Fatal(reader.err.String())
	}
	if got := vectors(); got != old {
		t.Errorf("beside a writer: %q, and it was %q", got, old)
	}
	if out := fstore(t, "verify", "s"); !strings.HasPrefix(out, "clean: 2 samples") {
		t.Error(out)
	}
	writer.end(t)

	// The old reader continues after more writers, and new readers read the new store.
	fstore(t, "build", "s", "more.mrg", "--append", "-q")
	fstore(t, "mine", "s", "--name", "sel", "--by", "support", "-q")
	if vectors() == old {
		t.Error("a reader that opened after the commit sees the old store")
	}
	if _, err := io.WriteString(reader.in, petTrees); err != nil {
		t.Fatal(err)
	}
	_ = reader.in.Close()
	rest, err := io.ReadAll(reader.out)
	if err != nil {
		t.Fatal(err)
	}
	reader.end(t)
	if got := line + string(rest); got != old+old {
		t.Errorf("the reader printed %q, and should twice %q", got, old)
	}
	if out := fstore(t, "verify", "s"); !strings.HasPrefix(out, "clean: 6 samples") {
		t.Error(out)
	}
}

// conversation is a run that the test writes to and reads from, like a program that waits for each answer.
type conversation struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *io.PipeReader
	lines *bufio.Reader
	ended chan result
}

func converse(t *testing.T, args ...string) *conversation {
	in, input := io.Pipe()
	output, out := io.Pipe()
	c := &conversation{t, input, output, bufio.NewReader(output), make(chan result, 1)}
	go func() {
		var errs bytes.Buffer
		code := Execute(context.Background(), vfs.Default, args, in, out, &errs)
		_ = out.Close()
		c.ended <- result{code: code, stderr: errs.String()}
	}()
	return c
}

// say writes text to the run. It is no error if the run has closed its input.
func (c *conversation) say(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, text); err != nil {
		c.t.Fatal(err)
	}
}

// hear reads a line from the run. The line must begin with prefix, and the run must not have ended.
func (c *conversation) hear(prefix string) {
	c.t.Helper()
	line, err := c.lines.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, prefix) {
		c.t.Fatalf("%q, %v; want %q", line, err, prefix)
	}
	select {
	case r := <-c.ended:
		c.t.Fatalf("ended with %d, %s", r.code, r.stderr)
	default:
	}
}

// end wants the run to end well when there is no more input.
func (c *conversation) end() {
	c.t.Helper()
	if err := c.in.Close(); err != nil {
		c.t.Fatal(err)
	}
	if r := <-c.ended; r.code != 0 {
		c.t.Fatal(r)
	}
}

// TestFirstVectorLeavesFirst: when the input pauses, the vectors of all complete trees are printed.
func TestFirstVectorLeavesFirst(t *testing.T) {
	scratch(t)
	write(t, "t.mrg", petTrees)
	fstore(t, "build", "s", "t.mrg")
	for _, workers := range []string{"1", "4"} {
		c := converse(t, "linearize", "s", "--workers", workers)
		for tree := range strings.Lines(petTrees) {
			c.say(tree + "(S (NP") // half of the next tree is also written
			c.hear("0 1:1 ")
			c.say(" x))\n")
			c.hear("0\n")
		}
		c.end()
	}
}

// TestPredictionsLeaveFirst: a program can write a tree and wait for its label. With --stream it reads one
// line for each tree.
func TestPredictionsLeaveFirst(t *testing.T) {
	scratch(t)
	labelled := map[string]string{}
	for tree := range strings.Lines(petTrees) {
		label := regexp.MustCompile("cat|dog").FindString(tree)
		write(t, label+".mrg", tree)
		labelled[label] = tree
	}
	fstore(t, "build", "s", "cat.mrg", "dog.mrg", "--label-from", "file", "--min-support", "1")
	fstore(t, "train", "s", "--name", "m", "--learner", "l1-svm", "-C", "10")
	for _, format := range []string{"tsv", "jsonl"} {
		c := converse(t, "predict", "s", "--model", "m", "--stream", "--format", format)
		for range 3 {
			for label, tree := range labelled {
				c.say(tree)
				if format == "jsonl" {
					label = `{"predicted":"` + label + `","score":`
				}
				c.hear(label)
			}
		}
		c.end()
	}
	c := converse(t, "predict", "s", "--model", "m")
	c.say(labelled["cat"])
	c.hear("sample\tpredicted\t")
	c.hear("stdin#1\tcat\t")
	c.end()

	// If the reader closes the pipe, a run that waits for input ends.
	c = converse(t, "predict", "s", "--model", "m", "--stream")
	if err := c.out.Close(); err != nil {
		t.Fatal(err)
	}
	c.say(petTrees)
	if r := <-c.ended; r.code != 0 || r.stderr != "" {
		t.Error(r)
	}
}

// TestChoicesLeaveFirst: a program can write a K-best list and the first tree of the next list, and then wait
// for the row of the first list.
func TestChoicesLeaveFirst(t *testing.T) {
	scratch(t)
	list := func(id, n int) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, "# sent_id = %d\n# candidate = %d\n# score = %d\n1\ta\t_\tX\t_\t_\t%d\tr\t_\t_\n2\tb\t_\tY\t_\t_\t%d\tr\t_\t_\n\n", id, k+1, n-k, 2*(k%2), 1-k%2)
		}
		return b.String()
	}
	write(t, "train.conllu", list(1, 2)+list(2, 2))
	write(t, "gold.conllu", list(1, 1)+list(2, 1))
	fstore(t, "build", "s", "train.conllu", "--gold", "gold.conllu", "--space", "dep", "--min-support", "1")
	fstore(t, "train", "s", "--name", "m", "--learner", "averaged-perceptron", "--beta", "1")
	for _, workers := range []string{"1", "3"} {
		c := converse(t, "predict", "s", "--model", "m", "--workers", workers, "--trees", "chosen.conllu")
		c.say(list(1, 2))
		for id := 1; id < 6; id++ {
			text := list(id+1, 3)
			next := strings.Index(text, "\n\n") + 2
			c.say(text[:next])
			if id == 1 {
				c.hear("sample\tpredicted\t")
			}
			c.hear(fmt.Sprint(id, "\t1\t"))
			c.say(text[next:])
		}
		go func() { _, _ = io.Copy(io.Discard, c.lines) }()
		c.end()
		chosen, err := os.ReadFile("chosen.conllu")
		if n := strings.Count(string(chosen), "# sent_id"); err != nil || n != 6 {
			t.Errorf("%d chosen trees, want 6; %v", n, err)
		}
	}

	// If the reader closes the pipe, a run that waits for input ends.
	c := converse(t, "predict", "s", "--model", "m")
	if err := c.out.Close(); err != nil {
		t.Fatal(err)
	}
	c.say(list(1, 2) + list(2, 2))
	if r := <-c.ended; r.code != 0 || r.stderr != "" {
		t.Error(r)
	}
}

// TestClosedPipe: if a reader closes the pipe after a few vectors, the run ends without a message.
func TestClosedPipe(t *testing.T) {
	scratch(t)
	write(t, "t.mrg", strings.Repeat(petTrees, 1000))
	fstore(t, "build", "s", "t.mrg")
	in, input := io.Pipe() // this input never ends
	defer input.Close()
	output, out := io.Pipe()
	ended := make(chan result, 1)
	go func() {
		var errs bytes.Buffer
		code := Execute(context.Background(), vfs.Default, []string{"linearize", "s", "t.mrg", "-", "-q"}, in, out, &errs)
		ended <- result{code: code, stderr: errs.String()}
	}()
	if _, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = output.Close()
	if r := <-ended; r.code != 0 || r.stderr != "" {
		t.Error(r)
	}
}

// TestFlippedByte: the command verify finds a changed byte in any file.
func TestFlippedByte(t *testing.T) {
	files := sampleFiles(t)
	scratch(t)
	fstore(t, append([]string{"build", "s", "--label-from", "file", "--max-order", "3"}, files...)...)
	entries, err := os.ReadDir("s")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	flipped := 0
	for _, e := range entries {
		name := filepath.Join("s", e.Name())
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) == 0 {
			continue
		}
		for range 3 {
			at := r.IntN(len(b))
			damaged := bytes.Clone(b)
			damaged[at] ^= 1 << r.IntN(8)
			write(t, name, string(damaged))
			r := runIn(nil, "verify", "s")
			if r.code != 4 || r.stderr == "" {
				t.Errorf("%s, byte %d of %d: exit code %d, %s%s", name, at, len(b), r.code, r.stdout, r.stderr)
			}
			flipped++
		}
		write(t, name, string(b))
	}
	if out := fstore(t, "verify", "s"); flipped < 9 || !strings.HasPrefix(out, "clean: 266 samples") {
		t.Errorf("%d bytes flipped in %v, then %s", flipped, entries, out)
	}
}

// full is a disk with space for `left` more bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	if f.left -= n; n < len(p) {
		return n, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	}
	return n, nil
}

// TestFullDisk: in any format, a full disk gives only the message that the disk is full, at any point of the
// output.
func TestFullDisk(t *testing.T) {
	files := sampleFiles(t)
	scratch(t)
	fstore(t, append([]string{"build", "s", "--max-order", "2", "--min-support", "5"}, files...)...)
	args := append([]string{"linearize", "s", "--quiet"}, files...)
	for _, f := range vector.Formats() {
		for _, left := range []int{0, 1 << 10, 8 << 10} {
			var errs bytes.Buffer
			code := Execute(context.Background(), vfs.Default, append(args, "--format", f.Name), nil, &full{left}, &errs)
			if want := "fstore: write standard output: no space left on device\n"; code != 1 || errs.String() != want {
				t.Errorf("%s, %d bytes: exit code %d, %s", f.Name, left, code, errs.String())
			}
		}
	}
}
