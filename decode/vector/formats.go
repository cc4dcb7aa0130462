package vector

import (
	"fmt"
	"io"
	"strings"
)

// Format describes a vector format.
type Format struct {
	Name       string
	Extensions []string // other extensions of files in this format, without the dot
	Binary     bool     // cannot be shown on a terminal
	Texts      bool     // can write Options.Text
	Named      bool     // always writes Options.Text
	Stream     string   // name of the format to use if the output is a pipe; "" means this format
	Open       func(w io.Writer, o Options) Writer
}

// formats are all vector formats. The first is the default.
var formats = []Format{
	{Name: "svmlight", Extensions: []string{"svm", "libsvm", "txt", "dat"}, Open: newSVMLight},
	{Name: "vw", Open: newVW},
	{Name: "jsonl", Extensions: []string{"ndjson", "json"}, Texts: true, Open: newJSONL},
	{Name: "msgpack", Binary: true, Open: newMsgpack},
	{Name: "npz", Binary: true, Open: newNPZ},
	{Name: "mtx", Texts: true, Named: true, Open: newMTX},
	{Name: "arrow", Extensions: []string{"feather"}, Binary: true, Stream: "arrows", Open: newArrowFile},
	{Name: "arrows", Binary: true, Open: newArrowStream},
	{Name: "parquet", Binary: true, Open: newParquet},
}

// Formats returns all vector formats, the default first.
func Formats() []Format { return formats }

// Lookup returns the format with this name. If there is none, the error lists all names.
func Lookup(name string) (Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("no vector format %q: there are %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all formats, in the order of Formats.
func Names() (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}
