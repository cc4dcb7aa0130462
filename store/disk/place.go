package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// found is what lies where a store should be.
type found int

const (
	nothing       found = iota // or an empty directory
	aStore                     // FSTORE is there, in whatever state
	unfinished                 // no FSTORE, but UNFINISHED
	aFile                      // or a device
	somethingElse              // a directory with other files
)

// look finds out what the directory is.
func (d Dir) look() (found, error) {
	info, err := d.FS.Stat(d.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nothing, nil
	case err != nil:
		return nothing, fmt.Errorf("%s: %w", d.Path, err)
	case !info.IsDir():
		return aFile, nil
	}
	names, err := d.FS.List(d.Path)
	switch {
	case err != nil:
		return nothing, fmt.Errorf("%s: %w", d.Path, err)
	case slices.Contains(names, sealName):
		return aStore, nil
	case slices.Contains(names, markName):
		return unfinished, nil
	case slices.ContainsFunc(names, func(name string) bool { return !isLockName(name) && name != markName+tempSuffix }):
		return somethingElse, nil
	}
	return nothing, nil // or a writer that was killed before it wrote UNFINISHED
}

// whatElse says what the directory is, where it is no store; "" where nothing is to be said of it.
func (d Dir) whatElse(what found) string {
	if what == nothing {
		return d.leftByOlder()
	}
	return map[found]string{
		aFile:         "it is a file, and a store is a directory",
		unfinished:    "a build of it is at work, or was killed",
		somethingElse: "it is no store",
	}[what]
}

// leftByOlder says how to use what programs of format 1 left beside the directory, where there is no
// store any more; "" where they left nothing. They made a new store in one place, moved the
// old one to another, and could be killed in the middle.
func (d Dir) leftByOlder() string {
	for _, suffix := range []string{".replaced", ".building"} {
		beside := Dir{d.FS, d.Path + suffix}
		s, err := beside.readSealFile(sealName)
		switch {
		case err != nil || s.version != 1:
		case s.open:
			return fmt.Sprintf("beside it is %s, a build that an older fstore did not finish: remove it, or give it another name", beside.Path)
		default:
			return fmt.Sprintf("beside it is %s, a store that an older fstore may have left there when it was killed: rename it (mv %[1]s %[2]s), or give it another name", beside.Path, d.Path)
		}
	}
	return ""
}

// resolve returns where a store is that is named by a symbolic link. The link is followed once,
// and stays.
func resolve(f vfs.FS, dir string) (string, error) {
	if dir == "" {
		return "", errors.New("a store needs a directory with a name")
	}
	dir = f.PathJoin(dir)
	if !isLink(f, dir) {
		return dir, nil
	}
	to, err := filepath.EvalSymlinks(dir)
	if err != nil {
		to, _ = os.Readlink(dir)
		return "", Dir{f, dir}.fail(ErrNotStore, "it is a link to "+to+", where nothing is")
	}
	return to, nil
}

func isLink(f vfs.FS, path string) bool {
	if vfs.Root(f) != vfs.Default {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// makeDir makes a directory and those above it, for good.
func makeDir(f vfs.FS, dir string) error {
	if _, err := f.Stat(dir); err == nil {
		return nil
	}
	parent := f.PathDir(dir)
	if parent != dir {
		if err := makeDir(f, parent); err != nil {
			return err
		}
	}
	if err := f.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return Dir{f, parent}.Sync()
}
