package output

import (
	"os"
	"path/filepath"

	"fstore/cli/usage"
)

// Named is a file that a flag names, "" where it is not given.
type Named struct{ Flag, File string }

// Distinct refuses two flags that name one file, or standard output: each would
// overwrite the other, or be mixed with it. A device that takes everything is nobody's.
func Distinct(files ...Named) error {
	var earlier []Named
	for _, f := range files {
		if f.File == "" || f.File == os.DevNull {
			continue
		}
		for _, e := range earlier {
			switch {
			case !same(e.File, f.File):
			case IsStdout(f.File):
				return usage.Errorf("%s and %s are both standard output: give one of them a FILE", e.Flag, f.Flag)
			default:
				return usage.Errorf("%s and %s both name %s: give each a file of its own", e.Flag, f.Flag, f.File)
			}
		}
		earlier = append(earlier, f)
	}
	return nil
}

// same says whether two names are one file: as they are written, or because they
// exist and the system says so (links, a file system that ignores case).
func same(a, b string) bool {
	if IsStdout(a) || IsStdout(b) {
		return IsStdout(a) && IsStdout(b)
	}
	if absolute(a) == absolute(b) {
		return true
	}
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

func absolute(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return filepath.Clean(file)
}

// Apart refuses an output that is one of the inputs, which it would overwrite: by
// whatever name. What is no regular file cannot be.
func Apart(inputs []string, outputs ...Named) error {
	for _, f := range outputs {
		if f.File == "" || IsStdout(f.File) {
			continue
		}
		out, err := os.Stat(f.File)
		if err != nil || !out.Mode().IsRegular() {
			continue
		}
		for _, input := range inputs {
			if in, err := os.Stat(input); err == nil && os.SameFile(in, out) {
				return usage.Errorf("%s %s is the input %s: give it a file of its own", f.Flag, f.File, input)
			}
		}
	}
	return nil
}
