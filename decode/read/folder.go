package read

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fstore/decode/format/foreign"
	"fstore/index"
)

// A folder as an input means those files in it and in its subfolders whose format is recognised. Hidden files
// and stores are skipped silently. All other files that are left out are reported.

// storeMarks are files that exist only in a store, or in a store that is being built.
var storeMarks = []string{"FSTORE", "UNFINISHED"}

// maxLeftOut is the maximum number of left-out files that a message lists.
const maxLeftOut = 5

// Files returns the paths, with each folder replaced by all its files that are not hidden, in byte order.
func Files(paths []string) (files []string) {
	for _, p := range paths {
		in, _, err := filesIn(p)
		if err != nil || in == nil {
			in = []string{p}
		}
		files = append(files, in...)
	}
	return files
}

// filesIn returns the files of a folder and the stores in it. If path is no folder, files is nil.
func filesIn(path string) (files, stores []string, err error) {
	if path == "-" {
		return nil, nil, nil
	}
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return nil, nil, nil // opening the path will report the error
	}
	files = []string{}
	root := path
	if target, err := filepath.EvalSymlinks(path); err == nil && target != path {
		root = target // WalkDir does not follow a link
	}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		name := filepath.Join(path, strings.TrimPrefix(p, root))
		switch {
		case err != nil:
			return fileError(name, err)
		case p != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir():
			files = append(files, name)
		case IsStore(p):
			stores = append(stores, name)
			return fs.SkipDir
		}
		return nil
	})
	return files, stores, err
}

// IsStore says whether a directory is a store, or a store that is being built. The mark FSTORE counts only in
// capitals, since a folder can hold the program fstore.
func IsStore(dir string) bool {
	return slices.ContainsFunc(storeMarks, func(mark string) bool {
		if _, err := os.Lstat(filepath.Join(dir, mark)); err != nil {
			return false
		}
		files, err := os.ReadDir(dir)
		return err != nil || slices.ContainsFunc(files, func(f fs.DirEntry) bool { return f.Name() == mark })
	})
}

// withFolders replaces each folder among the paths by its files.
func (o *InputOptions) withFolders(given []string) (paths []string, err error) {
	for _, p := range given {
		files, stores, err := filesIn(p)
		if err != nil {
			return nil, err
		}
		if files == nil {
			paths = append(paths, p)
			continue
		}
		if slices.Contains(stores, filepath.Clean(p)) {
			return nil, &index.InputError{File: p, Msg: "is a store: expected treebanks", Fatal: true}
		}
		n := len(paths)
		var left []string
		for _, f := range files {
			if o.canRead(f) {
				paths = append(paths, f)
			} else {
				left = append(left, f)
			}
		}
		if left = append(left, stores...); len(left) > 0 && o.OnWarn != nil {
			o.OnWarn(leftOut(p, left))
		}
		if len(paths) == n {
			return nil, &index.InputError{File: p, Msg: "no file in the folder is a treebank of a format that is read", Fatal: true}
		}
	}
	return paths, nil
}

func leftOut(folder string, files []string) string {
	list := strings.Join(files[:min(len(files), maxLeftOut)], ", ")
	if n := len(files) - maxLeftOut; n > 0 {
		list += fmt.Sprintf(" and %s more", index.Thousands(n))
	}
	return fmt.Sprintf("%s: left out, as they cannot be read as treebanks: %s", folder, list)
}

// canRead says whether a file has a recognised format, or can have the format that the user named.
func (o *InputOptions) canRead(file string) bool {
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := headOf(f)
	if err != nil || head.isEmpty() {
		return false
	}
	if name := o.Format; name != "" {
		f, err := FormatByName(name)
		return err == nil && f.Sniff(plainName(file), head.text) > 0
	}
	return foreign.Recognise(head.text) == "" && head.format(plainName(file)) != nil
}
