package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"

	"fstore/cli/command"
	"fstore/index"
	"fstore/store"
)

// clusterCases are builds that TestCluster repeats in many tasks.
var clusterCases = []struct {
	name   string
	inputs func(t *testing.T, dir string) []string
	args   []string
	spaces []string
}{
	{
		"brackets", func(t *testing.T, dir string) []string { return randomInputs(t, dir, "mrg", bracketTree) },
		[]string{"--label-from", "file", "--document-from", "file"},
		[]string{"stk", "st", "sstbow", "ptk:max-order=3", "seq:max-order=3,unit=upos", "emb:max-order=3,min-support=3", "tag"},
	},
	{
		"closed", func(t *testing.T, dir string) []string { return randomInputs(t, dir, "mrg", bracketTree) },
		[]string{"--closed", "--max-order", "0"},
		[]string{"stk", "st:closed=false"},
	},
	{
		"dependencies", func(t *testing.T, dir string) []string { return randomInputs(t, dir, "conllu", dependencyTree) },
		[]string{"--label-from", "comment:kind", "--max-order", "3"},
		[]string{"dep", "dep:siblings=adjacent", "dep:siblings=side,words=form", "dep:ordered=false,max-span=4", "poly", "seq", "emb", "tag:word=lemma", "dep:template=m.misc[K]+rel"},
	},
	{
		"numbers", func(t *testing.T, dir string) []string { return randomInputs(t, dir, "svmtk", svmtkTree) },
		nil,
		[]string{"stk", "poly", "ptk:max-order=3"},
	},
	{"skipped", func(t *testing.T, dir string) []string {
		in := randomInputs(t, dir, "mrg", bracketTree)
		appendTo(t, in[2], "(A (B u)\n\n(A (B v))\n")
		return in
	}, []string{"--on-error", "skip"}, []string{"stk"}},
	{
		"gold", func(t *testing.T, dir string) []string { return randomInputs(t, dir, "nbest", listOf) },
		[]string{"--gold", "GOLD"},
		[]string{"stk"},
	},
	{"lists", func(t *testing.T, dir string) []string { return randomInputs(t, dir, "nbest", listOf) }, nil, []string{"stk"}},
}

// A build in many tasks makes the same store as a build in one task. The tasks run in any order. Some are
// killed and run again, and some run twice at the same time.
func TestCluster(t *testing.T) {
	for _, c := range clusterCases {
		t.Run(c.name, func(t *testing.T) {
			fs := vfs.NewMem()
			inputs := c.inputs(t, t.TempDir())
			args := slices.Clone(c.args)
			if i := slices.Index(args, "GOLD"); i >= 0 { // the first candidates
				args[i] = inputs[0] + ".gold"
				writeGold(t, args[i], inputs)
			}
			for _, s := range c.spaces {
				args = append(args, "--space", s)
			}
			one := "one.store"
			ran(t, fs, append(append([]string{"build", one}, inputs...), args...)...)
			want := contents(t, fs, one)
			for i, size := range [][2]int{{1, 1}, {3, 3}, {8, 8}} {
				work := fmt.Sprintf("work-%d", i)
				job := append(append([]string{"cluster", "init", work}, inputs...), args...)
				job = append(job, "--parts", fmt.Sprint(size[0]), "--ranges", fmt.Sprint(size[1]))
				ran(t, fs, job...)
				ran(t, fs, job...)
				built := work + ".store"
				unruly{t: t, fs: fs, r: rand.New(rand.NewPCG(uint64(i), 7)), work: work}.run(size[0], size[1], built)
				if d := cmp.Diff(want, contents(t, fs, built)); d != "" {
					t.Errorf("%d parts, %d ranges: %s", size[0], size[1], d)
				}
			}
		})
	}
}

// writeGold writes the first tree of each list as its gold tree.
func writeGold(t *testing.T, file string, inputs []string) {
	t.Helper()
	text := ""
	for _, in := range inputs {
		b, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			if i%7 == 2 {
				text += line + "\n"
			}
		}
	}
	write(t, file, text)
}

// unruly runs the tasks of a job in random order, with kills and repetitions.
type unruly struct {
	t    *testing.T
	fs   vfs.FS
	r    *rand.Rand
	work string
}

