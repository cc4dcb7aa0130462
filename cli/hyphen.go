package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"fstore/cli/command"
)

// markLiterals returns args in which each one that starts with - but cannot be a flag
// begins with literalMark: labels such as -1, and fragments such as "- >dep a".
// What follows -- needs no mark.
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

// shortsWithValue returns the letters of the short flags that take a value.
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

// isFlagLike says whether an argument is written as flags are, be there such a flag or
// not: --name, --name=VALUE, -abc, or -oVALUE where o takes a value. A flag that is
// misspelt is so reported, and never taken for an argument.
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

// unknownFlag is the error for an unknown flag. Of a short flag, kong's nearest names say
// nothing: there are few, and each has one letter. What was meant as an argument goes
// after --.
func unknownFlag(node *kong.Node, message string) error {
	before, near, suggested := strings.Cut(message, ", did you mean ")
	long := strings.HasPrefix(before, "unknown flag --") && suggested && strings.Contains(near, `"--`)
	if long || node == nil || len(node.Positional) == 0 {
		return errors.New(message)
	}
	return fmt.Errorf("%s; arguments that begin with - stand after --, as in: %s … -- -x", before, node.FullPath())
}
