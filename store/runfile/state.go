package runfile

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"fstore/store/disk"
)

// A state of a run is in a file that stays as those of Kept do, summed. What is read must say
// whose state it is.

// versioned is a state as it is in its file.
type versioned[T any] struct {
	Version int
	State   T
}

// ReadState reads a state of a run: disk.ErrNotFound where there is none of this version, or it is
// damaged. It may be called from any goroutine.
func ReadState[T any](d *Dir, number uint32, version int) (state T, err error) {
	in := disk.Dir{FS: d.FS, Path: d.Path}
	b, err := in.Read(stateName(number))
	if errors.Is(err, fs.ErrNotExist) {
		return state, disk.ErrNotFound
	}
	if err != nil {
		return state, in.ReadError("state", err)
	}
	var v versioned[T]
	b, ok := disk.Unsum(b)
	if !ok || disk.Unmarshal(b, &v) != nil || v.Version != version {
		return state, disk.ErrNotFound
	}
	return v.State, nil
}

// PutState replaces a state of a run as a whole and for good. Killed meanwhile, there is the old
// state. It may be called from any goroutine, for one number from one at a time.
func PutState[T any](d *Dir, number uint32, version int, state T) error {
	b, err := msgpack.Marshal(&versioned[T]{version, state})
	if err != nil {
		return err
	}
	return putBytes(d, number, b)
}

func putBytes(d *Dir, number uint32, b []byte) error {
	return disk.Dir{FS: d.FS, Path: d.Path}.Replace(stateName(number), disk.Sum(b))
}

func stateName(number uint32) string { return fmt.Sprintf("%sstate-%d", disk.KeptPrefix, number) }

// SaveEvery is how long a run goes on before it saves its state.
const SaveEvery = 10 * time.Second
