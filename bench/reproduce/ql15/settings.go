package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// settings are the values of the flags.
type settings struct {
	bin, data, out string
	train, test    string // names of lists in data: file names without .kbest.conllu.gz and .gold.conllu.gz
	space          string
	support        int
	minCount       int
	counts         string
	orders         string
	polyOrder      int
	epochs         int
	lambdas        string
	base           float64
	iterations     int
	mine           string
	memory         string
	folds          int
	chunks         int
	systems        string
	workers        int
}

// numbers parses the comma-separated values of a flag.
func numbers[T any](flag, text string, parse func(string) (T, error)) (all []T, err error) {
	for field := range strings.SplitSeq(text, ",") {
		if field == "" {
			continue
		}
		x, err := parse(field)
		if err != nil {
			return nil, fmt.Errorf("-%s: %w", flag, err)
		}
		all = append(all, x)
	}
	return all, nil
}

func float(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// lists returns the paths of the two files of the lists with this name.
func (s *settings) lists(name string) (kbest, gold string) {
	path := name
	if !filepath.IsAbs(name) {
		path = filepath.Join(s.data, filepath.FromSlash(name))
	}
	return path + ".kbest.conllu.gz", path + ".gold.conllu.gz"
}

// hashLists returns a hash of the files of the lists with these names.
func hashLists(s *settings, names ...string) (string, error) {
	h := xxh3.New()
	for _, name := range names {
		kbest, gold := s.lists(name)
		for _, path := range []string{kbest, gold} {
			if err := addFile(h, path); err != nil {
				return "", err
			}
		}
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// addFile adds a file's length and contents to a hash.
func addFile(h *xxh3.Hasher, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(h, f)
	if err != nil {
		return err
	}
	return binary.Write(h, binary.LittleEndian, n)
}

// trees returns the path of the file of chosen trees that has this name.
func (s *settings) trees(name string) string { return filepath.Join(s.out, name+".conllu") }
