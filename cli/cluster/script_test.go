package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fstore/index"
	"fstore/mine/cluster"
)

// The program that the tasks run. It records its directory and its arguments, and it records finished tasks
// in the directory DONE.
const program = `#!/bin/sh
if [ "$2" = status ]; then
	for i in 1 2; do [ -e "$DONE/read-$i" ] || { printf 'read\t%s\n' $i; exit; }; done
	[ -e "$DONE/plan-" ] || { printf 'plan\t\n'; exit; }
	for i in 1 2 3; do [ -e "$DONE/grow-$i" ] || { printf 'grow\t%s-3\n' $i; exit; }; done
	printf 'commit\t\n'
	exit
fi
printf '%s\0' "$PWD" "$@" - >>"$DONE/log"
[ "$KILL" != "$2" ] || kill -KILL $$
mkdir "$DONE/killed-$2" 2>/dev/null && [ "$KILL" = once ] && kill -KILL $$
case $2 in
commit) mkdir -p "$4"; : >"$4/FSTORE" ;;
plan) : >"$DONE/plan-" ;;
*) : >"$DONE/$2-$4" ;;
esac
`

// sbatch stands in for the program of Slurm that submits jobs. It runs a job at once, from a copy of the
// script, and succeeds even if the job is killed.
const sbatch = `#!/bin/bash
array=
while :; do
	case $1 in
	--array=1-3) array="1 2 3"; shift ;;
	--array=*) array=${1#*=}; shift ;;
	--*) shift ;;
	*) break ;;
	esac
done
script=$(mktemp "$DONE/slurm.XXXXXX")
cat "$1" >"$script"
shift
for SLURM_ARRAY_TASK_ID in ${array:-0}; do
	export SLURM_ARRAY_TASK_ID
	bash "$script" "$@" >/dev/null
	code=$?
	[ $code = 0 ] || [ $code = 137 ] || echo "a job ended with $code" >&2
done
echo 7
`

const hostile = "w\" o'r$HOME $$ $(touch pwned) `touch pwned`#;touch pwned;&(k\t\\\\#\\日\xc3\xa9=:=%*~[!]{}|<>?"

// names returns a script whose directory, WORK, STORE and program have names with all characters that are
// special in a shell.
func names(t *testing.T, engine string) (s *script, done string) {
	t.Helper()
	name := hostile
	switch engine {
	case "slurm":
		name += "\n#SBATCH --wrong\nx\xff"
	case "make":
		name += "\xff\rx"
	case "kubernetes":
		name += "\n- x: \u0085\u2028\x7f\x01"
	}
	done = t.TempDir()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Skip(err) // the file system does not take such a name
	}
	t.Chdir(dir)
	if err := os.WriteFile(name, []byte(program), 0o777); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte(sbatch), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("DONE", done)
	t.Setenv("KILL", "")
	t.Setenv("LC_ALL", "C")
	c := &scriptCommand{work: work{Work: "-W" + name}, Store: "-S" + name, Engine: engine, Fstore: "./" + name, Retries: 2, Memory: 7}
	if engine == "slurm" {
		c.Option = []string{"--comment=" + name}
	}
	if engine == "kubernetes" {
		c.Fstore = filepath.Join(dir, name)
		c.Image, c.Claim = "i", "c"
		if strings.Contains(dir, ":") {
			c.Mount = filepath.Dir(dir)
		}
	}
	j := &job{Task: cluster.Task{Job: &cluster.Job{Dir: dir, Parts: make([][]cluster.Piece, 2), Ranges: 3}}}
	s, err := c.fill(j.Job)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.refuse(j); err != nil {
		t.Fatal(err)
	}
	return s, done
}

