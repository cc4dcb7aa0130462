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

// dataFile returns the path of a file below FSTORE_DATA, or below its folder data, or beside it. If the file
// is missing, the test is skipped.
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

// text returns the decompressed content of a data file.
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

// readWith does what readAll does, with options. It sets the symbols itself.
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
