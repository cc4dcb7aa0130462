package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"fstore/cli/command"
)

// markLiterals puts LiteralMark before arguments such as -1 and "- >dep a", which begin with - but cannot be
// flags.
func markLiterals(model *kong.Application, args []string) []string {
	args = slices.Clone(args)
	takesValue := shortsWithValue(model.Node)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if strings.HasPrefix(arg, "-") && arg != "-" && !isFlagLike(arg, takesValue) {
			args[i] = command.LiteralMark + arg
		}
	}
	return args
}

// shortsWithValue returns the letters of the short flags that take a value, in n and in the commands below n.
func shortsWithValue(n *kong.Node) (letters string) {
	for _, f := range n.Flags {
		if f.Short != 0 && !f.IsBool() {
			letters += string(f.Short)
		}
	}
	for _, child := range n.Children {
		letters += shortsWithValue(child)
	}
	return letters
}

// isFlagLike reports whether an argument has the form of a flag. The flag need not exist, so that a misspelt
// flag is reported.
func isFlagLike(arg, takesValue string) bool {
	name, long := strings.CutPrefix(arg, "--")
	if long {
		name, _, _ = strings.Cut(name, "=")
		return name != "" && isLetter(name[0]) && !strings.ContainsAny(name, " \t\r\n")
	}
	for i := 1; i < len(arg); i++ {
		if strings.IndexByte(takesValue, arg[i]) >= 0 {
			return true
		}
		if !isLetter(arg[i]) && (i == 1 || arg[i] != '-' && arg[i] != '=') {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// unknownFlag returns the error for an unknown flag, with advice about arguments that begin with -.
func unknownFlag(node *kong.Node, message string) error {
	before, near, suggested := strings.Cut(message, ", did you mean ")
	long := strings.HasPrefix(before, "unknown flag --") && suggested && strings.Contains(near, `"--`)
	if long || node == nil || len(node.Positional) == 0 {
		return errors.New(message)
	}
	return fmt.Errorf("%s; arguments that begin with - stand after --, as in: %s … -- -x", before, node.FullPath())
}
