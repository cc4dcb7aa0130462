package disk

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"
)

// Dir is a directory on a file system.
type Dir struct {
	FS   vfs.FS
	Path string
}

// Join returns the path of the file with this name.
func (d Dir) Join(name string) string { return d.FS.PathJoin(d.Path, name) }

// resolve returns dir, or the path to which dir points if it is a symbolic link.
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

// list returns the file names for which isWanted is true, in order.
func (d Dir) list(isWanted func(name string) bool) ([]string, error) {
	names, err := d.FS.List(d.Path)
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool { return !isWanted(name) }), err
}

// Sync makes the names of the files durable.
func (d Dir) Sync() error {
	f, err := d.FS.OpenDir(d.Path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d Dir) fail(kind error, detail string) error {
	return &Error{Dir: d.Path, Kind: kind, Detail: detail}
}

// Damaged returns an Error of kind ErrDamaged. err is the cause, and may be nil.
func (d Dir) Damaged(detail string, err error) error {
	return &Error{Dir: d.Path, Kind: ErrDamaged, Detail: detail, Err: Plain(err)}
}

// ReadError returns the error to report for an error met while reading. Corruption, a missing file and
// malformed bytes become ErrDamaged. Other errors get the path of the store and the activity as context.
func (d Dir) ReadError(activity string, err error) error {
	var is *Error
	switch {
	case err == nil, errors.Is(err, ErrNotFound):
		return err
	case errors.As(err, &is):
		return err
	case pebble.IsCorruptionError(err), errors.Is(err, fs.ErrNotExist), errors.Is(err, errMalformed):
		return d.Damaged(activity, err)
	}
	return fmt.Errorf("%s: %s: %w", d.Path, activity, err)
}

// openError is like ReadError, for an error of opening the database. Every error counts as damage, unless it
// is from the operating system.
func (d Dir) openError(err error) error {
	var is *Error
	if errors.As(err, &is) {
		return err
	}
	var path *fs.PathError
	var sys *os.SyscallError
	if (errors.As(err, &path) || errors.As(err, &sys)) && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: database: %w", d.Path, err)
	}
	return d.Damaged("database", err)
}

// maxControl bounds the size of the files that are read as a whole. True files are far smaller.
const maxControl = 256 << 20

// read returns the contents of a control file, such as FSTORE.
func (d Dir) read(name string) ([]byte, error) {
	r, size, err := openSized(d.FS, d.Join(name))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > maxControl {
		return nil, d.Damaged(fmt.Sprintf("%s has %d bytes", name, size), nil)
	}
	return io.ReadAll(io.LimitReader(r, maxControl))
}

// tempSuffix ends the name of a new file until this file replaces the old one.
const tempSuffix = ".tmp"

// replace writes b to a new file, and renames it over the old file. It first syncs the directory, so that the
// files that a new FSTORE lists survive a power failure.
func (d Dir) replace(name string, b []byte) error {
	path, temp := d.Join(name), d.Join(name+tempSuffix)
	if err := errors.Join(d.Sync(), d.Remove(name+tempSuffix)); err != nil { // the old temporary file may be a link
		return err
	}
	if err := writeFile(d.FS, temp, b); err != nil {
		return err
	}
	if err := whileBusy(func() error { return d.FS.Rename(temp, path) }); err != nil {
		return err
	}
	return d.Sync()
}

// ReadSummed returns the bytes that ReplaceSummed has written, or ErrNotFound if the file is missing or
// damaged.
func (d Dir) ReadSummed(name string) ([]byte, error) {
	b, err := d.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, d.ReadError(name, err)
	}
	if len(b) < 8 || binary.BigEndian.Uint64(b) != xxh3.Hash(b[8:]) {
		return nil, ErrNotFound
	}
	return b[8:], nil
}

// ReplaceSummed replaces a file by b with a checksum, and syncs it. If the process is killed, the old file
// stays.
func (d Dir) ReplaceSummed(name string, b []byte) error { return d.replace(name, summed(b)) }

// summed returns the xxh3 of b in big-endian order, then b.
func summed(b []byte) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(b)), xxh3.Hash(b)), b...)
}

// Remove removes a file. It is no error if the file is missing.
func (d Dir) Remove(name string) error {
	if err := d.FS.Remove(d.Join(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveAll removes a file, or a directory with its contents. It does not follow links. Unlike os.RemoveAll,
// it works on emulations of Windows that lack some system calls.
func RemoveAll(f vfs.FS, path string) error {
	err := f.Remove(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	names, listErr := f.List(path)
	if listErr != nil || len(names) == 0 {
		return err
	}
	err = nil
	for _, name := range names {
		err = errors.Join(err, RemoveAll(f, f.PathJoin(path, name)))
	}
	return errors.Join(err, f.Remove(path))
}

// regularFS opens only regular files, since opening a FIFO would wait. Every file of a store is opened
// through a regularFS.
type regularFS struct{ vfs.FS }

func (f regularFS) Open(path string, opts ...vfs.OpenOption) (vfs.File, error) {
	switch info, err := f.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return nil, Dir{f, f.PathDir(path)}.Damaged(f.PathBase(path)+" is no regular file", nil)
	case err != nil && !errors.Is(err, fs.ErrNotExist): // Open gives the better error
		return nil, err
	}
	return f.FS.Open(path, opts...)
}

func (f regularFS) Unwrap() vfs.FS { return f.FS }

func openSized(f vfs.FS, path string, opts ...vfs.OpenOption) (r vfs.File, size int64, err error) {
	if r, err = f.Open(path, opts...); err != nil {
		return nil, 0, err
	}
	info, err := r.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, r.Close())
	}
	return r, info.Size(), nil
}

// hashFile returns the size and the xxh3 of a file. It reads the file only if the size is wantSize, or if
// wantSize is negative.
func hashFile(ctx context.Context, f vfs.FS, path string, wantSize int64) (size int64, sum uint64, err error) {
	r, size, err := openSized(f, path, vfs.SequentialReadsOption)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	if wantSize >= 0 && size != wantSize {
		return size, 0, nil
	}
	h := xxh3.New()
	until := readerFunc(func(b []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(b)
	})
	size, err = io.CopyBuffer(h, until, make([]byte, min(256<<10, size+1)))
	return size, h.Sum64(), err
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// File is a file whose bytes do not change any more.
type File struct {
	Name string
	Size int64
	Sum  uint64 // xxh3 of its bytes
}

func writeFile(f vfs.FS, path string, b []byte) error {
	w, err := f.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = w.Write(bytes.Clone(b)) // clone b: Write of a vfs.File may change its argument
	if err == nil {
		err = w.Sync()
	}
	return errors.Join(err, w.Close())
}

// patience is how long to wait for another process that has a file open, or that looks for readers. Tests
// change it.
var patience = 5 * time.Second

// whileBusy calls f again while f fails because another process has the file open, until patience is over.
func whileBusy(f func() error) error { return patiently(isBusy, f) }

// patiently calls f again while f returns a temporary error, until patience is over.
func patiently(isTemporary func(error) bool, f func() error) error {
	for end, pause := time.Now().Add(patience), time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := f()
		if err == nil || !isTemporary(err) || time.Now().After(end) {
			return err
		}
		time.Sleep(pause)
	}
}
