package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"fstore/cli/command"
)

// TestInputs reads unusual inputs. It compares the exit code, the message, and the output on lines that begin
// with |. The commands:
//
//	file NAME     writes the input to a file
//	cat TO        prints the input in the format TO
//	build         builds a store of the input, and prints what it holds
//
// The arguments:
//
//	file=NAME     names the input file; the default is x
//	flags=(…)     flags of the command
//	skip          --on-error skip
//	stdin         standard input instead of a file
//	go-escapes    lines are Go string literals without quotes
//	no-newline    the input has no newline at its end
func TestInputs(t *testing.T) {
	datadriven.Walk(t, filepath.Join("testdata", "inputs"), func(t *testing.T, path string) {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(t.TempDir())
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return oddInput(t, d)
		})
	})
}

func oddInput(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	name, text := "x", d.Input+"\n"
	var args []string
	var stdin bytes.Buffer
	switch d.Cmd {
	case "cat":
		args = []string{"cat", "--to", d.CmdArgs[0].Key}
	case "build":
		args = []string{"build", "s", "--overwrite", "--quiet"}
	case "file":
		name = d.CmdArgs[0].Key
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	input := ""
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "file":
			name = a.Vals[0]
		case "flags":
			args = append(args, a.Vals...)
		case "skip":
			args = append(args, "--on-error", "skip")
		case "stdin":
			input = "-"
		case "go-escapes":
			u, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(text, `"`, `\"`), "\n", `\n`) + `"`)
			if err != nil {
				t.Fatal(err)
			}
			text = u
		case "no-newline":
			text = strings.TrimSuffix(text, "\n")
		}
	}
	if d.Input != "" || d.HasArg("empty") || d.Cmd == "file" {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if d.Cmd == "file" {
		return ""
	}
	if input == "-" {
		stdin.WriteString(text)
	} else {
		input = name
	}
	if err := os.RemoveAll("s"); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := Main(append(args, input), &stdin, &stdout, &stderr)
	if d.Cmd == "build" && code == command.ExitDone {
		code = Main([]string{"info", "s", "--format", "jsonl"}, &stdin, &stdout, &stderr)
		line, _, _ := strings.Cut(stdout.String(), `,"bytes"`)
		line, _, _ = strings.Cut(line, `,"trees"`)
		stdout.Reset()
		stdout.WriteString(line + "\n")
	}
	if _, err := os.Stat("s"); d.Cmd == "build" && code != command.ExitDone && err == nil {
		t.Errorf("%s: a store was left", d.Pos)
	}
	out := "exit " + strconv.Itoa(code) + "\n" + stderr.String()
	for line := range strings.Lines(stdout.String()) {
		out += strings.TrimRight("| "+line, " \n") + "\n"
	}
	return out
}
