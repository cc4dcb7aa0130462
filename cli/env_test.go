package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli/command"
	"fstore/cli/progress"
	"fstore/cli/table"
	"fstore/index"
	"fstore/store/filetest"
)

// testEnv is an environment in memory.
func testEnv(quiet bool) (e *command.Env, stdout, stderr *bytes.Buffer) {
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	r := progress.New(stderr, progress.Options{Quiet: quiet})
	return &command.Env{
		Stdin: strings.NewReader(""), Stdout: stdout, Progress: r, FS: vfs.NewMem(), Quiet: quiet,
		Messages: command.Messenger{W: r},
	}, stdout, stderr
}

func TestOneOutputRule(t *testing.T) {
	columns := []table.Column{{Name: "fragment"}, {Name: "support", Kind: table.Uint}}
	row := table.NewRow(2)
	row.SetString(0, "(NP)")
	row.SetUint(1, 1204)
	for _, c := range []struct {
		flags command.OutputFlags
		want  string
	}{
		{command.OutputFlags{}, "fragment\tsupport\n(NP)\t1204\n"},
		{command.OutputFlags{Out: "-"}, "fragment\tsupport\n(NP)\t1204\n"},
		{command.OutputFlags{Format: "table"}, "fragment  support\n(NP)        1,204\n"},
		{command.OutputFlags{Out: "x.csv"}, "fragment,support\n(NP),1204\n"},
		{command.OutputFlags{Out: "x.jsonl"}, `{"fragment":"(NP)","support":1204}` + "\n"},
		{command.OutputFlags{Out: "x.csv", Format: "tsv"}, "fragment\tsupport\n(NP)\t1204\n"},
		{command.OutputFlags{Out: "x"}, "fragment\tsupport\n(NP)\t1204\n"},
	} {
		e, stdout, _ := testEnv(false)
		w, err := e.Table(c.flags, columns)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		got := stdout.String()
		if got == "" {
			got = string(filetest.Read(t, e.FS, c.flags.Out))
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.flags, got, c.want)
		}
	}

	e, stdout, _ := testEnv(false)
	var u *index.UsageError
	if _, err := e.Table(command.OutputFlags{Format: "xml"}, columns); !errors.As(err, &u) {
		t.Error(err)
	}
	if err := e.Record(command.OutputFlags{Format: "jsonl"}, columns, row); err != nil || stdout.String() != `{"fragment":"(NP)","support":1204}`+"\n" {
		t.Errorf("%q, %v", stdout.String(), err)
	}
	// If an error occurs before Commit, there is no file.
	w, err := e.Table(command.OutputFlags{Out: "gone.tsv"}, columns)
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if names, _ := e.FS.List(""); len(names) != 0 {
		t.Error(names)
	}
}

func TestNotes(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		e, _, stderr := testEnv(quiet)
		e.Note("%d of %d hits", 50, 1204)
		e.Warn("rows no longer match")
		want := "50 of 1204 hits\nfstore: rows no longer match\n"
		if quiet {
			want = "fstore: rows no longer match\n"
		}
		if stderr.String() != want {
			t.Errorf("%q", stderr.String())
		}
	}
}
