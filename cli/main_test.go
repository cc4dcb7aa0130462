package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// result has the output of a run and its exit code.
type result struct {
	code           int
	stdout, stderr string
}

// runIn runs a command line with this standard input.
func runIn(stdin io.Reader, args ...string) result {
	var out, errs bytes.Buffer
	code := Execute(context.Background(), vfs.Default, args, stdin, &out, &errs)
	return result{code, out.String(), errs.String()}
}

// fstore runs a command line that must succeed, and returns what it prints.
func fstore(t *testing.T, args ...string) string {
	t.Helper()
	r := runIn(strings.NewReader(""), args...)
	if r.code != 0 {
		t.Fatalf("fstore %s: exit code %d\n%s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// scratch makes an empty directory and changes to it.
func scratch(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ls lists the current directory.
func ls(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// sampleFiles are the treebanks that the repository ships.
func sampleFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../bench/sample/*.mrg")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for i := range files {
		if files[i], err = filepath.Abs(files[i]); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
