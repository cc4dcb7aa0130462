package kept

import (
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"fstore/store"
)

// versioned is a state as it is in the store.
type versioned[T any] struct {
	Version int
	State   T
}

// ReadState reads a state of a run: store.ErrNotFound where there is none of this version.
func ReadState[T any](w *store.Writer, number uint32, version int) (state T, err error) {
	b, err := w.State(number)
	if err != nil {
		return state, err
	}
	var v versioned[T]
	if store.Unmarshal(b, &v) != nil || v.Version != version {
		return state, store.ErrNotFound
	}
	return v.State, nil
}

// PutState replaces a state of a run for good.
func PutState[T any](w *store.Writer, number uint32, version int, state T) error {
	b, err := msgpack.Marshal(&versioned[T]{version, state})
	if err != nil {
		return err
	}
	return w.PutState(number, b)
}

// SaveEvery is how long a run goes on before it saves its state.
const SaveEvery = 10 * time.Second
