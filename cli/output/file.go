package output

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/term"

	"fstore/cli/visible"
)

// replacement is an output file. It has a temporary name in the same directory until it is committed.
type replacement struct {
	*bufio.Writer
	fs         vfs.FS
	path, temp string
	f          vfs.File // nil after Close
	done       bool     // committed or aborted
}

// Create returns a sink for a file. Commit makes the file appear, complete and synced, in place of an old
// one. A symbolic link stays, and its target is replaced. A device or a named pipe is written to directly.
func Create(fs vfs.FS, path string) (Sink, error) {
	to, direct, err := place(fs, path)
	if err != nil {
		return nil, err
	}
	if direct != nil {
		return newStream(path, direct, direct), nil
	}
	o := &replacement{fs: fs, path: to, temp: tempName(fs, to)}
	f, err := fs.Create(o.temp, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, wrap(path, err)
	}
	o.f = f
	o.Writer = bufio.NewWriterSize(named{path, f}, bufferSize)
	return o, nil
}

// CreateLog returns a writer without a buffer, so that a killed run loses nothing that it wrote. For devices,
// named pipes and links see Create.
func CreateLog(fs vfs.FS, path string) (io.WriteCloser, error) {
	to, f, err := place(fs, path)
	if err == nil && f == nil {
		f, err = fs.Create(to, vfs.WriteCategoryUnspecified)
	}
	return f, wrap(path, err)
}

// place returns where an output path leads. If it leads to a device or pipe, or to an open file without a
// name, place opens it.
func place(fs vfs.FS, path string) (to string, direct vfs.File, err error) {
	if vfs.Root(fs) == vfs.Default {
		to = target(path)
	} else {
		to = path
	}
	info, err := fs.Stat(path)
	switch {
	case err != nil:
		return to, nil, nil
	case info.IsDir():
		return "", nil, fmt.Errorf("write %s: is a directory", path)
	}
	_, err = fs.Stat(to)
	if info.Mode().IsRegular() && err == nil {
		return to, nil, nil
	}
	// path is a device, or an open file that no longer has a name.
	direct, err = fs.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
	return "", direct, wrap(path, err)
}

// tempName returns the name of a hidden file in the directory of path. The name is random, because two
// machines can have the same process id.
func tempName(fs vfs.FS, path string) string {
	return fs.PathJoin(fs.PathDir(path), fmt.Sprintf(".%s.%016x.tmp", fs.PathBase(path), rand.Uint64()))
}

func (o *replacement) Commit() error {
	if o.done {
		return nil
	}
	if err := o.commit(); err != nil {
		o.Abort()
		return err
	}
	o.done = true
	return nil
}

func (o *replacement) commit() error {
	if err := o.Flush(); err != nil {
		return err
	}
	if err := o.f.Sync(); err != nil {
		return wrap(o.path, err)
	}
	f := o.f
	o.f = nil
	// Close comes before Rename, since Windows cannot rename an open file.
	if err := f.Close(); err != nil {
		return wrap(o.path, err)
	}
	if err := o.fs.Rename(o.temp, o.path); err != nil {
		return wrap(o.path, err)
	}
	// From here on the file is complete under its name, even if the directory cannot be synced.
	o.done = true
	dir, err := o.fs.OpenDir(o.fs.PathDir(o.path))
	if err != nil {
		return wrap(o.path, err)
	}
	err = dir.Sync()
	if e := dir.Close(); err == nil {
		err = e
	}
	return wrap(o.path, err)
}

func (o *replacement) Abort() {
	if o.done {
		return
	}
	o.done = true
	if o.f != nil {
		_ = o.f.Close()
		o.f = nil
	}
	_ = o.fs.Remove(o.temp)
}

// Open returns the sink for the value of -o: standard output, or a file that appears on Commit. On a
// terminal, control characters are made visible.
func Open(fs vfs.FS, file string, stdout io.Writer) (Sink, error) {
	if f, ok := stdout.(*os.File); ok && IsStdout(file) && term.IsTerminal(int(f.Fd())) {
		stdout = visible.Writer(stdout)
	}
	return OpenStyled(fs, file, stdout)
}

// OpenStyled is Open for output with its own escape sequences, so control characters are not made visible.
func OpenStyled(fs vfs.FS, file string, stdout io.Writer) (Sink, error) {
	if IsStdout(file) {
		return Stdout(stdout), nil
	}
	return Create(fs, file)
}

// mostLinks is how many links the function `target` follows. Linux has the same limit.
const mostLinks = 40

// target returns the absolute path that file leads to. The target of a link need not exist.
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
