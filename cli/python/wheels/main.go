// Wheels writes a Python wheel for each given fstore binary (make wheels). A wheel has the Python package
// fstore and one binary, which becomes a command of the Python environment. The same binaries give the same
// bytes.
//
//	wheels -version V -o DIR TAG=BINARY…
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"fstore/cli/python"
)

func main() {
	version := flag.String("version", "", "the version, as git describe has it")
	out := flag.String("o", ".", "the folder of the wheels")
	flag.Parse()
	for _, arg := range flag.Args() {
		tag, binary, _ := strings.Cut(arg, "=")
		name, err := write(*out, pep440(*version), tag, binary)
		if err != nil {
			fmt.Fprintln(os.Stderr, "wheels:", err)
			os.Exit(1)
		}
		fmt.Println(name)
	}
}

// described matches the output of git describe --tags --always --dirty.
var described = regexp.MustCompile(`^(?:v?([0-9]+(?:\.[0-9]+)*)(?:-[0-9]+-g([0-9a-f]+))?|([0-9a-f]+))(-dirty)?$`)

// pep440 returns a version in Python's format: 1.2, 1.2+gHASH, or 0.0.0+gHASH if there is no tag.
func pep440(version string) string {
	m := described.FindStringSubmatch(version)
	if m == nil {
		return "0.0.0+unknown"
	}
	release, hash := m[1], m[2]
	if !strings.Contains(version, ".") { // a hash; it may have only digits
		release, hash = "0.0.0", m[1]+m[3]
	}
	var local []string
	if hash != "" {
		local = append(local, "g"+hash)
	}
	if m[4] != "" {
		local = append(local, "dirty")
	}
	if len(local) == 0 {
		return release
	}
	return release + "+" + strings.Join(local, ".")
}

type wheel struct {
	zip    *zip.Writer
	record bytes.Buffer
}

// write writes the wheel of a binary and returns its path.
func write(dir, version, tag, binary string) (name string, err error) {
	program, err := os.ReadFile(binary)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w := wheel{zip: zip.NewWriter(&b)}
	command := "fstore"
	if strings.HasPrefix(tag, "win") {
		command += ".exe"
	}
	base := "fstore-" + version
	var errs []error
	errs = append(errs, fs.WalkDir(python.Package, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := fs.ReadFile(python.Package, path)
		return errors.Join(err, w.add(path, 0o644, source))
	}))
	errs = append(errs,
		w.add(base+".data/scripts/"+command, 0o755, program),
		w.add(base+".dist-info/METADATA", 0o644, fmt.Appendf(nil, metadata, version)),
		w.add(base+".dist-info/WHEEL", 0o644, fmt.Appendf(nil, "Wheel-Version: 1.0\nGenerator: fstore\nRoot-Is-Purelib: false\nTag: py3-none-%s\n", tag)),
	)
	fmt.Fprintf(&w.record, "%s.dist-info/RECORD,,\n", base)
	errs = append(errs, w.add(base+".dist-info/RECORD", 0o644, bytes.Clone(w.record.Bytes())), w.zip.Close())
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	name = filepath.Join(dir, base+"-py3-none-"+tag+".whl")
	return name, errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(name, b.Bytes(), 0o666))
}

// metadata is the METADATA file of the wheel, without the version.
const metadata = `Metadata-Version: 2.1
Name: fstore
Version: %s
Summary: An embedded database of tree fragments, and its fragments as features for scikit-learn
Requires-Python: >=3.9
Description-Content-Type: text/plain

The command fstore, and the package fstore: tables of constructions, and FragmentVectorizer, a
transformer of scikit-learn. fstore guide python has more.
`

// epoch is the time of all files in a wheel. ZIP has no earlier time.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// add adds a file to the wheel, and a line for it to RECORD.
func (w *wheel) add(name string, mode fs.FileMode, content []byte) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: epoch}
	h.SetMode(mode)
	f, err := w.zip.CreateHeader(h)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
	_, err = f.Write(content)
	return err
}
