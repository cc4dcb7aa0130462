package output

import (
	"path/filepath"
	"strings"

	"fstore/index"
)

// Format is a format that a command can write.
type Format struct {
	Name       string   // value of --format
	Extensions []string // file extensions of the format without the dot, besides Name
	Binary     bool     // cannot be shown on a terminal
}

// Pick returns the name of a format: the value of --format, else the format of the file's extension, else the
// fallback. It returns a usage error if `formats` lacks this format, or if it is binary and goes to a
// terminal.
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

// Known returns an error if the file has an extension that belongs to none of the formats, and --format is
// not given.
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

// Plain returns an error if the file has the extension of a format other than text, except those in
// `extensions`. The error ends with `content`, which says what would be in the file.
func Plain(flag, file, content string, extensions ...string) error {
	if IsStdout(file) || byExtension([]Format{{"txt", extensions, false}}, file, "txt") != "" {
		return nil
	}
	return index.Usagef("%s %s: %s is not written here: what is written is %s", flag, file, filepath.Ext(file), content)
}

// Names returns the names of formats, for help and messages.
func Names(formats []Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}

// Promises reports whether the file's extension belongs to one of the formats.
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

// promises are extensions that tell the user which format a file has. Text of another format must not be
// written to such a file.
var promises = []string{
	"xlsx", "xls", "ods", "npz", "npy", "mtx", "arrow", "arrows", "feather", "parquet", "msgpack", "json", "csv", "tsv", "jsonl",
	"hdf5", "h5", "pkl", "pickle", "rds", "sqlite", "db", "gz", "zst", "bz2", "xz", "zip",
	"svg", "png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "pdf", "ps", "eps", "html", "doc", "docx",
}
