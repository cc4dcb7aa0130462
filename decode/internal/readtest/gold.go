package readtest

import (
	"fmt"
	"strings"
)

// Sentences returns a short notation as CoNLL-U. `a/2/nsubj b/0` is a sentence with the words a and b, their
// heads and relations. `s1:` before the words is the sent_id; `s1 3:` is the third candidate of s1, with
// score -3. Other lines are not changed.
func Sentences(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		id, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			b.WriteString(line)
			continue
		}
		id, candidate, _ := strings.Cut(id, " ")
		if id != "" {
			fmt.Fprintf(&b, "# sent_id = %s\n", id)
		}
		if candidate != "" {
			fmt.Fprintf(&b, "# candidate = %s\n# score = -%s\n", candidate, candidate)
		}
		for i, w := range strings.Fields(words) {
			f := append(strings.Split(w, "/"), "dep")
			fmt.Fprintf(&b, "%d\t%s\t_\tX\t_\t_\t%s\t%s\t_\t_\n", i+1, f[0], f[1], f[2])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
