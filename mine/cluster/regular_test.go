//go:build unix

package cluster

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sys/unix"

	"fstore/store"
)

// TestFIFO: a FIFO in the place of a file counts as damage, and nothing waits for its bytes.
func TestFIFO(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(dir, jobName), 0o600); err != nil {
		t.Skip(err)
	}
	if _, _, err := readJob(vfs.Default, dir); !errors.Is(err, store.ErrDamaged) {
		t.Fatal(err)
	}
}
