package store

import (
	"errors"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/store/filetest"
)

var errAny = errors.New("any error")

func TestBeginRefuses(t *testing.T) {
	fs := vfs.NewMem()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(build(fs, "db", Create, 10, 10))
	must(fs.MkdirAll("empty", 0o777))
	must(fs.MkdirAll("other", 0o777))
	filetest.Write(t, fs, "other/file", nil)
	filetest.Write(t, fs, "file", nil)
	must(fs.MkdirAll("newer", 0o777))
	filetest.Write(t, fs, "newer/"+sealName, []byte("fstore 4\n"))
	must(fs.MkdirAll("older", 0o777))
	filetest.Write(t, fs, "older/"+sealName, []byte("fstore 0\n"))
	for _, c := range []struct {
		dir  string
		mode Mode
		want error
	}{
		{"db", Create, ErrExists},
		{"other", Create, ErrNotEmpty},
		{"other", Append, ErrNotEmpty},
		{"other", Overwrite, ErrNotEmpty},
		{"file", Create, ErrNotStore},
		{"", Create, errAny},
		{"absent", Append, ErrNotStore},
		{"empty", Append, ErrNotStore},
		{"newer", Create, ErrExists},
		{"newer", Append, ErrVersion},
		{"older", Append, ErrVersion},
		{"db", Append, nil},
		{"db", Overwrite, nil},
		{"db/", Overwrite, nil},
		{"empty", Create, nil},
		{"new", Overwrite, nil},
		{"newer", Overwrite, nil},
	} {
		w, err := Begin(c.dir, WriteOptions{Options: Options{FS: fs}, Mode: c.mode})
		if !errors.Is(err, c.want) && (err == nil || c.want != errAny) {
			t.Errorf("Begin(%q, %d) = %v, want %v", c.dir, c.mode, err, c.want)
		}
		if err == nil {
			if err := w.Abort(); err != nil {
				t.Errorf("Abort: %v", err)
			}
		} else {
			t.Log(err)
		}
	}
	wantSound(t, fs, "db")
	names, err := fs.List("")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	if d := cmp.Diff([]string{"db", "empty", "file", "newer", "older", "other"}, names); d != "" {
		t.Errorf("left behind (-want +got):\n%s", d)
	}
}

func TestOpenRefuses(t *testing.T) {
	fs := vfs.NewMem()
	_ = fs.MkdirAll("empty", 0o777)
	_ = fs.MkdirAll("newer", 0o777)
	filetest.Write(t, fs, "newer/"+sealName, []byte("fstore 4\n"))
	filetest.Write(t, fs, "file", nil)
	for dir, want := range map[string]error{
		"absent": ErrNotStore, "empty": ErrNotStore, "file": ErrNotStore, "newer": ErrVersion,
	} {
		if _, err := Open(dir, Options{FS: fs}); !errors.Is(err, want) {
			t.Errorf("Open(%q) = %v, want %v", dir, err, want)
		}
	}
}

// TestOpenFilesStay runs on a file system where an open file cannot be removed.
func TestOpenFilesStay(t *testing.T) {
	fs := vfs.NewMem()
	fs.UseWindowsSemantics(true)
	for i, mode := range []Mode{Create, Append, Overwrite} {
		if err := build(fs, "db", mode, 10+i, 100); err != nil {
			t.Fatal(mode, err)
		}
		if left := wantSound(t, fs, "db"); len(left) > 0 {
			t.Errorf("mode %d: %v", mode, left)
		}
	}
}
