//go:build unix

package read

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"fstore/index"
)

// A pipe is read when somebody writes into it. Until then, reading waits, at most until the context ends.
func TestNamedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.mrg")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	var tree index.Tree
	next := func(ctx context.Context) error {
		in, err := Open([]string{pipe}, InputOptions{Symbols: index.NewSymbols(), Context: ctx})
		if err != nil {
			return err
		}
		defer in.Close()
		return in.Next(&tree)
	}
	if err := next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%v", err)
	}
	// The open that was given up ends when the first writer comes. The pipe is then closed.
	w, err := os.OpenFile(pipe, os.O_RDWR, 0) // which waits for no reader
	if err != nil {
		t.Skip(err)
	}
	defer w.Close()
	if _, err := w.WriteString("(S (NP a))\n"); err != nil {
		t.Fatal(err)
	}
	if err := next(context.Background()); err != nil || len(tree.Nodes) != 3 {
		t.Fatalf("%v, %d nodes", err, len(tree.Nodes))
	}
}
