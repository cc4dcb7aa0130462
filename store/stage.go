package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A new store grows in STORE.building and gets its name when it is whole: sealed,
// every file and the directory synced. Replacing a store takes two renames,
//
//	STORE → STORE.replaced, STORE.building → STORE
//
// and a crash between them leaves no STORE: a reader then opens STORE.replaced,
// and the next writer gives it its name back. So there is the old store or the
// new one at any time, though for that moment not under its name.
const (
	buildingSuffix = ".building"
	replacedSuffix = ".replaced"
)

// what is found where a store should be.
type found int

const (
	nothing found = iota // or an empty directory
	aStore               // FSTORE is there, in whatever state
	somethingElse
)

func look(f vfs.FS, dir string) (found, error) {
	names, err := f.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing, nil
	}
	if info, serr := f.Stat(dir); serr == nil && !info.IsDir() {
		return somethingElse, nil
	}
	if err != nil {
		return nothing, fmt.Errorf("%s: %w", dir, err)
	}
	if len(names) == 0 {
		return nothing, nil
	}
	for _, name := range names {
		if name == sealName {
			return aStore, nil
		}
	}
	return somethingElse, nil
}

// settle finishes or undoes the replacement that a killed run left half done.
func settle(f vfs.FS, dir string) error {
	old := dir + replacedSuffix
	if what, err := look(f, old); err != nil || what != aStore {
		return errors.Join(err, removeRest(f, old))
	}
	what, err := look(f, dir)
	if err != nil {
		return err
	}
	l, err := lockOutReadersOf(f, old)
	if errors.Is(err, fs.ErrNotExist) {
		if what, err := look(f, old); err != nil || what != aStore {
			return err // the writer that replaced it has removed it just now
		}
		l, err = lockOutReaders(f, old)
	}
	if err != nil {
		return err
	}
	if !renameLocked {
		err = l.Close()
		l = nopCloser{}
	}
	switch {
	case err != nil:
	case what == aStore:
		// The names have to last before what they replace goes: the run may have ended because
		// they did not.
		if err = syncDir(f, f.PathDir(dir)); err == nil {
			err = removeStore(f, old)
		}
		if errors.Is(err, ErrNotEmpty) {
			err = nil // all but foreign files is gone; an overwrite refuses them
		}
	case what == nothing:
		err = rename(f, old, dir)
	}
	return errors.Join(err, l.Close())
}

// removeRest removes what a killed removeStore may leave of a directory beside foreign
// files: nothing, or locks. Anything else stays.
func removeRest(f vfs.FS, dir string) error {
	names, err := f.List(dir)
	if err != nil || slices.ContainsFunc(names, func(name string) bool { return !isLockName(name) }) {
		return nil // not there, or not ours
	}
	if !slices.Contains(names, lockName) {
		return removeLocks(f, dir)
	}
	l, err := lockOutReadersOf(f, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process has removed it
	}
	if err == nil && !renameLocked {
		err = l.Close()
		l = nopCloser{}
	}
	if err != nil {
		return err
	}
	return errors.Join(removeLocks(f, dir), l.Close())
}

// rename gives a directory its name for good; an empty directory there goes.
func rename(f vfs.FS, from, to string) error {
	if info, err := f.Stat(to); err == nil && info.IsDir() {
		if err := f.Remove(to); err != nil {
			return err
		}
	}
	if err := whileBusy(func() error { return f.Rename(from, to) }); err != nil {
		return err
	}
	return syncDir(f, f.PathDir(to))
}

// checkReplaceable refuses a store that cannot be renamed to STORE.replaced and then
// removed: the end of a long run is no time to find out.
func checkReplaceable(f vfs.FS, dir string) error {
	if err := refuseForeign(f, dir); err != nil {
		return err
	}
	old := dir + replacedSuffix
	what, err := look(f, old)
	if err != nil || what == nothing {
		return err
	}
	if err := refuseForeign(f, old); err != nil {
		return err
	}
	return &Error{Dir: old, Kind: ErrNotEmpty, Detail: "the store that is replaced goes there"}
}

// openStage makes an empty stage and locks it. What a killed run left there goes,
// unless keep says to go on from it.
func openStage(f vfs.FS, dir string, keep bool) (l io.Closer, kept bool, err error) {
	stage := dir + buildingSuffix
	if err := checkStage(f, stage); err != nil {
		return nil, false, err
	}
	if err := makeDir(f, stage); err != nil {
		return nil, false, err
	}
	if l, err = lockToWrite(f, stage); err != nil {
		var e *Error
		if errors.As(err, &e) {
			e.Detail = "another process is building it"
		}
		return nil, false, err
	}
	if err := makeReadersLock(f, stage); err != nil {
		return nil, false, errors.Join(err, l.Close())
	}
	if keep {
		switch _, err := readSeal(f, stage); {
		case err == nil:
			return l, true, nil
		case !isLost(err):
			return nil, false, errors.Join(err, l.Close())
		}
	}
	names, err := f.List(stage)
	for _, name := range names {
		if !isLockName(name) && !isForeign(name) {
			err = errors.Join(err, f.RemoveAll(f.PathJoin(stage, name)))
		}
	}
	if err == nil {
		err = writeSeal(f, stage, &seal{version: FormatVersion})
	}
	if err != nil {
		_ = removeStore(f, stage)
		return nil, false, errors.Join(err, l.Close())
	}
	return l, false, nil
}

// makeReadersLock makes the file that readers lock, who may not be allowed to.
func makeReadersLock(f vfs.FS, dir string) error {
	l, err := lockOutReaders(f, dir)
	if err != nil {
		return err
	}
	return l.Close()
}

// isLost says whether an error is that of a stage that cannot be gone on from: nothing was
// saved in it yet, or what was is damaged or of another version. Another error, as one of
// the disk, may be gone the next time, and the stage with it must not.
func isLost(err error) bool {
	return errors.Is(err, ErrNotStore) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion)
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
	return syncDir(f, parent)
}

// checkStage refuses a directory of that name that no run of this program left, or
// in which somebody left something.
func checkStage(f vfs.FS, stage string) error {
	what, err := look(f, stage)
	if err == nil && what == aStore {
		return refuseForeign(f, stage)
	}
	if err != nil || what == nothing {
		return err
	}
	names, err := f.List(stage)
	other := func(name string) bool { return !isLockName(name) && name != sealTemp }
	if err == nil && !slices.ContainsFunc(names, other) {
		return nil // a run that was killed before it wrote FSTORE
	}
	return &Error{Dir: stage, Kind: ErrNotEmpty, Detail: "a new store is built there"}
}
