package cli

import (
	"reflect"

	"github.com/alecthomas/kong"

	"fstore/index"
)

// givenFlags returns the names of the flags on a command line. It is an error if a flag that takes one value
// is given twice, because one value would be lost. It is also an error if a flag has an empty text: its value
// can be an unset variable of the shell, and commands would ignore the flag.
func givenFlags(parsed *kong.Context) (map[string]bool, error) {
	given := map[string]bool{}
	for _, p := range parsed.Path {
		f := p.Flag
		switch {
		case f == nil:
			continue
		case given[f.Name] && !f.IsBool() && !f.IsCumulative():
			return nil, index.Usagef("--%s stands twice, and has one value", f.Name)
		case isText(f.Target.Kind()) && f.Target.Len() == 0:
			return nil, index.Usagef("--%s: the value is empty", f.Name)
		}
		given[f.Name] = true
	}
	return given, nil
}

// isText reports whether a flag of this kind is a text or a list of texts.
func isText(k reflect.Kind) bool { return k == reflect.String || k == reflect.Slice }
