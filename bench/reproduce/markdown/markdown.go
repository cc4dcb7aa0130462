// Package markdown prints tables in Markdown.
package markdown

import (
	"fmt"
	"io"
	"strings"
)

// Table prints a table. The first column is aligned to the left, the others to the right.
func Table(w io.Writer, head []string, rows [][]string) error {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	rule := make([]string, len(head))
	for i := range rule {
		if rule[i] = "--:"; i == 0 {
			rule[i] = "---"
		}
	}
	line(rule)
	for _, row := range rows {
		line(row)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// Percent formats a share as a percentage, without the sign %.
func Percent(x float64) string { return fmt.Sprintf("%.2f", 100*x) }
