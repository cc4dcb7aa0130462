package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"fstore/cli/command"
	"fstore/cli/output"
)

// manCommand prints the manual page, which has the same text as --help.
type manCommand struct{}

func (*manCommand) Help() string {
	return `Example:

    fstore man > ~/.local/share/man/man1/fstore.1
`
}

func (*manCommand) Run(env *command.Env) error {
	out := output.Stdout(env.Stdout)
	defer out.Abort()
	if err := writeMan(out, env.Model, command.ProgramVersion()); err != nil {
		return err
	}
	return out.Commit()
}

var exitStatus = []struct{ code, meaning string }{
	{"0", "Done. A closed pipe is no failure."},
	{"1", "Failure: a full disk, a file that cannot be written."},
	{"2", "Wrong usage."},
	{"3", "Bad input; the message is FILE:LINE: and what was expected."},
	{"4", "The store is damaged, locked or of another version."},
	{"130", "Interrupted."},
}

// writeMan writes the page with the man macros of roff.
func writeMan(w io.Writer, app *kong.Application, version string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s %s\"\n", strings.ToUpper(app.Name), app.Name, roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- database of tree fragments\n", app.Name)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n.I command\n[flags] [arguments]\n", app.Name)
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", paragraphs(app.Help))
	b.WriteString(".SH GLOBAL FLAGS\n")
	manFlags(&b, app.Flags)
	b.WriteString(".SH COMMANDS\n")
	for _, c := range app.Children {
		manNode(&b, c)
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, s := range exitStatus {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", s.code, roff(s.meaning))
	}
	b.WriteString(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nWhere it is set, nothing is coloured.\n")
	_, err := w.Write(b.Bytes())
	return err
}

func manNode(b *bytes.Buffer, n *kong.Node) {
	fmt.Fprintf(b, ".SS %s\n", roff(n.FullPath()))
	for _, a := range n.Positional {
		fmt.Fprintf(b, "%s\n", roff(a.Summary()))
	}
	fmt.Fprintf(b, ".PP\n%s", paragraphs(n.Help+"\n\n"+n.Detail))
	for _, a := range n.Positional {
		fmt.Fprintf(b, ".TP\n.I %s\n%s\n", roff(a.Name), roff(a.Help))
	}
	manFlags(b, n.Flags)
	for _, c := range n.Children {
		manNode(b, c)
	}
}

func manFlags(b *bytes.Buffer, flags []*kong.Flag) {
	for _, f := range flags {
		if !f.Hidden {
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(f.String()), roff(f.Help))
		}
	}
}

// paragraphs converts a help text to roff. Indented paragraphs keep their line breaks.
func paragraphs(text string) string {
	var b strings.Builder
	verbatim := false
	for i, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if verbatim = strings.HasPrefix(p, "    "); verbatim {
			b.WriteString(".PP\n.RS 4\n.nf\n")
			for line := range strings.Lines(p) {
				b.WriteString(roff(strings.TrimSpace(line)) + "\n")
			}
			b.WriteString(".fi\n.RE\n")
			continue
		}
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(roff(strings.TrimSpace(p)) + "\n")
	}
	return b.String()
}

// roff escapes a text for the formatter roff.
func roff(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r >= utf8.RuneSelf:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		case r == '.' && (i == 0 || text[i-1] == '\n'):
			b.WriteString(`\&.`)
		case roffEscapes[r] != "":
			b.WriteString(roffEscapes[r])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

var roffEscapes = map[rune]string{'\\': `\e`, '-': `\-`, '\'': `\(aq`, '`': `\(ga`, '~': `\(ti`, '^': `\(ha`}
