package disk

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// CheckFiles compares the files of the state, and more, with what was written, and tells problem
// of those that are something else. leftover is told of what a writer left, or has now. An error says
// that it could not go on.
func (b *Database) CheckFiles(ctx context.Context, more []File, problem func(name, what string), leftover func(string)) error {
	files := slices.Clone(b.seal.files)
	if b.seal.open {
		files = nil
		leftover("FSTORE has no sums: a program of an older version was killed")
	}
	for _, e := range more {
		if !slices.Contains(files, e) {
			files = append(files, e)
		}
	}
	for _, e := range files {
		differs, err := e.compare(ctx, b.Dir)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case IsOfProcess(err):
			return err
		case err != nil:
			problem(e.Name, err.Error())
		case differs != "":
			problem(e.Name, differs)
		}
	}
	unused, err := b.seal.unused(b.Dir)
	if n := len(unused); n > 0 {
		text := unused[0]
		if n > 1 {
			text = fmt.Sprintf("%s to %s, %d names", unused[0], unused[n-1], n)
		}
		leftover(text + ": of a writer that was killed or is at work")
	}
	return err
}

// CheckOrder checks that the tables of each level follow each other: the database takes
// their order from the manifest.
func (b *Database) CheckOrder(problem func(string)) error {
	levels, err := b.db.SSTables()
	if err != nil {
		return Plain(err)
	}
	for n, level := range levels {
		for i := 1; n > 0 && i < len(level); i++ {
			if bytes.Compare(level[i-1].Largest.UserKey, level[i].Smallest.UserKey) >= 0 {
				problem(fmt.Sprintf("tables %s and %s overlap", level[i-1].FileNum, level[i].FileNum))
			}
		}
	}
	return nil
}
