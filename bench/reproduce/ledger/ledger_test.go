package ledger

import (
	"os"
	"path/filepath"
	"testing"
)

// If the last line of a ledger is incomplete, the ledger continues after the last complete line.
func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	for range 2 {
		l, err := Open[int](path)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := l.Get("one", func() (int, error) { return 1, nil }); x != 1 || err != nil {
			t.Fatal(x, err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(`{"Name":"two"`); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	l, err := Open[int](path)
	if err != nil || len(l.found) != 1 || l.found["one"] != 1 {
		t.Fatal(l, err)
	}
	l.Close()
}
