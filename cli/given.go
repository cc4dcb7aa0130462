package cli

import (
	"reflect"

	"github.com/alecthomas/kong"

	"fstore/index"
)

// givenFlags returns the names of the flags that a command line has. A flag of one value that
// stands twice is an error: one of its values would be forgotten. So is a flag whose text is
// empty, as an unset variable of a shell makes it: to a command that is as if it were not given.
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

// isText says whether flags of a kind have a text, or a list of texts.
func isText(k reflect.Kind) bool { return k == reflect.String || k == reflect.Slice }
