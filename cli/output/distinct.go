package output

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fstore/cli/usage"
)

// Named is a file that a flag names, "" where it is not given.
type Named struct{ Flag, File string }

// Harmless refuses outputs that would do harm: two of one path, one that is an input or a
// directory, and one in a directory of which isStore says that it is a store. A file counts
// by whatever name it has. Devices take any number of outputs. The flag of an input says what
// it is.
func Harmless(outputs, inputs []Named, stdout io.Writer, isStore func(dir string) bool) error {
	for i, f := range outputs {
		var err error
		switch {
		case f.File == "" || isDevice(f.File):
			continue
		case IsStdout(f.File):
			err = apartFromStdout(f, inputs, stdout)
		default:
			err = harmless(f, inputs, isStore)
		}
		if e := slices.IndexFunc(outputs[:i], func(e Named) bool { return e.File != "" && same(e.File, f.File) }); e >= 0 {
			err = usage.Errorf("%s and %s both name %s: give each a file of its own", outputs[e].Flag, f.Flag, f.File)
			if IsStdout(f.File) {
				err = usage.Errorf("%s and %s are both standard output: give one of them a FILE", outputs[e].Flag, f.Flag)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// harmless is Harmless of one output that is a file.
func harmless(f Named, inputs []Named, isStore func(dir string) bool) error {
	for _, in := range inputs {
		if in.File != "" && !IsStdout(in.File) && same(in.File, f.File) {
			return usage.Errorf("%s %s is the %s %s: give it a file of its own", f.Flag, f.File, in.Flag, in.File)
		}
	}
	to := target(f.File)
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		return usage.Errorf("%s %s is a directory: give it a file", f.Flag, f.File)
	}
	if dir := filepath.Dir(to); isStore(dir) {
		return usage.Errorf("%s %s is in the store %s: write it elsewhere", f.Flag, f.File, dir)
	}
	return nil
}

// apartFromStdout refuses an input that standard output is appended to.
func apartFromStdout(f Named, inputs []Named, stdout io.Writer) error {
	file, ok := stdout.(*os.File)
	if !ok {
		return nil
	}
	out, err := file.Stat()
	if err != nil || !out.Mode().IsRegular() {
		return nil
	}
	for _, in := range inputs {
		if info, err := os.Stat(in.File); err == nil && os.SameFile(info, out) {
			return usage.Errorf("%s goes to the %s %s: give it a file of its own", f.Flag, in.Flag, in.File)
		}
	}
	return nil
}

// isDevice says whether file is a device or terminal, which is written to and never replaced.
func isDevice(file string) bool {
	if IsStdout(file) {
		return false
	}
	info, err := os.Stat(file)
	return err == nil && info.Mode()&fs.ModeDevice != 0
}

// same says whether two names are one file: they lead to one path, or both exist and the
// system says so (hard links, a file system that ignores case).
func same(a, b string) bool {
	if IsStdout(a) || IsStdout(b) {
		return IsStdout(a) && IsStdout(b)
	}
	if target(a) == target(b) {
		return true
	}
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// mostLinks is how many links target follows one after the other, as Linux does.
const mostLinks = 40

// target returns the absolute path that file leads to, through links to what does not exist
// yet too.
func target(file string) string {
	for range mostLinks {
		to, err := os.Readlink(file)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(file), to)
		}
		file = to
	}
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	dir, base := filepath.Split(filepath.Clean(file))
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Join(dir, base)
}