// has checks what the tasks have recorded: which tasks ran, in which order, and that each name was passed on
// unchanged.
func has(t *testing.T, s *script, done string, want ...string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(done, "log"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for run := range strings.SplitSeq(strings.TrimSuffix(string(b), "\x00"), "\x00-\x00") {
		fields := strings.Split(strings.TrimSuffix(run, "\x00-"), "\x00")
		if len(fields) < 4 || fields[0] != s.Dir || fields[1] != "cluster" || fields[3] != s.Work {
			t.Fatalf("a task ran in %q with %q", fields[0], fields[1:])
		}
		rest := strings.Join(fields[4:], " ")
		if fields[2] == "commit" && rest == s.Store {
			rest = "STORE"
		}
		got = append(got, strings.TrimSpace(fields[2]+" "+rest))
	}
	if !slices.Equal(got, want) {
		t.Errorf("ran %q, want %q", got, want)
	}
	if found, _ := filepath.Glob("pwned"); len(found) > 0 {
		t.Error("a name ran a command")
	}
}

var all = []string{"read 1", "read 2", "plan", "grow 1 --memory 7", "grow 2 --memory 7", "grow 3 --memory 7", "commit STORE"}

// run runs a program and returns its output. If the program is missing, the test is skipped.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// printed writes the script to a file.
func printed(t *testing.T, s *script) (path, text string) {
	t.Helper()
	var b bytes.Buffer
	if err := s.write(&b); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path, b.String()
}

// The Makefile can run in its own directory or in another directory.
func TestMake(t *testing.T) {
	s, done := names(t, "make")
	path, _ := printed(t, s)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("Makefile", b, 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, s.Dir, "make", "-s")
	has(t, s, done, all...)
	run(t, t.TempDir(), "make", "-s", "-f", path)
	has(t, s, done, append(slices.Clone(all), all...)...)
}

// If a task of any kind is killed, it is submitted again. This includes the commit.
func TestSlurm(t *testing.T) {
	s, done := names(t, "slurm")
	path, _ := printed(t, s)
	t.Setenv("KILL", "once")
	if out := run(t, t.TempDir(), "bash", path); strings.Contains(out, "ended with") || strings.Count(out, "Killed") != 4 {
		t.Errorf("it printed %q", out)
	}
	grow := func(i int) string { return fmt.Sprintf("grow %d --memory 7", i) }
	want := []string{
		"read 1", "read 1", "read 2", "plan", "plan", grow(1), grow(2), grow(3), grow(1), grow(2), grow(3),
		"commit STORE", "commit STORE", "commit STORE", // the last commit prints that the store is complete
	}
	has(t, s, done, want...)
	run(t, t.TempDir(), "bash", path)
	has(t, s, done, append(want, "commit STORE")...)
}

// A commit that is always killed is run again as often as --retries says.
func TestSlurmEnds(t *testing.T) {
	s, done := names(t, "slurm")
	path, _ := printed(t, s)
	t.Setenv("KILL", "commit")
	if out := run(t, t.TempDir(), "bash", path); !strings.Contains(out, "fstore: commit  failed 3 times\n") {
		t.Errorf("it printed %q", out)
	}
	has(t, s, done, append(slices.Clone(all), "commit STORE", "commit STORE")...)
}

// Each index of the Kubernetes job is a task.
func TestKubernetes(t *testing.T) {
	s, done := names(t, "kubernetes")
	args := pod(t, s)
	for i := range s.Tasks() {
		t.Setenv("JOB_COMPLETION_INDEX", strconv.Itoa(i))
		run(t, s.Dir, "sh", args...)
	}
	has(t, s, done, all...)
}

// A task waits until other tasks have made the files that it needs. If these files do not come, the task ends
// with the exit code that does not count as a failure.
func TestKubernetesWaits(t *testing.T) {
	s, done := names(t, "kubernetes")
	args := pod(t, s)
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	program := func(name, script string) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("JOB_COMPLETION_INDEX", "2")
	program("seq", "echo 1 2 3")
	program("sleep", "exit 0")
	cmd := exec.Command("sh", args...)
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 75 {
		t.Errorf("plan without parts: %v", err)
	}
	program("sleep", `[ -e "$DONE/read-1" ] && : >"$DONE/read-2"; : >"$DONE/read-1"`)
	run(t, s.Dir, "sh", args...)
	has(t, s, done, "plan")
}

// pod returns the arguments of the /bin/sh that runs in a pod.
func pod(t *testing.T, s *script) []string {
	t.Helper()
	_, text := printed(t, s)
	_, text, _ = strings.Cut(text, "            - |\n")
	text, rest, _ := strings.Cut(text, "            - sh\n")
	args := []string{"-c", strings.ReplaceAll(text, "              ", ""), "sh"}
	for range 3 {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		arg, err := strconv.Unquote(strings.TrimPrefix(line, "            - "))
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, arg)
	}
	for i := range args { // no argument has $(NAME), which Kubernetes replaces
		if strings.Contains(strings.ReplaceAll(args[i], "$$", ""), "$(") {
			t.Errorf("$( in %q", args[i])
		}
		args[i] = strings.ReplaceAll(args[i], "$$", "$")
	}
	return args
}

