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

// ReadFolds reads lines with a sample's name, a tab and a fold number. It returns the folds of the samples in
// `names`, renumbered from 0. Lines with other names are ignored. A sample without a fold, or a bad line, is
// an *index.InputError.
func ReadFolds(in io.Reader, file string, names []string) (crossval.Folds, error) {
	of := map[string]int{}
	err := format.EachLine(in, file, format.MaxText, func(line []byte) error {
		name, text, found := bytes.Cut(line, []byte("\t"))
		fold, err := strconv.Atoi(string(text))
		if !found || err != nil || fold < 0 {
			return &format.LineError{Msg: format.Quote(line) + ": expected a sample's name, a tab and the number of its fold"}
		}
		if before, ok := of[string(name)]; ok && before != fold {
			return &format.LineError{Msg: fmt.Sprintf("%s is in two folds, %d and %d", format.Quote(name), before, fold)}
		}
		of[string(name)] = fold
		return nil
	})
	if err != nil {
		return nil, err
	}
	folds := make(crossval.Folds, len(names))
	number := map[int]int{}
	for i, name := range names {
		fold, ok := of[name]
		if !ok {
			return nil, &index.InputError{File: file, Msg: fmt.Sprintf("no fold for the sample %s", format.Quote([]byte(name))), Fatal: true}
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
