package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"fstore/index"
	"fstore/store/disk"
)

// helperEnv makes the test binary a process that opens a store, says how that
// went, and holds it until its standard input ends.
const helperEnv = "FSTORE_TEST_OPEN"

func TestMain(m *testing.M) {
	how, dir, ok := strings.Cut(os.Getenv(helperEnv), " ")
	if !ok {
		debug.SetGCPercent(400) // small stores are made by the hundred
		os.Exit(m.Run())
	}
	fmt.Println(holdStore(how, dir))
}

func holdStore(how, dir string) string {
	var closer func() error
	switch how {
	case "read":
		s, err := Open(dir, Options{})
		if err != nil {
			return err.Error()
		}
		closer = s.Close
		n := 0
		err = s.Samples(0, s.Meta().Samples, func(uint32, *index.Tree) error { n++; return nil })
		if err != nil || n == 0 {
			return fmt.Sprint(n, " samples, ", err)
		}
	case "append", "overwrite":
		w, err := Begin(dir, WriteOptions{Mode: map[string]Mode{"append": Append, "overwrite": Overwrite}[how]})
		if err != nil {
			return err.Error()
		}
		closer = w.Abort
	}
	fmt.Println("holding")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return fmt.Sprint("closed ", closer())
}

// holder is a process that helperEnv starts.
type holder struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func hold(t *testing.T, how, dir string) (h *holder, said string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h = &holder{cmd: exec.Command(exe)}
	h.cmd.Env = append(os.Environ(), helperEnv+"="+how+" "+dir)
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
	said, err = h.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return h, strings.TrimSpace(said)
}

func (h *holder) release(t *testing.T) {
	t.Helper()
	_ = h.in.Close()
	_, _ = io.Copy(io.Discard, h.out)
	if err := h.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// tempDir is t.TempDir without os.RemoveAll, which not every system under a Windows program has.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "fstore-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := disk.RemoveAll(vfs.Default, dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestProcesses: any number of processes can read at the same time, and one process can write.
func TestProcesses(t *testing.T) {
	dir := tempDir(t) + "/db"
	if err := build(vfs.Default, dir, Create, 20, 100); err != nil {
		t.Fatal(err)
	}
	locked := "store is locked"
	wantSays := func(how, want string) {
		t.Helper()
		h, said := hold(t, how, dir)
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", how, said, want)
		}
		h.release(t)
	}
	var readers []*holder
	for range 3 {
		h, said := hold(t, "read", dir)
		if said != "holding" {
			t.Fatal(said)
		}
		readers = append(readers, h)
	}
	s, err := Open(dir, Options{}) // in this process too, twice
	if err != nil {
		t.Fatal(err)
	}
	s2, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s2.Close(); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"append", "overwrite"} { // readers keep no writer out
		wantSays(how, "holding")
		h, said := hold(t, how, dir)
		if said != "holding" {
			t.Fatal(said)
		}
		wantSays("append", locked)
		wantSays("overwrite", locked)
		wantSays("read", "holding")
		for _, mode := range []Mode{Append, Overwrite} {
			if _, err := Begin(dir, WriteOptions{Mode: mode}); !errors.Is(err, ErrLocked) {
				t.Errorf("mode %d while another writes: %v", mode, err)
			}
		}
		h.release(t)
		if err := build(vfs.Default, dir, Overwrite, 20, 100); err != nil {
			t.Errorf("overwrite while others read: %v", err)
		}
	}
	for _, h := range readers {
		h.release(t)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	fresh, said := hold(t, "overwrite", dir+"2")
	if said != "holding" {
		t.Fatal(said)
	}
	w, err := Begin(dir+"2", WriteOptions{})
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "another process is building it") {
		t.Error(w, err)
	}
	fresh.release(t)
	if _, err := os.Stat(dir + "2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left by a build that was given up: %v", err)
	}

	h, said := hold(t, "append", dir)
	if said != "holding" {
		t.Fatal(said)
	}
	wantSays("overwrite", locked)
	if err := h.cmd.Process.Kill(); err != nil { // a killed writer holds nothing
		t.Fatal(err)
	}
	_ = h.cmd.Wait()
	wantSound(t, vfs.Default, dir)
	if err := build(vfs.Default, dir, Append, 25, 100); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, vfs.Default, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestReadingWritesNothing reads a store on a file system that refuses to write,
// in a directory that nobody may write to.
func TestReadingWritesNothing(t *testing.T) {
	dir := tempDir(t) + "/db"
	if err := build(vfs.Default, dir, Create, 20, 100); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o777)
	noWrite := errorfs.Wrap(vfs.Default, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			return fmt.Errorf("wrote: kind %d, %s", op.Kind, op.Path)
		}
		return nil
	}))
	wantSound(t, noWrite, dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir + "/" + lockName); err != nil { // copied without it
		t.Fatal(err)
	}
	wantSound(t, vfs.Default, dir)
}
