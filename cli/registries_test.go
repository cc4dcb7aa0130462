package cli

import (
	"regexp"
	"strings"
	"testing"

	"fstore/decode/vector"
)

// The help of a command lists all names in its registry.
func TestHelpNamesRegistered(t *testing.T) {
	scratch(t)
	write(t, "t.mrg", "(S (A a))\n")
	fstore(t, "build", "s", "t.mrg", "--label", "x", "-q")
	said := runIn(strings.NewReader(""), "query", "s", "--columns", "nope").stderr
	_, columns, _ := strings.Cut(said, "(columns: ")
	columns, _, _ = strings.Cut(columns, ")")
	registered := map[string][]string{"query": strings.Split(columns, ", ")}
	for _, f := range vector.Formats() {
		registered["linearize"] = append(registered["linearize"], f.Name)
	}
	for command, names := range registered {
		help := fstore(t, command, "--help")
		if len(names) < 5 {
			t.Errorf("%s has only %q: %s", command, names, said)
		}
		for _, name := range names {
			name, _, _ = strings.Cut(name, ":") // support:LABEL
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(help) {
				t.Errorf("%s --help does not name %s", command, name)
			}
		}
	}
}
