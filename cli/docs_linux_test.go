package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"fstore/cli/guide"
)

const (
	// docsWidth is the width of a page, and of the terminal that it shows. Longer lines of the terminal end
	// in an ellipsis.
	docsWidth = 100
	ellipsis  = "…"
)

// TestDocs runs the commands of README.md and of the guides, and compares what they print.
//
// A command is a line `$ COMMAND` of a fenced block, with the lines that a backslash or a here document adds.
// The lines up to the next command or the end of the block are its output. The commands of a page run in one
// new directory, which has a link to bench/sample. Standard output is a terminal. Standard error comes after
// it. Times and progress are left out, wide rows are cut, and wide lines of text are folded. In a page, a
// line that ends in an ellipsis stands for all lines with the same beginning. A line with only an ellipsis
// stands for any number of lines.
func TestDocs(t *testing.T) {
	pages := []string{"../README.md"}
	for _, name := range guide.Names() {
		pages = append(pages, "guide/"+name+".md")
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			comparePage(t, page, map[string]string{"bench/sample": "../bench/sample"})
		})
	}
}

// TestDocsOfData compares the pages of bench with what their commands print, on the treebanks that
// FSTORE_DATA names (make golden DATA=dir).
func TestDocsOfData(t *testing.T) {
	data := os.Getenv("FSTORE_DATA")
	if data == "" {
		t.Skip("FSTORE_DATA is not set")
	}
	links := map[string]string{}
	for _, name := range []string{"trees", "kbest", "qc"} {
		for _, place := range []string{".", "data", ".."} {
			if path := filepath.Join(data, place, name); links[name] == "" && isDir(path) {
				links[name] = path
			}
		}
		if links[name] == "" {
			t.Skipf("%s: not there", name)
		}
	}
	for _, page := range []string{"README.md", "findings.md"} {
		t.Run(page, func(t *testing.T) { comparePage(t, "../bench/"+page, links) })
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// comparePage runs the commands of a page in a new directory and compares their output with the page. If
// golden files are updated, it writes the output into the page instead. For links see pageDir.
func comparePage(t *testing.T, page string, links map[string]string) {
	was, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := pageDir(t, links)
	is, errs := runPage(dir, strings.SplitAfter(string(was), "\n"), *update)
	for _, err := range errs {
		t.Error(err)
	}
	if *update && is != string(was) {
		if err := os.WriteFile(page, []byte(is), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// pageDir makes a new directory in which the commands of a page run. `links` maps names in it to the
// directories that they lead to.
func pageDir(t *testing.T, links map[string]string) string {
	dir := t.TempDir()
	for name, target := range links {
		target, err := filepath.Abs(target)
		if err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o777), os.Symlink(target, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDocsLayout checks the layout of pages: their sizes, and the widths of blocks.
func TestDocsLayout(t *testing.T) {
	check := func(name string, page []byte, least, most int) {
		if len(page) < least || len(page) > most {
			t.Errorf("%s has %d bytes, not %d to %d", name, len(page), least, most)
		}
		inside := false
		for i, line := range strings.Split(string(page), "\n") {
			if strings.HasPrefix(line, "```") {
				inside = !inside
			}
			if n := len([]rune(line)); inside && n > docsWidth {
				t.Errorf("%s:%d has %d columns", name, i+1, n)
			}
		}
		if inside {
			t.Errorf("%s: a fenced block has no end", name)
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	check("README.md", readme, 0, 12000)
	for _, name := range guide.Names() {
		page, err := fs.ReadFile(guide.Pages, name+".md")
		if err != nil {
			t.Fatal(err)
		}
		check(name, page, 3000, 10000)
		if !strings.HasPrefix(string(page), "# "+name+": ") {
			t.Errorf("%s does not begin with its name", name)
		}
	}
}

var citation = regexp.MustCompile(`\b(index|store|mine|decode|cli|bench)/README\.md,\s+(?://\s+)?"([^"]+)"`)

// TestCitations checks that each section that a comment cites exists.
func TestCitations(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		code, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range citation.FindAllStringSubmatch(string(code), -1) {
			page, err := os.ReadFile("../" + m[1] + "/README.md")
			section := regexp.MustCompile(`\s+(//\s+)?`).ReplaceAllString(m[2], " ")
			if err != nil || !strings.Contains(string(page), "\n## "+section+"\n") {
				t.Errorf("%s cites %s/README.md, %q, and there is no such section", path, m[1], section)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// runPage runs the commands of a page in dir, and returns the page. Where an output differs from the page,
// the returned page has the new output. Each difference is also an error, unless updating is true.
func runPage(dir string, lines []string, updating bool) (page string, errs []error) {
	var b strings.Builder
	fenced := false
	for i := 0; i < len(lines); {
		line := lines[i]
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		command, ok := strings.CutPrefix(line, "$ ")
		b.WriteString(line)
		i++
		if !fenced || !ok {
			continue
		}
		at := i
		for ; strings.HasSuffix(command, "\\\n") && i < len(lines); i++ {
			b.WriteString(lines[i])
			command += lines[i]
		}
		for end := hereEnd(command); end != "" && i < len(lines); i++ {
			b.WriteString(lines[i])
			command += lines[i]
			if strings.TrimSpace(lines[i]) == end {
				i++
				break
			}
		}
		from := i
		for i < len(lines) && !strings.HasPrefix(lines[i], "$ ") && !strings.HasPrefix(lines[i], "```") {
			i++
		}
		want := strings.Join(lines[from:i], "")
		got := runShell(dir, command)
		if printsAs(got, want) {
			got = want
		} else if !updating {
			errs = append(errs, fmt.Errorf("line %d: $ %s\nprints\n%s\nnot\n%s", at, command, got, want))
		}
		b.WriteString(got)
	}
	return b.String(), errs
}

var hereDocument = regexp.MustCompile(`<<'?([A-Z]+)'?`)

// hereEnd returns the word that ends the here document of a command, or "" if the command has no here
// document.
func hereEnd(command string) string {
	if m := hereDocument.FindStringSubmatch(command); m != nil {
		return m[1]
	}
	return ""
}

// timed matches texts that differ from run to run: progress of long runs, and the time at the end of closing
// lines.
var timed = regexp.MustCompile(`(?m)^.*(?:, [\d,.]+(?: MB)?/s(?:, \S+ left)?|: 0 of [\d,]+ [a-z]+)\n|(?:; )?\d+\.\d+ s$`)

// printsAs reports whether an output agrees with the output in a page.
func printsAs(got, want string) bool {
	gots, wants := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i, w := range wants {
		if w == ellipsis {
			rest := strings.Join(wants[i+1:], "\n")
			for k := i; k <= len(gots); k++ {
				if printsAs(strings.Join(gots[k:], "\n"), rest) {
					return true
				}
			}
			return false
		}
		if i == len(gots) {
			return false
		}
		start, cut := strings.CutSuffix(w, ellipsis)
		if gots[i] != w && !(cut && strings.HasPrefix(gots[i], start)) {
			return false
		}
	}
	return len(gots) == len(wants)
}

// runShell runs a command in dir, and returns its standard output followed by its standard error. Both are
// fitted to a page.
func runShell(dir, command string) string {
	stdout, stderr := shellOn(dir, command, docsWidth)
	return fitted(stdout+stderr, len(stdout))
}

// shellOn runs a command in dir whose standard output is a terminal of some width. If the exit code is not 0,
// it is added as a last line.
func shellOn(dir, command string, width uint16) (stdout, stderr string) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "NO_COLOR=1", "TERM=dumb", "LC_ALL=C.UTF-8")
	var said bytes.Buffer
	cmd.Stderr = &said
	stdout, err := onTerminal(cmd, width)
	stderr = timed.ReplaceAllString(said.String(), "")
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		stderr += fmt.Sprintf("[exit code %d]\n", exit.ExitCode())
	case err != nil:
		stderr += err.Error() + "\n"
	}
	return stdout, stderr
}

// fitted makes the lines of text fit a page. It cuts the rows of standard output, which is the first n bytes,
// and folds all other lines.
func fitted(text string, n int) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		row := n > 0 && !strings.HasPrefix(line, "# ")
		n -= len(line)
		r := []rune(strings.TrimSuffix(line, "\n"))
		switch {
		case len(r) <= docsWidth:
			b.WriteString(line)
		case row:
			b.WriteString(strings.TrimRight(partOfNumber.ReplaceAllString(string(r[:docsWidth-2]), ""), " \t") + " " + ellipsis + "\n")
		default:
			b.WriteString(folded(string(r)) + "\n")
		}
	}
	return b.String()
}

// folded breaks a line between words, as a terminal does.
func folded(line string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(line) {
		k := len([]rune(word))
		switch {
		case i == 0:
		case width+1+k > docsWidth:
			b.WriteString("\n    ")
			width = 4
		default:
			b.WriteString(" ")
			width++
		}
		b.WriteString(word)
		width += k
	}
	return b.String()
}

// partOfNumber matches the beginning of a number at the end of a line that was cut.
var partOfNumber = regexp.MustCompile(`[ \t][-0-9.,e]+$`)

// onTerminal runs a command whose standard output is a terminal of some width, and returns what the terminal
// shows.
func onTerminal(cmd *exec.Cmd, width uint16) (string, error) {
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return "", err
	}
	defer ours.Close()
	fd := int(ours.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return "", err
	}
	size := &unix.Winsize{Row: 50, Col: width}
	if err := errors.Join(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0), unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, size)); err != nil {
		return "", err
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return "", err
	}
	cmd.Stdout = theirs
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return "", err
	}
	var shown bytes.Buffer
	if _, err := shown.ReadFrom(ours); err != nil && !errors.Is(err, syscall.EIO) { // EIO: no process has the terminal open any more
		return "", errors.Join(err, cmd.Wait())
	}
	return strings.ReplaceAll(shown.String(), "\r\n", "\n"), cmd.Wait()
}
