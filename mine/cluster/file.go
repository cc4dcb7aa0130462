package cluster

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/zeebo/xxh3"

	"fstore/store"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// A file in the directory WORK consists of:
//   - sections, each of raw bytes or of blocks (runfile.ReadBlock)
//   - a footer that describes the sections
//   - the length and the xxh3 of the footer, 8 bytes each
//   - the bytes of `magic`

const magic = "fstorewk"

// maxFooter bounds the size of a footer that is read. True footers are far smaller.
const maxFooter = 256 << 20

// formatVersion is the version of all files of WORK. Raise it when any format changes.
const formatVersion = 3

// Names of files in WORK.
const (
	jobName  = "JOB"
	planName = "plan"
)

// tailBytes is how many bytes follow the footer.
const tailBytes = 8 + 8 + len(magic)

type footer struct {
	Version  int
	Task     string // the file's own name
	Job      uint64 // checksum of the job's footer; 0 in the job itself
	Sections []section
	Meta     []byte
}

// section is the footer's entry for one section.
type section struct {
	Name      string
	At, Bytes int64
	Sum       uint64
}

// writer writes one file of WORK. The method `finish` returns the first error of all methods.
type writer struct {
	fs              vfs.FS
	dir, name, temp string
	f               vfs.File
	buf             *bufio.Writer
	at              int64
	footer          footer
	sum             *xxh3.Hasher
	err             error // the first error
}

// create begins the file of a task, under a temporary name.
func create(f vfs.FS, dir, name string, job uint64) (*writer, error) {
	w := &writer{fs: f, dir: dir, name: name, sum: xxh3.New(), footer: footer{Version: formatVersion, Task: name, Job: job}}
	w.temp = f.PathJoin(dir, tempName(name))
	var err error
	if info, err := f.Stat(f.PathJoin(dir, name)); err == nil && info.IsDir() {
		return nil, &Error{Dir: dir, Kind: ErrOther, Detail: name + " is a directory: remove it"}
	}
	if w.f, err = f.Create(w.temp, vfs.WriteCategoryUnspecified); err != nil {
		return nil, err
	}
	w.buf = bufio.NewWriterSize(w.f, 1<<18)
	return w, nil
}

// tempSuffix ends the name of a file that is not complete.
const tempSuffix = ".tmp"

func tempName(name string) string { return fmt.Sprintf("%s.%016x%s", name, rand.Uint64(), tempSuffix) }

// begin ends the current section, and begins a new one.
func (w *writer) begin(name string) {
	w.end()
	w.sum.Reset()
	w.footer.Sections = append(w.footer.Sections, section{Name: name, At: w.at})
}

func (w *writer) end() {
	if n := len(w.footer.Sections); n > 0 && w.footer.Sections[n-1].Sum == 0 {
		s := &w.footer.Sections[n-1]
		s.Bytes, s.Sum = w.at-s.At, max(w.sum.Sum64(), 1)
	}
}

// Write adds raw bytes to the section.
func (w *writer) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	_, _ = w.sum.Write(b) // hash first: the file system may change b
	var n int
	n, w.err = w.buf.Write(b)
	w.at += int64(n)
	return n, w.err
}

func (w *writer) block(b []byte) {
	var n [binary.MaxVarintLen64]byte
	_, _ = w.Write(n[:binary.PutUvarint(n[:], uint64(len(b)))])
	_, _ = w.Write(b)
}

// finish writes the footer, syncs the file, and gives it its final name.
func (w *writer) finish(meta any) error {
	if err := w.writeFooter(meta); err != nil {
		return errors.Join(err, w.abort())
	}
	err := w.f.Close()
	if err == nil {
		err = w.publish()
	}
	if err != nil {
		return errors.Join(err, w.fs.Remove(w.temp))
	}
	return disk.Dir{FS: w.fs, Path: w.dir}.Sync()
}

// writeFooter writes the footer and syncs the file.
func (w *writer) writeFooter(meta any) (err error) {
	w.end()
	if w.footer.Meta, err = msgpack.Marshal(meta); err != nil {
		return err
	}
	foot, err := msgpack.Marshal(&w.footer)
	if err != nil {
		return err
	}
	b := binary.LittleEndian.AppendUint64(foot, uint64(len(foot)))
	b = append(binary.LittleEndian.AppendUint64(b, xxh3.Hash(foot)), magic...)
	_, _ = w.buf.Write(b) // w.buf keeps its first error
	if err := w.buf.Flush(); err != nil {
		return err
	}
	return w.f.Sync()
}