// A name that an engine cannot take is refused.
func TestRefuse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no name is absolute there as it is in a container")
	}
	t.Chdir(t.TempDir())
	inputs := &cluster.Job{Inputs: []cluster.Input{{Path: "/data/a.mrg"}}}
	data := func(work, store string) scriptCommand {
		return scriptCommand{Engine: "kubernetes", work: of(work), Store: store, Mount: "/data", Image: "i", Claim: "c"}
	}
	at := func(c scriptCommand, change func(*scriptCommand)) scriptCommand { change(&c); return c }
	for _, c := range []struct {
		c    scriptCommand
		j    *cluster.Job
		want string
	}{
		{scriptCommand{Engine: "make", work: of("a\nb"), Store: "s"}, &cluster.Job{}, "WORK"},
		{scriptCommand{Engine: "make", work: of("w"), Store: "s\n"}, &cluster.Job{}, "STORE"},
		{scriptCommand{Engine: "make", work: of("w"), Store: "s", Fstore: "\n"}, &cluster.Job{}, "--fstore"},
		{scriptCommand{Engine: "make", work: of("w"), Store: "s"}, &cluster.Job{Dir: "/a\nb"}, "the directory"},
		{scriptCommand{Engine: "slurm", work: of("w\r\n"), Store: "s"}, &cluster.Job{}, "WORK"},
		{scriptCommand{Engine: "slurm", work: of("w"), Store: "s", Option: []string{"\r\n"}}, &cluster.Job{}, "--option"},
		{data("/data/w\xff", "/data/s"), inputs, "WORK"},
		{at(data("/data/w", "/data/s"), func(c *scriptCommand) { c.Image = "\xff" }), inputs, "--image"},
		{at(data("/data/w", "/data/s"), func(c *scriptCommand) { c.Mount = "/data:" }), inputs, "--mount"},
		{data("w", "/data/s"), inputs, "WORK"},
		{data("/data/w", "s"), inputs, "STORE"},
		{data("/data/w", "/data/../s"), inputs, "STORE"},
		{data("/data/w", "/database/s"), inputs, "STORE"},
		{data("/data/w", "/data/s"), &cluster.Job{Dir: "/home"}, "the directory"},
		{data("/data/w", "/data/s"), &cluster.Job{Inputs: []cluster.Input{{Path: "/home/a.mrg"}}}, "the input /home/a.mrg"},
		{data("/data/w", "/data/..s"), inputs, ""},
		{data("/data/w", "/data/s"), &cluster.Job{Dir: "/data/x", Inputs: []cluster.Input{{Path: "../a.mrg"}}}, ""},
		{scriptCommand{Engine: "kubernetes", work: of("w"), Store: "s"}, &cluster.Job{}, ""},
	} {
		s, err := c.c.fill(c.j)
		if err != nil {
			t.Fatal(err)
		}
		err = s.refuse(&job{Task: cluster.Task{Job: c.j}})
		var e *index.UsageError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &e) || !strings.HasPrefix(e.Error(), c.want+" ")) {
			t.Errorf("%q %q: %v, want %s", c.c.Work, c.c.Store, err, c.want)
		}
	}
}

func of(dir string) work { return work{Work: dir} }
