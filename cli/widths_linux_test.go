package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// lists matches commands of README with a fragment, pattern or sample in the first column.
var lists = regexp.MustCompile(`^fstore (contrast|query|count|collocates|predict)\b`)

// TestWidths runs the commands of README on terminals of three widths. In a table on a terminal: (1) the
// first cell of each row is complete, as in a pipe; (2) no line is wider than the terminal; (3) a note names
// the columns that were left out.
func TestWidths(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := pageCommands(string(readme))
	for _, width := range []int{80, 100, 120} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			dir := pageDir(t, map[string]string{"bench/sample": "../bench/sample"})
			tables := 0
			for _, command := range commands {
				shown, stderr := shellOn(dir, command, uint16(width))
				if !lists.MatchString(command) || strings.Contains(command, " | ") || strings.Contains(command, " -o ") {
					continue
				}
				piped, _ := shellOn(dir, strings.TrimSpace(command)+" | cat", uint16(width))
				checkTable(t, command, shown, piped, width)
				if t.Failed() {
					t.Log(stderr)
				}
				tables++
			}
			if tables < 3 {
				t.Errorf("README has %d tables", tables)
			}
		})
	}
}

// checkTable compares a table on a terminal with the same table in a pipe.
func checkTable(t *testing.T, command, shown, piped string, width int) {
	t.Helper()
	below := func(text string) []string {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for len(lines) > 0 && strings.HasPrefix(lines[0], "# ") {
			lines = lines[1:]
		}
		return lines
	}
	rows, want := below(shown), below(piped)
	if len(rows) != len(want) || len(rows) < 2 {
		t.Errorf("%s\nhas %d rows on a terminal, %d in a pipe", command, len(rows), len(want))
		return
	}
	for i, row := range rows {
		first, _, _ := strings.Cut(want[i], "\t")
		if !strings.HasPrefix(row, first) {
			t.Errorf("%s\nprints %q at %d columns, and has %q", command, row, width, first)
		}
		if n := len([]rune(row)); n > width {
			t.Errorf("%s\nprints %d columns at %d: %q", command, n, width, row)
		}
	}
	missing := len(strings.Split(want[0], "\t")) - len(strings.Fields(rows[0]))
	if isSaid := strings.Contains(shown, "\n# no room for ") || strings.HasPrefix(shown, "# no room for "); missing > 0 && !isSaid && !strings.HasPrefix(command, "fstore contrast") {
		t.Errorf("%s\nleaves out %d columns, and does not say so:\n%s", command, missing, shown)
	}
}

// pageCommands returns the commands of a page. A command can have several lines.
func pageCommands(page string) (all []string) {
	record := regexp.MustCompile(`(?m)^\$ (.*(?:\\\n.*)*)\n`)
	fenced := strings.Split(page, "```")
	for i := 1; i < len(fenced); i += 2 {
		for _, m := range record.FindAllStringSubmatchIndex(fenced[i], -1) {
			command := fenced[i][m[2]:m[3]] + "\n"
			if end := hereEnd(command); end != "" {
				rest := fenced[i][m[1]:]
				command += rest[:strings.Index(rest, "\n"+end+"\n")+len(end)+2]
			}
			all = append(all, command)
		}
	}
	return all
}