// run runs all tasks until the store exists.
func (u unruly) run(parts, ranges int, store string) {
	u.t.Helper()
	var tasks [][]string
	for i := range parts {
		tasks = append(tasks, []string{"read", u.work, fmt.Sprint(i + 1)})
	}
	tasks = append(tasks, []string{"plan", u.work})
	for i := range ranges {
		tasks = append(tasks, []string{"grow", u.work, fmt.Sprint(i + 1), "--memory", []string{"20kB", "1GiB"}[u.r.IntN(2)]})
	}
	tasks = append(tasks, []string{"commit", u.work, store})
	isDone := make([]bool, len(tasks))
	kills := 0
	for slices.Contains(isDone, false) {
		i := u.r.IntN(len(tasks))
		commit := tasks[i][0] == "commit"
		if commit && slices.Contains(isDone[:len(isDone)-1], false) && u.r.IntN(4) > 0 || isDone[i] && u.r.IntN(4) > 0 || commit && isDone[i] {
			continue
		}
		args := append([]string{"cluster"}, tasks[i]...)
		switch n := u.r.IntN(10); {
		case n < 3 && kills < 3*len(tasks):
			kills++
			_, _, _ = runOn(dyingAfter(u.fs, u.r.IntN(120)), args...)
		case n < 6 && !commit:
			var wait sync.WaitGroup
			for range 2 {
				wait.Go(func() { u.ran(args) })
			}
			wait.Wait()
		default:
			isDone[i] = u.ran(args) || isDone[i]
		}
	}
}

// ran runs a task and reports whether it succeeded. A task fails if another task must come before it.
func (u unruly) ran(args []string) bool {
	code, _, errs := runOn(u.fs, args...)
	if code != command.ExitDone && !strings.Contains(errs, "is not there yet") && !strings.Contains(errs, "run its task") {
		u.t.Errorf("%q: exit %d: %s", args, code, errs)
	}
	return code == command.ExitDone
}

// If a byte of a job's file is changed, or a file is from an earlier plan, the command status lists its task,
// and this task makes the file again.
func TestClusterRepairs(t *testing.T) {
	fs := vfs.NewMem()
	inputs := randomInputs(t, t.TempDir(), "mrg", bracketTree)
	ran(t, fs, append([]string{"build", "one.store"}, inputs...)...)
	want := contents(t, fs, "one.store")
	ran(t, fs, append([]string{"cluster", "init", "work", "--parts", "2", "--ranges", "2"}, inputs...)...)
	n := 0
	follow := func(what string) {
		n++
		built := fmt.Sprintf("made-%d.store", n)
		var said []string
		for len(said) < 20 {
			next := strings.Fields(ran(t, fs, "cluster", "status", "work", "--next"))
			said = append(said, strings.Join(next, " "))
			args := []string{"cluster", next[0], "work"}
			switch {
			case next[0] == "commit":
				args = append(args, built)
			case len(next) > 1:
				args = append(args, next[1][:1])
			}
			code, _, errs := runOn(fs, args...)
			switch {
			case code == command.ExitDone && next[0] == "commit":
				if d := cmp.Diff(want, contents(t, fs, built)); d != "" {
					t.Errorf("%s: %s", what, d)
				}
				return
			case code != command.ExitDone && !strings.Contains(errs, "is damaged"):
				t.Fatalf("%s: %q: exit %d: %s", what, args, code, errs)
			}
		}
		t.Fatalf("%s: no end: %q", what, said)
	}
	follow("at first")
	for _, name := range []string{"part-00001", "part-00002", "plan", "grow-00001", "grow-00002"} {
		path := "work/" + name
		whole := readAll(t, fs, path)
		for _, at := range []int{3, len(whole) / 4, len(whole) - 5} {
			b := slices.Clone(whole)
			b[at] ^= 0x40
			writeTo(t, fs, path, b)
			follow(fmt.Sprintf("byte %d of %s", at, name))
		}
		if err := fs.Remove(path); err != nil {
			t.Fatal(err)
		}
		follow("without " + name)
	}
}

func readAll(t *testing.T, fs vfs.FS, path string) []byte {
	t.Helper()
	f, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(struct{ io.Reader }{f})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeTo(t *testing.T, fs vfs.FS, path string, b []byte) {
	t.Helper()
	f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	if err == nil {
		_, err = f.Write(b)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// dyingAfter returns a file system that does nothing after n operations, as if the process had been killed.
func dyingAfter(fs vfs.FS, n int) vfs.FS {
	var left atomic.Int64
	left.Store(int64(n))
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if left.Add(-1) < 0 {
			return &os.PathError{Op: "killed", Path: op.Path, Err: syscall.EIO}
		}
		return nil
	}))
}

