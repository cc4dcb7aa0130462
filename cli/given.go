package cli

import (
	"reflect"

	"github.com/alecthomas/kong"

	"fstore/index"
)

// givenFlags returns the set of flags on a command line. A second value for a flag with one value is an
// error. An empty value is an error too, because it can come from an unset variable of the shell.
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
