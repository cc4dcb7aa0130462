package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// atPath says what is at the path of a store.
type atPath int

const (
	nothing       atPath = iota // nothing, or an empty directory
	aStore                      // FSTORE is there, readable or not
	unfinished                  // no FSTORE, but UNFINISHED
	aFile                       // a file or a device
	somethingElse               // a directory with other files
)

// look finds out what is at the path of the directory.
func (d Dir) look() (atPath, error) {
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

// whatElse says in words what there is instead of a store, at the path or beside it (leftByOlder). It returns
// "" if there is nothing.
func (d Dir) whatElse(what atPath) string {
	if what == nothing {
		return d.leftByOlder()
	}
	return map[atPath]string{
		aFile:         "it is a file, and a store is a directory",
		unfinished:    "a build of it is at work, or was killed",
		somethingElse: "it is no store",
	}[what]
}

// leftByOlder returns a message about a store of format 1 that is left beside the directory, or "" if there
// is none.
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

// makeDir makes a directory and its parents, and syncs them.
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
