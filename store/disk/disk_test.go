package disk

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// write commits a change of db that puts a key.
func write(f vfs.FS, mode Mode, key string) error {
	c, err := Begin("db", Options{FS: f, Mode: mode})
	if err != nil {
		return err
	}
	_, err = c.Anew()
	if err == nil {
		t := c.Table()
		err = errors.Join(t.Put([]byte(key), []byte("value")), t.Close(nil), c.Ingest(nil, nil))
	}
	if err != nil {
		return errors.Join(err, c.Abort())
	}
	return c.Commit(context.Background(), func([]string) ([]byte, error) { return []byte("copy"), nil })
}

// wantKeys compares the keys of db.
func wantKeys(t *testing.T, f vfs.FS, want ...string) {
	t.Helper()
	b, err := OpenToRead("db", Options{FS: f})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = b.Scan("keys", nil, nil, func(key, _ []byte) error {
		got = append(got, string(key))
		return nil
	})
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("keys %q, want %q", got, want)
	}
}

// busyError is the error of a rename while another process has the file open. On Windows it is a sharing
// violation.
var busyError = map[bool]syscall.Errno{false: syscall.EBUSY, true: 32}[runtime.GOOS == "windows"]

// failingRename is a file system on which the first renames of a path fail with err.
func failingRename(mem vfs.FS, path string, times int, err error) vfs.FS {
	return errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind != errorfs.OpRename || op.Path != path || times == 0 {
			return nil
		}
		times--
		return &fs.PathError{Op: "rename", Path: path, Err: err}
	}))
}

// TestBusyRename is for systems where an open file cannot be replaced. If a reader has FSTORE open for a
// moment, the run still succeeds. If a reader has it open for longer, the run fails, and the store is the old
// one.
func TestBusyRename(t *testing.T) {
	if patience != 5*time.Second {
		t.Errorf("patience is %v", patience)
	}
	defer func(d time.Duration) { patience = d }(patience)
	patience = 200 * time.Millisecond
	for mode, want := range map[Mode][]string{Append: {"a", "b"}, Overwrite: {"b"}} {
		mem := vfs.NewMem()
		if err := write(mem, Create, "a"); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if err := write(failingRename(mem, "db/FSTORE.tmp", -1, busyError), mode, "b"); !errors.Is(err, busyError) {
			t.Errorf("mode %d: %v", mode, err)
		}
		if waited := time.Since(begun); waited < patience {
			t.Errorf("mode %d: gave up after %v", mode, waited)
		}
		wantKeys(t, mem, "a")
		if err := write(failingRename(mem, "db/FSTORE.tmp", 3, busyError), mode, "b"); err != nil {
			t.Errorf("mode %d: %v", mode, err)
		}
		wantKeys(t, mem, want...)
	}
}

// FuzzSeal: bytes of a stranger cause no panic. A seal that was read is written again as the same text.
func FuzzSeal(f *testing.F) {
	f.Add((&seal{version: FormatVersion, next: 3, files: []File{{"000001.sst", 5, 6}}, old: []oldFile{{"000000.sst", 5, 1}}}).encode())
	f.Add([]byte("fstore 1\nopen\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		mem := vfs.NewMem()
		d := Dir{mem, "db"}
		err := mem.MkdirAll("db", 0o777)
		for name, b := range map[string][]byte{sealName: b, copyName(1): summed(b), copyName(2): b} {
			err = errors.Join(err, writeFile(mem, d.Join(name), b))
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := d.readSeal(&Options{Again: func(copies [][]byte) string { return string(copies[0]) }})
		if err == nil && s.version == FormatVersion {
			if err := d.replace(sealName, s.encode()); err != nil {
				t.Fatal(err)
			}
			if again, err := d.readSeal(&Options{}); err != nil || !slices.Equal(again.files, s.files) || !slices.Equal(again.old, s.old) {
				t.Fatalf("%+v, %v", again, err)
			}
		}
		if copies := d.copies(nil); len(copies) == 0 || string(copies[len(copies)-1]) != string(b) {
			t.Fatalf("copies %q", copies)
		}
	})
}
