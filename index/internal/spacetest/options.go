package spacetest

import "strings"

// Options returns what a space's New asks for options, as they are written after the
// space's name: `unit=upos,max-gap=2`.
func Options(text string) func(name string) []string {
	values := map[string][]string{}
	for kv := range strings.SplitSeq(text, ",") {
		if k, v, ok := strings.Cut(kv, "="); ok {
			values[k] = append(values[k], v)
		}
	}
	return func(name string) []string { return values[name] }
}
