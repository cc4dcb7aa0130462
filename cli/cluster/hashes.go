package cluster

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/cluster"
)

// regular returns the size of a file. It refuses a FIFO and standard input, because each task must be able to
// read the file.
func regular(path string) (size int64, err error) {
	info, err := os.Stat(path)
	clean := filepath.Clean(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, &index.InputError{File: path, Msg: "no such file", Fatal: true}
	case err != nil:
		return 0, unreadable(path, err)
	case !info.Mode().IsRegular(), clean == "/dev/stdin", strings.HasPrefix(clean, "/dev/fd/"), strings.HasPrefix(clean, "/proc/"):
		return 0, index.Usagef("%s is no regular file: tasks read files", path)
	}
	return info.Size(), nil
}

func unreadable(path string, err error) error {
	return &index.InputError{File: path, Msg: "cannot be read: " + err.Error(), Fatal: true}
}

// hashInputs sets the hashes of all inputs and their pieces. It reads each file once.
func hashInputs(ctx context.Context, j *cluster.Job, progress index.Progress) (err error) {
	pieces, total := make([][]*cluster.Piece, len(j.Inputs)), int64(0)
	for _, part := range j.Parts {
		for k := range part {
			pieces[part[k].Input] = append(pieces[part[k].Input], &part[k])
		}
	}
	for _, in := range j.Inputs {
		total += in.Size
	}
	progress.Step("hash", "bytes", total)
	for i := range j.Inputs {
		in := &j.Inputs[i]
		if in.Flag != "" {
			pieces[i] = []*cluster.Piece{{To: -1}}
		}
		if in.Hash, err = hashPieces(ctx, in, pieces[i], progress); err != nil {
			return err
		}
	}
	return nil
}

// hashPieces sets the hashes of some pieces of an input. It returns the hash of these pieces together.
func hashPieces(ctx context.Context, in *cluster.Input, pieces []*cluster.Piece, progress index.Progress) (uint64, error) {
	f, err := os.Open(in.Path)
	if err != nil {
		return 0, unreadable(in.Path, err)
	}
	defer f.Close()
	whole, buf := xxh3.New(), make([]byte, min(1<<20, in.Size))
	for _, p := range pieces {
		block := xxh3.New()
		end := p.To
		if end < 0 {
			end = in.Size
		}
		for at := p.From; at < end; {
			n, err := f.ReadAt(buf[:min(int64(len(buf)), end-at)], at)
			if n == 0 && err != nil && err != io.EOF {
				return 0, unreadable(in.Path, err)
			}
			if n == 0 || ctx.Err() != nil { // a file that has become shorter has another hash
				break
			}
			_, _ = block.Write(buf[:n])
			_, _ = whole.Write(buf[:n])
			progress.Add(int64(n))
			at += int64(n)
		}
		p.Hash = block.Sum64()
	}
	return whole.Sum64(), ctx.Err()
}

// unchanged returns an error if an input of a part has changed since the job began. Without allHashes, it
// compares only the sizes, and the hashes of --gold and --labels-file.
func unchanged(ctx context.Context, j *cluster.Job, part int, allHashes bool) error {
	pieces := slices.Clone(j.Parts[part-1])
	for i, in := range j.Inputs {
		if in.Flag != "" {
			pieces = append(pieces, cluster.Piece{Input: i, To: -1, Hash: in.Hash})
		}
	}
	for _, was := range pieces {
		in, is := &j.Inputs[was.Input], was
		size, err := regular(in.Path)
		if err == nil && (allHashes || in.Flag != "") {
			_, err = hashPieces(ctx, in, []*cluster.Piece{&is}, index.NoProgress{})
		}
		if err == nil && (size != in.Size || is.Hash != was.Hash) {
			err = in.Changed()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
