package cli

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// streamed are command lines over a store s with the selection sel and the models m and l. Those with the key
// true print data.
var streamed = map[bool][]string{
	true: {
		"info s", "info s --cite", "info s --history", "query s", "query s @list.txt", "query s --selection sel",
		"examples s @list.txt", "count s @list.txt", "collocates s @slot.txt", "cluster script work s --engine make", "pattern s --sample t.mrg#1 --words 1,2", "contrast s a b", "linearize s t.mrg", "linearize s --training", "kernel t.mrg",
		"mine s --dry-run --explain --by chi2 --top 5 --positive a", "predict s --model m t.mrg", "export s sel -",
		"verify s", "verify s --repair", "cat t.mrg --to ptb", "draw s", "compare t.mrg t.mrg t.mrg", "python", "man", "guide stores",
		"completion bash", "version", "query --help",
	},
	false: {
		"build new t.mrg", "build s --append t.mrg", "build s --overwrite t.mrg", "mine s --name x --by support",
		"select s --from sel --name x --where true", "train s --name x --kernel stk", "import s list.txt --name x",
		"remove s --sample t.mrg#1", "reindex s", "query s -o x.tsv", "linearize s t.mrg -o x.svmlight --vocabulary v.tsv",
		"export s sel x.fst",
	},
}

// TestStreams runs commands with standard output and standard error that are closed, full or missing. Each
// command must end, with exit code 1 if data is lost. Stores and files must stay complete.
func TestStreams(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	scratch(t)
	write(t, "t.mrg", strings.Repeat("(S (NP (NN cat)) (VP (VB mo)))\n(S (NP (NN dog)) (VP (VB mo)))\n", 3))
	write(t, "labels.tsv", "t.mrg#1\ta\nt.mrg#2\tb\nt.mrg#3\ta\nt.mrg#4\tb\n")
	write(t, "list.txt", "(NP (NN))\n")
	write(t, "slot.txt", "(NN _)\n")
	fstore(t, "cluster", "init", "work", "--parts", "1", "--ranges", "1", "t.mrg", "-q")
	fstore(t, "build", "base", "t.mrg", "--labels-file", "labels.tsv", "-q")
	fstore(t, "mine", "base", "--name", "sel", "--by", "support", "--top", "5", "-q")
	fstore(t, "train", "base", "--name", "m", "--kernel", "stk", "-q")
	fstore(t, "verify", "base", "-q")
	self := program(t)
	tested := map[string]bool{}
	for prints, lines := range streamed {
		for _, line := range lines {
			args := strings.Fields(line)
			tested[args[0]] = true
			for _, c := range []struct {
				what           string
				stdout, stderr *os.File // nil: the stream is missing
				closed         string   // which streams the shell closes
				lost           bool
			}{
				{"stdout full", full, nil, "", prints},
				{"stderr full", nil, full, "", false},
				{"both full", full, full, "", prints},
				{"stdout closed", nil, nil, ">&-", false},
				{"stderr closed", nil, nil, "2>&-", false},
				{"both closed", nil, nil, ">&- 2>&-", false},
			} {
				if err := os.RemoveAll("new"); err != nil {
					t.Fatal(err)
				}
				if !sameFiles(t, "s", "base") {
					if err := errors.Join(os.RemoveAll("s"), os.CopyFS("s", os.DirFS("base"))); err != nil {
						t.Fatal(err)
					}
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `exec "$@" ` + c.closed, "sh", self}, args...)...)
				if c.stdout != nil {
					cmd.Stdout = c.stdout
				}
				if c.stderr != nil {
					cmd.Stderr = c.stderr
				}
				_ = cmd.Run()
				hung := ctx.Err()
				cancel()
				want := 0
				if c.lost {
					want = 1
				}
				if code := cmd.ProcessState.ExitCode(); code != want || hung != nil {
					t.Errorf("%s, %s: exit code %d, want %d; %v", line, c.what, code, want, hung)
				}
				if !sameFiles(t, "s", "base") {
					fstore(t, "verify", "s", "-q")
				}
				if exists("new") {
					fstore(t, "verify", "new", "-q")
				}
				for _, pattern := range []string{"*.tmp", ".*.tmp"} {
					if left, _ := filepath.Glob(pattern); len(left) > 0 {
						t.Errorf("%s, %s: left %v", line, c.what, left)
					}
				}
			}
		}
	}
	grammar := reflect.TypeFor[grammar]()
	for i := range grammar.NumField() {
		field := grammar.Field(i)
		if _, ok := field.Tag.Lookup("cmd"); !ok {
			continue
		}
		name := field.Tag.Get("name")
		if name == "" {
			name = strings.ToLower(field.Name)
		}
		if !tested[name] && name != "serve" { // serve prints one line and does not end
			t.Errorf("%s is not tested", name)
		}
	}
}

// sameFiles reports whether two directories have the same files. Then a check of one directory is also true
// for the other.
func sameFiles(t *testing.T, a, b string) bool {
	t.Helper()
	read := func(dir string) map[string]string {
		files := map[string]string{}
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if errors.Is(err, os.ErrNotExist) || err == nil && d.IsDir() {
				return nil
			}
			if err != nil {
				return err
			}
			text, err := os.ReadFile(path)
			files[strings.TrimPrefix(path, dir)] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	return maps.Equal(read(a), read(b))
}
