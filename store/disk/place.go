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

// found says what is at the path of a store.
type found int

const (
	nothing       found = iota // nothing, or an empty directory
	aStore                     // FSTORE is there, readable or not
	unfinished                 // no FSTORE, but UNFINISHED
	aFile                      // a file or a device
	somethingElse              // a directory with other files
)

// look finds out what is at the path of the directory.
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
	return nothing, nil // also after a writer that was killed before it wrote UNFINISHED
}

// whatElse says what the directory is, if it is no store. It returns "" if there is nothing to say.
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

// leftByOlder says what to do with a store that programs of format 1 left beside the directory. It returns ""
// if there is no such store. These programs made a new store in one place and moved the old store to another.
// If they were killed between the two steps, there is no store in the directory.
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

// resolve returns the path of a store that is named by a symbolic link. It follows the link once, and keeps
// it.
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

// makeDir makes a directory and those above it, and syncs them.
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
