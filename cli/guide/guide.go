// Package guide has the guides, each a page of Markdown, and the command that shows them.
//
// A page NAME.md begins with its title line, `# NAME: what it is about`. TestDocs of package cli runs the
// commands of each page and compares their output with the page.
package guide

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"fstore/cli/command"
	"fstore/index"
)

// GuideCommand is the command `guide`. It prints a guide, or lists all guides.
type GuideCommand struct {
	Name string `arg:"" optional:"" predictor:"guide" help:"The guide to print (default: list the guides)."`
}

// Pages are the guides. Each is a file NAME.md.
//
//go:embed *.md
var Pages embed.FS

func (*GuideCommand) Help() string {
	return `Prints a guide: what to do, from start to end, with the output of each command. Without a name it lists the guides.

Example:

    fstore guide
    fstore guide contrast | less
`
}

// Names returns the names of the guides in byte order.
func Names() []string {
	files, _ := fs.Glob(Pages, "*.md") // no error is possible: the pattern is valid, and embedded files can be read
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".md")
	}
	return files
}

func (c *GuideCommand) Run(env *command.Env) error {
	text, err := c.text()
	if err != nil {
		return err
	}
	return env.Print(text)
}

// text returns what the command prints. If no guide has the name, it returns a usage error.
func (c *GuideCommand) text() (string, error) {
	if c.Name == "" {
		return list()
	}
	page, err := Pages.ReadFile(c.Name + ".md")
	if err != nil {
		return "", index.Usagef("there is no guide %q; the guides are: %s", c.Name, strings.Join(Names(), ", "))
	}
	return string(page), nil
}

// list returns a line for each guide: its name, and the rest of its title line.
func list() (string, error) {
	var b strings.Builder
	for _, name := range Names() {
		page, err := Pages.ReadFile(name + ".md")
		if err != nil {
			return "", err
		}
		title, _, _ := strings.Cut(string(page), "\n")
		_, about, ok := strings.Cut(title, ": ")
		if !ok {
			return "", fmt.Errorf("the guide %s: its first line is not `# NAME: what it is about`", name)
		}
		fmt.Fprintf(&b, "%-20s%s\n", name, about)
	}
	return b.String(), nil
}
