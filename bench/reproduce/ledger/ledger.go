// Package ledger keeps the findings of an experiment in a file, so that a stopped run can continue.
package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Ledger holds findings by name. Each finding is written to a file as soon as it is computed, so an
// interrupted run loses only the finding that it was computing.
type Ledger[T any] struct {
	file  *os.File
	found map[string]T
}

// entry is a line of the file.
type entry[T any] struct {
	Name  string
	Found T
}

// Open reads a ledger. If the last line is incomplete, Open removes it.
func Open[T any](path string) (*Ledger[T], error) {
	l := &Ledger[T]{found: map[string]T{}}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	lines := bufio.NewScanner(bytes.NewReader(whole))
	lines.Buffer(nil, len(whole)+1)
	for lines.Scan() {
		var e entry[T]
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%s: %w (remove the file to begin anew)", path, err)
		}
		l.found[e.Name] = e.Found
	}
	if l.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return nil, err
	}
	if err = l.file.Truncate(int64(len(whole))); err == nil {
		_, err = l.file.Seek(int64(len(whole)), 0)
	}
	if err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

// Found returns the finding with a name, and whether there is one.
func (l *Ledger[T]) Found(name string) (T, bool) {
	x, ok := l.found[name]
	return x, ok
}

// Get returns the finding with this name, or computes it and adds it to the ledger.
func (l *Ledger[T]) Get(name string, find func() (T, error)) (T, error) {
	if have, ok := l.found[name]; ok {
		return have, nil
	}
	x, err := find()
	if err != nil {
		return x, fmt.Errorf("%s: %w", name, err)
	}
	line, err := json.Marshal(entry[T]{name, x})
	if err != nil {
		return x, err
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return x, err
	}
	l.found[name] = x
	fmt.Fprintln(os.Stderr, name)
	return x, nil
}

// Close closes the file.
func (l *Ledger[T]) Close() error { return l.file.Close() }
