package ask

import (
	"slices"
	"strconv"
	"strings"

	"fstore/cli/command"
)

// Line is a command line that is being put together. Its texts are taken literally, even if they begin with @
// or -.
type Line struct {
	head, args []string // head is the command and its store, args is the rest
	flags      []flag
	input      string // the standard input of the command
}

type flag struct{ name, value string }

// NewLine returns a line with a command and its store.
func NewLine(name string, h *Shelf) *Line { return &Line{head: []string{name, h.Dir}} }

// Arg adds an argument, which will stand after the name of the store.
func (l *Line) Arg(text string) *Line {
	l.args = append(l.args, text)
	return l
}

// Flag adds a flag, unless its value is empty.
func (l *Line) Flag(name, value string) *Line {
	if value != "" {
		l.flags = append(l.flags, flag{name, value})
	}
	return l
}

// Int adds a flag whose value is a number.
func (l *Line) Int(name string, n int) *Line { return l.Flag(name, strconv.Itoa(n)) }

// Switch adds a flag without a value.
func (l *Line) Switch(name string) *Line {
	l.flags = append(l.flags, flag{name: name})
	return l
}

// Input sets the standard input of the command. The text must end with a line break.
func (l *Line) Input(text string) *Line {
	l.input = text
	return l
}

// With returns a copy of the line with another value of a flag. The value "" removes the flag.
func (l *Line) With(name, value string) *Line {
	other := &Line{head: l.head, args: l.args, input: l.input}
	other.flags = slices.DeleteFunc(slices.Clone(l.flags), func(f flag) bool { return f.name == name })
	return other.Flag(name, value)
}

// Question returns the line in the form that Asker takes.
func (l *Line) Question() Question {
	args := slices.Clone(l.head)
	for _, f := range l.flags {
		if f.value == "" {
			args = append(args, "--"+f.name)
		} else {
			args = append(args, "--"+f.name+"="+plain(f.value))
		}
	}
	args = append(append(args, "--"), l.plainArgs()...)
	return Question{Args: args, Input: l.input}
}

// plainArgs returns the arguments, each escaped by plain.
func (l *Line) plainArgs() (all []string) {
	for _, a := range l.args {
		all = append(all, plain(a))
	}
	return all
}

// String returns the line as a user types it in a shell, with the standard input as a here-document.
func (l *Line) String() string {
	args, last := slices.Clone(l.head), []string(nil)
	if slices.ContainsFunc(l.args, func(a string) bool { return strings.HasPrefix(a, "-") && a != "-" }) {
		last = append([]string{"--"}, l.plainArgs()...)
	} else {
		args = append(args, l.plainArgs()...)
	}
	for _, f := range l.flags {
		switch {
		case f.value == "":
			args = append(args, "--"+f.name)
		case strings.HasPrefix(f.value, "-"):
			args = append(args, "--"+f.name+"="+plain(f.value))
		default:
			args = append(args, "--"+f.name, plain(f.value))
		}
	}
	line := command.CommandLine(append(args, last...))
	if l.input == "" {
		return line
	}
	end := "END"
	for strings.Contains(l.input, end) {
		end += "."
	}
	return line + " <<'" + end + "'\n" + l.input + end
}

// plain doubles an @ at the beginning of a text, so that the text does not mean @FILE.
func plain(text string) string {
	if strings.HasPrefix(text, "@") {
		return "@" + text
	}
	return text
}

// All returns the line that prints all rows: without a limit and without a random sample.
func (l *Line) All() *Line {
	other := l
	for _, f := range l.flags {
		switch f.name {
		case "limit", "families":
			other = other.With(f.name, "")
		case "sample", "seed":
			if l.head[0] == "examples" {
				other = other.With(f.name, "")
			}
		}
	}
	switch l.head[0] {
	case "query", "examples", "contrast", "collocates":
		other = other.With("limit", "0")
	}
	return other
}
