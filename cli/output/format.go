package output

import (
	"path/filepath"
	"strings"

	"fstore/cli/usage"
)

// Format is one format that a command can write.
type Format struct {
	Name       string   // as --format names it
	Extensions []string // of -o FILE, without the dot; the name is always one
	Binary     bool     // not fit for a terminal
}

// Pick chooses among formats: what --format says, else what the extension of
// file says, else the fallback. An unknown name is a usage error; an unknown
// extension is the fallback. A binary format is refused on a terminal.
func Pick(formats []Format, flag, file, fallback string, terminal bool) (string, error) {
	name := flag
	if name == "" {
		name = fallback
		if !IsStdout(file) {
			name = byExtension(formats, file, fallback)
		}
	}
	for _, f := range formats {
		if f.Name != name {
			continue
		}
		if f.Binary && terminal && IsStdout(file) {
			return "", usage.Errorf("%s is no text: give -o FILE, or a pipe", name)
		}
		return name, nil
	}
	return "", usage.Errorf("unknown format %q: choose from %s", name, strings.Join(Names(formats), ", "))
}

// Names lists the names of formats.
func Names(formats []Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
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
	return fallback
}
