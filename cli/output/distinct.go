package output

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"fstore/index"
)

// Named is a flag and the file that it names. File is "" if the flag is not given.
type Named struct{ Flag, File string }

// Harmless returns an error if two outputs are the same file, even under different names. It also returns an
// error if an output is an input, a directory or inside a store. Several outputs can go to one device.
func Harmless(outputs []Named, inputs func() []Named, stdout io.Writer, isStore func(dir string) bool) error {
	read := sync.OnceValue(func() (all []location) {
		for _, in := range inputs() {
			if in.File != "" && !IsStdout(in.File) {
				all = append(all, locate(in))
			}
		}
		return all
	})
	var before []location
	for _, f := range outputs {
		if f.File == "" || isDevice(f.File) {
			continue
		}
		p := locate(f)
		if e := slices.IndexFunc(before, p.same); e >= 0 {
			if IsStdout(f.File) {
				return index.Usagef("%s and %s are both standard output: give one of them a FILE", before[e].Flag, f.Flag)
			}
			return index.Usagef("%s and %s both name %s: give each a file of its own", before[e].Flag, f.Flag, f.File)
		}
		before = append(before, p)
		var err error
		if IsStdout(f.File) {
			err = apartFromStdout(f, read, stdout)
		} else {
			err = p.harmless(read(), isStore)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// location is a file that a flag names, with the path that it leads to.
type location struct {
	Named
	to   string      // the path; "" for standard output
	info os.FileInfo // of the file at the path; nil if there is none
}

func locate(f Named) location {
	if IsStdout(f.File) {
		return location{Named: f}
	}
	p := location{Named: f, to: target(f.File)}
	if info, err := os.Stat(f.File); err == nil {
		p.info = info
	}
	return p
}

// same reports whether two names mean the same file, perhaps through hard links.
func (p location) same(o location) bool {
	return p.to == o.to || p.info != nil && o.info != nil && os.SameFile(p.info, o.info)
}

// harmless makes the checks of Harmless for one output file.
func (p location) harmless(read []location, isStore func(dir string) bool) error {
	if in := slices.IndexFunc(read, p.same); in >= 0 {
		return index.Usagef("%s %s is the %s %s: give it a file of its own", p.Flag, p.File, read[in].Flag, read[in].File)
	}
	if p.info != nil && p.info.IsDir() {
		return index.Usagef("%s %s is a directory: give it a file", p.Flag, p.File)
	}
	if dir := StoreAbove(p.to, isStore); dir != "" {
		return index.Usagef("%s %s is in the store %s: write it elsewhere", p.Flag, p.File, dir)
	}
	return nil
}

// StoreAbove returns the store directory that contains a path, at any depth, or "" if there is none.
func StoreAbove(path string, isStore func(dir string) bool) string {
	for dir := filepath.Dir(target(path)); ; dir = filepath.Dir(dir) {
		switch {
		case isStore(dir):
			return dir
		case dir == filepath.Dir(dir):
			return ""
		}
	}
}

// apartFromStdout returns an error if the shell has redirected standard output to one of the inputs.
func apartFromStdout(f Named, read func() []location, stdout io.Writer) error {
	file, ok := stdout.(*os.File)
	if !ok {
		return nil
	}
	out, err := file.Stat()
	if err != nil || !out.Mode().IsRegular() {
		return nil
	}
	for _, in := range read() {
		if in.info != nil && os.SameFile(in.info, out) {
			return index.Usagef("%s goes to the %s %s: give it a file of its own", f.Flag, in.Flag, in.File)
		}
	}
	return nil
}

// isDevice reports whether file is a device or a terminal, which is written to and never replaced.
func isDevice(file string) bool {
	if IsStdout(file) {
		return false
	}
	info, err := os.Stat(file)
	return err == nil && info.Mode()&fs.ModeDevice != 0
}
