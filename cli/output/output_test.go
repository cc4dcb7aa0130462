package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"fstore/index"
	"fstore/store/filetest"
)

func TestPick(t *testing.T) {
	formats := []Format{
		{Name: "table"},
		{Name: "tsv", Extensions: []string{"tab"}},
		{Name: "jsonl", Extensions: []string{"ndjson"}},
		{Name: "npz", Binary: true},
	}
	for _, c := range []struct {
		flag, file string
		terminal   bool
		want       string
	}{
		{"", "", false, "table"},
		{"", "-", true, "table"},
		{"jsonl", "", true, "jsonl"},
		{"", "a.tsv", true, "tsv"},
		{"", "dir.npz/a.TAB", false, "tsv"},
		{"", "a.ndjson", false, "jsonl"},
		{"", "a.npz", true, "npz"},
		{"npz", "", false, "npz"},
		{"tsv", "a.npz", false, "tsv"},
		{"", "a.txt", false, "table"},
		{"", "a", false, "table"},
	} {
		got, err := Pick(formats, c.flag, c.file, "table", c.terminal)
		if got != c.want || err != nil {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
	var u *index.UsageError
	for _, file := range []string{"a.mtx", "a.feather", "a.H5", "a.tsv.gz"} {
		if _, err := Pick(formats, "", file, "table", false); !errors.As(err, &u) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := Pick(formats, "xml", "", "table", false); !errors.As(err, &u) || !strings.Contains(err.Error(), "table, tsv, jsonl, npz") {
		t.Error(err)
	}
	if _, err := Pick(formats, "npz", "", "table", true); !errors.As(err, &u) {
		t.Error(err)
	}
}

const old, whole = "old", "new contents\n"

// write makes a file by three writes. One of them is larger than the buffer.
func write(fs vfs.FS, path string) error {
	s, err := Create(fs, path)
	if err != nil {
		return err
	}
	defer s.Abort()
	for _, part := range []string{"new ", "contents\n", strings.Repeat("x", 3*bufferSize)} {
		if _, err := io.WriteString(s, part); err != nil {
			return err
		}
	}
	return s.Commit()
}

func read(t *testing.T, fs vfs.FS, path string) string {
	t.Helper()
	f, err := fs.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(t *testing.T, fs vfs.FS, path, text string) {
	t.Helper()
	filetest.Write(t, fs, path, []byte(text))
}

// TestInjectedFailures lets each file system operation fail, one after another. The file must be the old or
// the new one and complete, and no other file may stay beside it.
func TestInjectedFailures(t *testing.T) {
	for _, exists := range []bool{false, true} {
		for k := int32(0); ; k++ {
			mem := vfs.NewMem()
			if err := mem.MkdirAll("/d", 0o755); err != nil {
				t.Fatal(err)
			}
			before := ""
			if exists {
				before = old
				put(t, mem, "/d/out.tsv", old)
			}
			// Only one operation fails, so the clean-up after it works, as on a full disk.
			index := errorfs.OnIndex(k)
			err := write(errorfs.Wrap(mem, errorfs.ErrInjected.If(index)), "/d/out.tsv")
			got := read(t, mem, "/d/out.tsv")
			if got != before && (len(got) != len(whole)+3*bufferSize || !strings.HasPrefix(got, whole)) {
				t.Fatalf("operation %d failed, and left %d bytes", k, len(got))
			}
			if err == nil && got == before {
				t.Fatalf("operation %d failed unnoticed", k)
			}
			if err != nil && !strings.Contains(err.Error(), "injected error") {
				t.Fatal(err)
			}
			names, e := mem.List("/d")
			if e != nil {
				t.Fatal(e)
			}
			for _, name := range names {
				if name != "out.tsv" {
					t.Fatalf("operation %d failed, and left %s", k, name)
				}
			}
			if index.Load() >= 0 { // operation k does not exist, so each operation has failed once
				if k < 6 {
					t.Fatalf("only %d operations", k)
				}
				break
			}
		}
	}
}

// TestCrash simulates a power failure after each operation. All files that were synced must be complete.
func TestCrash(t *testing.T) {
	fs := vfs.NewCrashableMem()
	if err := fs.MkdirAll("/d", 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := fs.OpenDir("/d")
	if err != nil {
		t.Fatal(err)
	}
	root, err := fs.OpenDir("/")
	if err != nil {
		t.Fatal(err)
	}
	put(t, fs, "/d/out.tsv", old)
	if err := errors.Join(dir.Sync(), root.Sync()); err != nil {
		t.Fatal(err)
	}
	s, err := Create(fs, "/d/out.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(s, whole); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, fs.CrashClone(vfs.CrashCloneCfg{}), "/d/out.tsv"); got != old {
		t.Errorf("before Commit: %q", got)
	}
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, fs.CrashClone(vfs.CrashCloneCfg{}), "/d/out.tsv"); got != whole {
		t.Errorf("after Commit: %q", got)
	}
}

func TestAbort(t *testing.T) {
	mem := vfs.NewMem()
	put(t, mem, "out", old)
	s, err := Create(mem, "out")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(s, whole); err != nil {
		t.Fatal(err)
	}
	s.Abort()
	s.Abort()
	if err := s.Commit(); err != nil {
		t.Error(err)
	}
	if names, _ := mem.List(""); read(t, mem, "out") != old || len(names) != 1 {
		t.Error(names)
	}
}

// Two sinks with the same name are open at once. Each has its own temporary file, and the file of the last
// Commit is complete.
func TestTwice(t *testing.T) {
	mem := vfs.NewMem()
	a, err := Create(mem, "out")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Create(mem, "out")
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := mem.List(""); len(names) != 2 {
		t.Error(names)
	}
	fmt.Fprint(a, "first")
	fmt.Fprint(b, "second")
	if err := errors.Join(a.Commit(), b.Commit()); err != nil || read(t, mem, "out") != "second" {
		t.Errorf("%q, %v", read(t, mem, "out"), err)
	}
	if names, _ := mem.List(""); len(names) != 1 {
		t.Error(names)
	}
}

func TestHarmless(t *testing.T) {
	t.Chdir(t.TempDir())
	links := errors.Join(
		os.Mkdir("dir", 0o777), os.Mkdir("store", 0o777),
		os.WriteFile("here", nil, 0o600), os.WriteFile("store/FSTORE", nil, 0o600),
		os.Link("here", "hard"), os.Symlink("here", "soft"), os.Symlink("new", "nowhere"),
		os.Symlink("dir", "folder"), os.Symlink(os.DevNull, "null"), os.Symlink("store/FSTORE", "seal"),
	)
	if links != nil {
		t.Skip(links)
	}
	abs, err := filepath.Abs("out")
	if err != nil {
		t.Fatal(err)
	}
	isStore := func(dir string) bool { return filepath.Base(dir) == "store" }
	for _, c := range []struct{ a, b, input, want string }{
		{"out", "out", "", "-o and --ids-file both name out"},
		{"out", "x/../out", "", "-o and --ids-file both name"},
		{"out", abs, "", "-o and --ids-file both name"},
		{"here", "hard", "", "-o and --ids-file both name"},
		{"new", "nowhere", "", "-o and --ids-file both name nowhere"},
		{"dir/out", "folder/out", "", "-o and --ids-file both name"},
		{"-", "-", "", "-o and --ids-file are both standard output"},
		{"-", "/dev/stdout", "", "-o and --ids-file are both standard output"},
		{"here", "", "hard", "-o here is the input hard"},
		{"", "soft", "here", "--ids-file soft is the input here"},
		{"new", "", "nowhere", "-o new is the input nowhere"},
		{"dir", "", "", "-o dir is a directory"},
		{"folder", "", "", "-o folder is a directory"},
		{"store/new", "", "", "-o store/new is in the store "},
		{"seal", "", "", "-o seal is in the store "},
		{"out", "-", "", ""},
		{"out", "", "here", ""},
		{"", "", "", ""},
		{"out", "out2", "-", ""},
		{os.DevNull, os.DevNull, os.DevNull, ""},
		{os.DevNull, "null", "null", ""},
		{"no/such/out", "out", "no/such/in", ""},
	} {
		err := Harmless([]Named{{"-o", c.a}, {"--log", ""}, {"--ids-file", c.b}}, func() []Named { return []Named{{"input", c.input}} }, nil, isStore)
		var u *index.UsageError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &u) || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}

	// The shell has opened the file that standard output is appended to.
	stdout, err := os.OpenFile("here", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	err = Harmless([]Named{{"the output", "-"}}, func() []Named { return []Named{{"input", "soft"}} }, stdout, isStore)
	if err == nil || err.Error() != "the output goes to the input soft: give it a file of its own" {
		t.Error(err)
	}
}

func TestOperatingSystem(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.tsv")
	for range 2 {
		if err := write(vfs.Default, path); err != nil {
			t.Fatal(err)
		}
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Error(names)
	}
	// A link keeps pointing at its file.
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err == nil {
		s, err := Create(vfs.Default, link)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(s, whole)
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(path); string(b) != whole {
			t.Errorf("%q", b)
		}
		if _, err := os.Readlink(link); err != nil {
			t.Error("the link was replaced")
		}
	}
	for file, want := range map[string]string{
		dir:                              "is a directory",
		filepath.Join(dir, "no", "such"): "write " + filepath.Join(dir, "no", "such") + ": ",
	} {
		if _, err := Create(vfs.Default, file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	// A device is written to directly.
	if _, err := os.Stat(os.DevNull); err == nil && os.DevNull == "/dev/null" {
		if err := write(vfs.Default, os.DevNull); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
			t.Fatal("/dev/null was replaced")
		}
	}
}

// broken fails every write.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestStdout(t *testing.T) {
	var b strings.Builder
	s, err := Open(nil, "-", &b)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(s, "one\n")
	if b.Len() != 0 {
		t.Error("not buffered")
	}
	s.Abort() // the rows before an error are not lost
	if b.String() != "one\n" {
		t.Errorf("%q", b.String())
	}

	for _, c := range []struct {
		err  error
		pipe bool
		text string
	}{
		{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, true, ""},
		{io.ErrClosedPipe, true, ""},
		{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}, false, "write standard output: no space left on device"},
	} {
		s := Stdout(broken{c.err})
		fmt.Fprint(s, "one\n")
		err := s.Commit()
		if errors.Is(err, ErrClosedPipe) != c.pipe || !c.pipe && err.Error() != c.text {
			t.Errorf("%v: %v", c.err, err)
		}
	}
}
