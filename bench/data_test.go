package bench

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fstore/decode/read"
	"fstore/index"
)

// dataFile is the path of a file below FSTORE_DATA, or below data or beside it;
// the test is skipped where it is not there.
func dataFile(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("FSTORE_DATA")
	if dir == "" {
		t.Skip("FSTORE_DATA is not set")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("FSTORE_DATA: %v", err)
	}
	for _, place := range []string{".", "data", ".."} {
		path := filepath.Join(dir, place, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("%s: not there", name)
	return ""
}

// text is the content of a data file, decompressed.
func text(t testing.TB, name string) []byte {
	t.Helper()
	path := dataFile(t, name)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return b
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}

// readAll reads every sample of a data file.
func readAll(t testing.TB, name string) ([]*index.Tree, *index.Symbols) {
	t.Helper()
	return readWith(t, name, read.InputOptions{})
}

// readWith is readAll with options but for the symbols.
func readWith(t testing.TB, name string, o read.InputOptions) ([]*index.Tree, *index.Symbols) {
	t.Helper()
	s := index.NewSymbols()
	o.Symbols = s
	in, err := read.Open([]string{dataFile(t, name)}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var trees []*index.Tree
	for {
		var tree index.Tree
		err := in.Next(&tree)
		if err == io.EOF {
			return trees, s
		}
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, &tree)
	}
}
