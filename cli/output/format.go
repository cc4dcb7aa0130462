package output

import (
	"path/filepath"
	"strings"

	"fstore/index"
)

// Format is one format that a command can write.
type Format struct {
	Name       string   // as --format names it
	Extensions []string // of -o FILE, without the dot; the name is always one
	Binary     bool     // not fit for a terminal
}

// Pick chooses among formats: what --format says, else what the extension of
// file says, else the fallback. An unknown name is a usage error, and so is an
// extension that promises what is not written; any other is the fallback. A binary
// format is refused on a terminal.
func Pick(formats []Format, flag, file, fallback string, terminal bool) (string, error) {
	name := flag
	if name == "" {
		name = fallback
		if !IsStdout(file) {
			if name = byExtension(formats, file, fallback); name == "" {
				return "", notWritten(formats, file)
			}
		}
	}
	for _, f := range formats {
		if f.Name != name {
			continue
		}
		if f.Binary && terminal && IsStdout(file) {
			return "", index.Usagef("%s is no text: give -o FILE, or a pipe", name)
		}
		return name, nil
	}
	return "", index.Usagef("unknown format %q: choose from %s", name, strings.Join(Names(formats), ", "))
}

// Known refuses a file whose extension is none of the formats': for what readers tell by it. A
// name without an extension is fine.
func Known(formats []Format, flag, file string) error {
	ext := filepath.Ext(file)
	if flag != "" || ext == "" || IsStdout(file) || Promises(file, formats) {
		return nil
	}
	return notWritten(formats, file)
}

func notWritten(formats []Format, file string) error {
	return index.Usagef("-o %s: %s is not written here: choose from %s, with --format for a name of another kind",
		file, filepath.Ext(file), strings.Join(Names(formats), ", "))
}

// Plain refuses a file whose extension promises another format than what an output holds, which is
// always text. extensions are those that promise what it holds.
func Plain(flag, file, holds string, extensions ...string) error {
	if IsStdout(file) || byExtension([]Format{{"txt", extensions, false}}, file, "txt") != "" {
		return nil
	}
	return index.Usagef("%s %s: %s is not written here: what is written is %s", flag, file, filepath.Ext(file), holds)
}

// Names lists the names of formats.
func Names(formats []Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}

// Promises says whether the extension of file is that of one of the formats.
func Promises(file string, formats []Format) bool {
	return !IsStdout(file) && byExtension(formats, file, "") != ""
}

func byExtension(formats []Format, file, fallback string) string {
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	for _, f := range formats {
		if f.Name == ext {
			return f.Name
		}
		for _, e := range f.Extensions {
			if e == ext {
				return f.Name
			}
		}
	}
	for _, other := range promises {
		if other == ext {
			return ""
		}
	}
	return fallback
}

// promises are extensions that say what is in a file: under such a name nothing
// else is written.
var promises = []string{
	"xlsx", "xls", "ods", "npz", "npy", "mtx", "arrow", "arrows", "feather", "parquet", "msgpack", "json", "csv", "tsv", "jsonl",
	"hdf5", "h5", "pkl", "pickle", "rds", "sqlite", "db", "gz", "zst", "bz2", "xz", "zip",
	"svg", "png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "pdf", "ps", "eps", "html", "doc", "docx",
}