// publish gives the file its final name. A new JOB does not replace an existing JOB, except on file systems
// without links.
func (w *writer) publish() error {
	path := w.fs.PathJoin(w.dir, w.name)
	if w.name == jobName {
		err := w.fs.Link(w.temp, path)
		if err == nil {
			return w.fs.Remove(w.temp)
		}
		if errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return w.fs.Rename(w.temp, path)
}

// abort closes and removes the file.
func (w *writer) abort() error { return errors.Join(w.f.Close(), w.fs.Remove(w.temp)) }

// Error says what is wrong with WORK. Kind is store.ErrDamaged, store.ErrVersion, ErrOther, ErrMissing or
// ErrNoWork.
type Error struct {
	Dir    string
	Kind   error
	Detail string

	file string // the damaged file, "" if it is the job's own
}

func (e *Error) Error() string { return e.Dir + ": " + e.Detail }

// Unwrap returns Kind.
func (e *Error) Unwrap() error { return e.Kind }

var (
	// ErrOther says that WORK holds another job.
	ErrOther = errors.New("another job")
	// ErrMissing says that a task needs the file of a task that has not run yet.
	ErrMissing = errors.New("a task is missing")
	// ErrNoWork says that a directory holds no job.
	ErrNoWork = errors.New("no job")
)

// file is an open file of WORK.
type file struct {
	footer
	dir, name string
	f         vfs.File
	sum       uint64 // checksum of the footer, which has the checksums of all sections
}

func (r *file) damaged(what string) error {
	file, do := r.name, "run its task again"
	if r.name == jobName {
		file, do = "", "remove it, and run fstore cluster init as before"
	}
	return &Error{Dir: r.dir, Kind: store.ErrDamaged, Detail: fmt.Sprintf("%s is damaged: %s: %s", r.name, what, do), file: file}
}

// openFile opens a file of a job, and decodes the description in its footer into meta. It returns
// fs.ErrNotExist if the file is missing, and an *Error if the file is not as expected.
func openFile(f vfs.FS, dir, name string, job uint64, meta any) (*file, error) {
	r := &file{dir: dir, name: name}
	path := f.PathJoin(dir, name)
	info, err := f.Stat(path)
	if err == nil && !info.Mode().IsRegular() { // opening a FIFO would wait, and reading a device would never end
		return nil, r.damaged("it is no regular file")
	}
	if err == nil {
		r.f, err = f.Open(path)
	}
	if err != nil {
		return nil, err
	}
	if err := r.readFooter(job, meta); err != nil {
		return nil, errors.Join(err, r.f.Close())
	}
	return r, nil
}

func (r *file) readFooter(job uint64, meta any) error {
	info, err := r.f.Stat()
	if err != nil {
		return err
	}
	tail := make([]byte, tailBytes)
	if info.Size() < int64(tailBytes) {
		return r.damaged("it is too short")
	}
	end := info.Size() - int64(tailBytes)
	if _, err := r.f.ReadAt(tail, end); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint64(tail)
	if string(tail[16:]) != magic || n > min(uint64(end), maxFooter) {
		return r.damaged("its end is not that of such a file")
	}
	foot := make([]byte, n)
	if _, err := r.f.ReadAt(foot, end-int64(n)); err != nil {
		return err
	}
	if r.sum = binary.LittleEndian.Uint64(tail[8:]); xxh3.Hash(foot) != r.sum || disk.Unmarshal(foot, &r.footer) != nil {
		return r.damaged("its footer is not what was written")
	}
	switch {
	case r.Version != formatVersion:
		return &Error{Dir: r.dir, Kind: store.ErrVersion, Detail: fmt.Sprintf("%s is of version %d of such files, and this fstore reads version %d", r.name, r.Version, formatVersion)}
	case r.Task != r.name:
		return r.damaged("it is the file of " + r.Task)
	case r.Job != job:
		return &Error{Dir: r.dir, Kind: ErrOther, Detail: r.name + " is of another job: run its task again"}
	}
	for _, s := range r.Sections {
		if s.At < 0 || s.Bytes < 0 || s.At+s.Bytes > end-int64(n) {
			return r.damaged("section " + s.Name)
		}
	}
	if meta != nil && disk.Unmarshal(r.Meta, meta) != nil {
		return r.damaged("its description")
	}
	return nil
}

func (r *file) close() error { return r.f.Close() }

// sectionReader reads a section. At the end it checks the section's checksum.
type sectionReader struct {
	r    *file
	s    section
	sum  *xxh3.Hasher
	left int64
	in   io.Reader
}

func (r *file) section(name string) (*sectionReader, error) {
	for _, s := range r.Sections {
		if s.Name == name {
			return &sectionReader{r, s, xxh3.New(), s.Bytes, io.NewSectionReader(r.f, s.At, s.Bytes)}, nil
		}
	}
	return nil, r.damaged("it has no section " + name)
}

// Read reads raw bytes. If the checksum is wrong, the last call returns an error.
func (s *sectionReader) Read(b []byte) (n int, err error) {
	if n, err = s.in.Read(b); n > 0 {
		_, _ = s.sum.Write(b[:n])
	}
	if s.left -= int64(n); s.left == 0 && n > 0 && max(s.sum.Sum64(), 1) != s.s.Sum || err == io.EOF && s.left > 0 {
		return 0, s.r.damaged("section " + s.s.Name + " is not what was written")
	}
	return n, err
}

// blocks calls f for each block of a section. f must not keep its argument.
func (r *file) blocks(name string, f func(b []byte) error) error {
	s, err := r.section(name)
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(s, 1<<18)
	var b []byte
	for {
		if b, err = runfile.ReadBlock(in, b); err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(b)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return r.damaged("section " + name)
		}
		if err != nil {
			return err
		}
	}
}

// pairs calls f for the blocks of a section, two at a time. f must not keep its arguments.
func (r *file) pairs(name string, f func(first, second []byte) error) error {
	var first []byte
	whole := true
	err := r.blocks(name, func(b []byte) error {
		if whole = !whole; whole {
			return f(first, b)
		}
		first = append(first[:0], b...)
		return nil
	})
	if err == nil && !whole {
		err = r.damaged("section " + name)
	}
	return err
}

// verify checks the checksums of all sections.
func (r *file) verify() error {
	for _, s := range r.Sections {
		in, err := r.section(s.Name)
		if err == nil {
			_, err = io.Copy(io.Discard, bufio.NewReaderSize(in, 1<<20))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
