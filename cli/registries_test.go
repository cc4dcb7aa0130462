package cli

import (
	"regexp"
	"testing"

	"fstore/cli/look"
	"fstore/decode/vector"
)

// What is in a registry stands in the help of its command.
func TestHelpNamesRegistered(t *testing.T) {
	var formats []string
	for _, f := range vector.Formats() {
		formats = append(formats, f.Name)
	}
	for command, names := range map[string][]string{"linearize": formats, "query": look.Statistics()} {
		help := fstore(t, command, "--help")
		for _, name := range names {
			if !regexp.MustCompile(`\b` + name + `\b`).MatchString(help) {
				t.Errorf("%s --help does not name %s", command, name)
			}
		}
	}
}