// runOn runs a command line on a file system.
func runOn(fs vfs.FS, args ...string) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	code = Execute(context.Background(), fs, args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// ran runs a command line that must succeed.
func ran(t *testing.T, fs vfs.FS, args ...string) string {
	t.Helper()
	code, out, errs := runOn(fs, args...)
	if code != command.ExitDone {
		t.Fatalf("%q: exit %d: %s", args, code, errs)
	}
	return out
}

// contents returns what command lines print about a store. The keys are the command lines.
func contents(t *testing.T, fs vfs.FS, dir string) map[string]string {
	t.Helper()
	info := ran(t, fs, "info", dir, "--format", "jsonl")
	var record map[string]any
	if err := json.Unmarshal([]byte(info), &record); err != nil {
		t.Fatal(err)
	}
	for name := range record {
		if strings.HasPrefix(name, "bytes") || strings.HasPrefix(name, "waiting") {
			delete(record, name)
		}
	}
	b, err := json.MarshalIndent(record, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"info": string(b), "verify": ran(t, fs, "verify", dir)}
	st, err := store.Open(dir, store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for _, s := range st.Meta().SpaceIDs() {
		all["query "+s] = ran(t, fs, "query", dir, "--space", s, "--limit", "0", "--columns", "id")
		all["linearize "+s] = ran(t, fs, "linearize", dir, "--training", "--space", s, "--format", "svmlight")
	}
	var samples strings.Builder
	err = st.Samples(0, st.Meta().Samples, func(id uint32, x *index.Tree) error {
		fmt.Fprintf(&samples, "%d %q %q %q %q %d %g %d %x\n", id, x.Name, x.Label, x.Document, x.Group, x.Candidate, x.Score, x.Gold, index.AppendTree(nil, x))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all["samples"] = samples.String()
	all["inputs"] = fmt.Sprint(st.Meta().Inputs, st.Meta().History[0].Inputs, st.Meta().History[0].Reading)
	return all
}

// randomInputs writes three files of random trees. The second file is much larger than the others.
func randomInputs(t *testing.T, dir, ext string, tree func(r *rand.Rand, n int) string) (files []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, uint64(len(ext))))
	for i, n := range []int{5, 40, 14} {
		var b strings.Builder
		for k := range n {
			b.WriteString(tree(r, k))
		}
		files = append(files, filepath.Join(dir, fmt.Sprintf("in%d.%s", i, ext)))
		write(t, files[i], b.String())
	}
	return files
}

func appendTo(t *testing.T, file, text string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(b)+text)
}

// one returns a random letter of letters.
func one(r *rand.Rand, letters string) string { return string(letters[r.IntN(len(letters))]) }

// subtree returns a random tree in brackets.
func subtree(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(4) == 0 {
		return "(" + one(r, "PQR") + " " + one(r, "uvwxy") + ")"
	}
	text := "(" + one(r, "AB")
	for range 1 + r.IntN(3) {
		text += " " + subtree(r, depth-1)
	}
	return text + ")"
}

func bracketTree(r *rand.Rand, n int) string {
	text := subtree(r, 3)
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, " (", "\n(")
	}
	if r.IntN(3) == 0 {
		text = fmt.Sprintf("( %s (ID own-%d))", text, n)
	}
	return text + strings.Repeat("\n", 1+r.IntN(2))
}

func svmtkTree(r *rand.Rand, _ int) string {
	return fmt.Sprintf("%s |BT| %s |ET| %d:1 9:0.5 |EV|\n", []string{"+1", "1", "-1", "2", "2.0"}[r.IntN(5)], subtree(r, 2), 1+r.IntN(5))
}

func dependencyTree(r *rand.Rand, n int) string {
	text := ""
	if n%7 == 0 {
		text += fmt.Sprintf("# newdoc id = d%d\n# kind = %s\n", n, one(r, "xyz"))
	}
	if n%2 == 0 {
		text += fmt.Sprintf("# sent_id = s%d\n", n)
	}
	size := 1 + r.IntN(7)
	root := 1 + r.IntN(size)
	for i := 1; i <= size; i++ {
		head, rel := root, one(r, "rst")
		switch {
		case i == root:
			head, rel = 0, "root"
		case r.IntN(2) == 0 && i > 1:
			if head = i - 1; head == root || head < root != (i < root) {
				head = root
			}
		}
		text += fmt.Sprintf("%d\t%s\t%s\t%s\t_\t_\t%d\t%s\t_\tK=%s\n", i, one(r, "abcde"), one(r, "ab"), one(r, "NV"), head, rel, one(r, "12"))
	}
	return text + "\n"
}

func listOf(r *rand.Rand, n int) string {
	text, tree := fmt.Sprintf("3\ts%d\n", n), subtree(r, 2)
	for range 3 { // all trees have the same words
		text += fmt.Sprintf("-%d.5\n%s\n", r.IntN(9), tree)
		tree = strings.ReplaceAll(tree, "("+one(r, "ABPQR"), "("+one(r, "ABPQR"))
	}
	return text
}
