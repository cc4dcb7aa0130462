package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sys/windows"
)

func mkfifo(string) error { return errors.ErrUnsupported }

// TestSharingViolation: a reader has FSTORE open and forbids deletion. FSTORE is replaced as soon as the
// reader closes it.
func TestSharingViolation(t *testing.T) {
	_, dir := osStore(t, oldSamples)
	name, err := windows.UTF16PtrFromString(filepath.Join(dir, sealName))
	if err != nil {
		t.Fatal(err)
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	closed := time.AfterFunc(time.Second, func() { _ = windows.CloseHandle(h) })
	defer closed.Stop()
	if err := build(vfs.Default, dir, Append, newSamples, 5); err != nil {
		t.Fatal(err)
	}
	wantSamples(t, vfs.Default, dir, newSamples)
	if _, err := os.Stat(filepath.Join(dir, sealName+tempSuffix)); err == nil {
		t.Error("FSTORE.tmp is left")
	}
}
