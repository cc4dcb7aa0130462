package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A store's directory may come to hold files that are not the store's: what a file
// manager leaves, a log, notes. They are foreign: never hashed, never deleted, and
// named by Check. What is the store's is told by its name.

// isDataName says whether a file of this name holds what was committed: those are
// sealed.
func isDataName(name string) bool {
	return isExpansionName(name) || isMetaCopyName(name) || isDatabaseName(name)
}

// isDatabaseName says whether name is one that the database gives.
func isDatabaseName(name string) bool {
	if stem, ok := strings.CutSuffix(name, ".sst"); ok {
		return isNumber(stem)
	}
	if stem, ok := strings.CutSuffix(name, ".log"); ok { // 000002.log, 000002-001.log
		a, b, two := strings.Cut(stem, "-")
		return isNumber(a) && (!two || isNumber(b))
	}
	for _, prefix := range []string{"MANIFEST-", "OPTIONS-"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return isNumber(rest)
		}
	}
	// marker.manifest.000001.MANIFEST-000001
	parts := strings.Split(name, ".")
	return len(parts) == 4 && parts[0] == "marker" && isNumber(parts[2]) && !strings.ContainsAny(name, " \n")
}

// isTempName says whether only a writer that was killed leaves a file of this name.
func isTempName(name string) bool {
	if name == sealTemp || name == loadName {
		return true
	}
	rest, ok := strings.CutPrefix(name, "temporary.") // of the database
	stem, ok2 := strings.CutSuffix(rest, ".dbtmp")
	return ok && ok2 && isNumber(stem)
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isForeign says whether no run of this program gives a file this name.
func isForeign(name string) bool {
	return !isLockName(name) && name != sealName && !isTempName(name) && !isDataName(name)
}

// foreign returns the foreign names in dir, in order; none where there is no dir.
func foreign(f vfs.FS, dir string) []string {
	names, err := f.List(dir)
	if err != nil {
		return nil
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !isForeign(name) })
	slices.Sort(names)
	return names
}

// refuseForeign returns an ErrNotEmpty where there are foreign files in dir, which
// is about to be removed.
func refuseForeign(f vfs.FS, dir string) error {
	names := foreign(f, dir)
	if len(names) == 0 {
		return nil
	}
	detail := fmt.Sprintf("%q is no part of a store: move it away", names[0])
	if n := len(names) - 1; n > 0 {
		detail = fmt.Sprintf("%q and %d more are no part of a store: move them away", names[0], n)
	}
	return &Error{Dir: dir, Kind: ErrNotEmpty, Detail: detail}
}

// removeStore removes a directory and the files of a store in it: at the end FSTORE, which
// marks it as one that may be removed, and then the locks. Foreign files stay, and with
// them the directory: ErrNotEmpty.
func removeStore(f vfs.FS, dir string) error {
	names, err := f.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, name := range names {
		if name == sealName || isLockName(name) || isForeign(name) {
			continue
		}
		err = errors.Join(err, f.RemoveAll(f.PathJoin(dir, name)))
	}
	if err == nil {
		err = syncDir(f, dir)
	}
	if err != nil {
		return err
	}
	if slices.Contains(names, sealName) {
		if err := f.Remove(f.PathJoin(dir, sealName)); err != nil {
			return err
		}
	}
	return removeLocks(f, dir)
}

// removeLocks removes the locks of a directory and then, unless it has foreign files, itself.
// The one that keeps readers out goes last: whoever finds no such file knows that nothing
// else is there.
func removeLocks(f vfs.FS, dir string) error {
	for _, name := range []string{writerLockName, lockName} {
		if err := whileBusy(func() error { return f.RemoveAll(f.PathJoin(dir, name)) }); err != nil {
			return err
		}
	}
	if err := refuseForeign(f, dir); err != nil {
		return err
	}
	return f.Remove(dir)
}
