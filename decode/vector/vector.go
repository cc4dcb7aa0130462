// Package vector writes sparse vectors in the formats that trainers read. A
// format is one file and one line of the registry.
package vector

import (
	"fmt"
	"io"
	"strings"
)

// Vector is one sample's features.
type Vector struct {
	Sample string    // the sample's name
	Label  string    // as the format writes it: a number, or several joined by ','
	ID     []uint32  // 1-based, strictly ascending
	Value  []float64 // of each ID
}

// Writer writes vectors in order.
type Writer interface {
	Write(*Vector) error
	// Flush hands what is complete to the underlying writer.
	Flush() error
	// Close writes what ends the format. It does not close the underlying writer.
	Close() error
}

// Format is one line of the registry.
type Format struct {
	Name       string
	Extensions []string // of files, without the dot, beside the name
	Open       func(w io.Writer, o Options) Writer
}

// Options are what formats may want to know beforehand.
type Options struct {
	Features uint32 // the width
}

var formats = []Format{
	{"svmlight", []string{"svm", "libsvm"}, newSVMLight},
}

// Formats returns the registry.
func Formats() []Format { return formats }

// Lookup returns the format of a name.
func Lookup(name string) (Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("no vector format %q: there are %s", name, strings.Join(Names(), ", "))
}

// Names returns the registered names.
func Names() (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}
