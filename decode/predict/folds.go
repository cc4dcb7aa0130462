package predict

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"fstore/decode/format"
	"fstore/index"
	"fstore/mine/learn/crossval"
)

// ReadFolds reads lines of a sample's name, a tab and the number of its fold, and returns
// the folds of the samples with these names, numbered in ascending order of the file's
// numbers. Names that no sample has may be there; a sample without a fold, and what is no
// such line, is an *index.InputError.
func ReadFolds(in io.Reader, file string, names []string) (crossval.Folds, error) {
	lines := format.NewLines(in, format.MaxText)
	bad := func(line int, msg string) error {
		return &index.InputError{File: file, Line: line, Msg: msg, Fatal: true}
	}
	of := map[string]int{}
	for {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		switch err.(type) {
		case nil:
		case *format.LineError:
			return nil, bad(lines.Number, err.Error())
		default:
			return nil, err
		}
		if len(line) == 0 {
			continue
		}
		name, text, found := bytes.Cut(line, []byte("\t"))
		fold, err := strconv.Atoi(string(text))
		if !found || err != nil || fold < 0 {
			return nil, bad(lines.Number, format.Quote(line)+": expected a sample's name, a tab and the number of its fold")
		}
		if before, ok := of[string(name)]; ok && before != fold {
			return nil, bad(lines.Number, fmt.Sprintf("%s is in two folds, %d and %d", format.Quote(name), before, fold))
		}
		of[string(name)] = fold
	}
	folds := make(crossval.Folds, len(names))
	number := map[int]int{}
	for i, name := range names {
		fold, ok := of[name]
		if !ok {
			return nil, bad(0, fmt.Sprintf("no fold for the sample %s", format.Quote([]byte(name))))
		}
		folds[i] = fold
		number[fold] = 0
	}
	for n, fold := range slices.Sorted(maps.Keys(number)) {
		number[fold] = n
	}
	for i, fold := range folds {
		folds[i] = number[fold]
	}
	return folds, nil
}
