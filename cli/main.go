package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/progress"
	"fstore/cli/style"
	"fstore/index"
	"fstore/index/spaces"
)

// Main runs a command line and returns an exit code (cli/README.md, "Exit codes"). The arguments do not
// include the program's name. After the first ^C the run tidies up and ends. The second ^C ends the process
// immediately.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := interruptible(context.Background())
	defer stop()
	return Execute(ctx, vfs.Default, args, stdin, stdout, stderr)
}

// Execute is like Main, but takes a context in place of signals, and a file system for stores and outputs.
// All other files are read from the operating system.
func Execute(ctx context.Context, fs vfs.FS, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	messages := command.Messenger{W: stderr, Look: style.For(stderr, os.Environ()).Error}
	defer func() {
		if r := recover(); r != nil {
			messages.Say(fmt.Sprintf("internal error: %v", r))
			_, _ = stderr.Write(debug.Stack())
			code = command.ExitFailure
		}
	}()

	help := output.Stdout(stdout)
	var g grammar
	if completing() {
		parser := newParser(&g, help, nil)
		answerShell(parser)
		return messages.Report(help.Commit())
	}
	parser := newParser(&g, help, args)
	parsing.Store(true)
	parsed, err := parser.Parse(markLiterals(parser.Model, args))
	parsing.Store(false)
	if err != nil {
		if errors.Is(err, errPrinted) {
			return messages.Report(help.Commit())
		}
		return messages.Report(usageOf(err))
	}

	given, err := givenFlags(parsed)
	err = cmp.Or(err, g.check())
	if err == nil {
		err = harmless(parsed, args, stdout)
	}
	if err != nil {
		return messages.Report(err)
	}
	o := g.progressOptions(stderr)
	if g.LogFile != "" {
		log, err := openLog(fs, g.LogFile, args)
		if err != nil {
			return messages.Report(err)
		}
		defer func() {
			if err := log.end(code); err != nil {
				code = messages.Report(err)
			}
		}()
		o.Log = log
	}
	reporter := progress.New(stderr, o)
	messages.W = reporter
	env := &command.Env{
		Stdin: stdin, Stdout: stdout, Progress: reporter, FS: fs, Quiet: g.Quiet, Messages: messages, Again: again,
	}
	err = runParsed(ctx, env, args, parser, parsed, given)
	reporter.Close()
	return messages.Report(err)
}

func runParsed(ctx context.Context, env *command.Env, args []string, parser *kong.Kong, parsed *kong.Context, given map[string]bool) error {
	env.Args, env.Model, env.Command, env.Given = args, parser.Model, parsed.Selected().Name, given
	parsed.BindTo(ctx, (*context.Context)(nil))
	return parsed.Run(env)
}

// again runs a command line from within another run (see command.Env.Again).
func again(ctx context.Context, env *command.Env, args []string) error {
	var g grammar
	parser := newParser(&g, io.Discard, args)
	parsed, err := parser.Parse(markLiterals(parser.Model, args))
	if err != nil {
		return usageOf(err)
	}
	given, err := givenFlags(parsed)
	if err != nil {
		return err
	}
	return runParsed(ctx, env, args, parser, parsed, given)
}

// check returns an error if global flags contradict each other.
func (g *globals) check() error {
	if g.Quiet && g.Progress == "json" {
		return index.Usagef("--quiet and --progress json: not both")
	}
	return nil
}

func (g *globals) progressOptions(stderr io.Writer) progress.Options {
	_, terminal := command.TerminalOf(stderr)
	return progress.Options{Terminal: terminal, Quiet: g.Quiet, JSON: g.Progress == "json"}
}

// usageOf turns a parse error of kong into a usage error.
func usageOf(err error) error {
	asked := "fstore"
	var node *kong.Node
	var pe *kong.ParseError
	if errors.As(err, &pe) && pe.Context != nil {
		if node = pe.Context.Selected(); node != nil {
			asked = node.FullPath()
		}
	}
	return &command.UsageError{Err: explained(err, node), Command: asked}
}

// explained improves kong's messages about unknown flags and about values that a flag does not allow.
func explained(err error, node *kong.Node) error {
	message := strings.ReplaceAll(err.Error(), command.LiteralMark, "")
	if before, after, ok := strings.Cut(message, ` must be one of "",`); ok {
		return errors.New(before + " must be one of " + after) // "" stands for a flag that is not given
	}
	text, ok := strings.CutPrefix(message, "unknown flag --")
	switch {
	case strings.HasPrefix(message, "unknown flag ") && !ok:
		return unknownFlag(node, message)
	case !ok:
		return errors.New(message)
	}
	name := text
	if i := strings.IndexAny(text, ", ="); i >= 0 {
		name = text[:i]
	}
	of := spaces.WithOption(name)
	if len(of) == 0 {
		return unknownFlag(node, message)
	}
	value := spaces.Example(of[0], name)
	return fmt.Errorf("unknown flag --%s: it is an option of a space: --space %s:%s=%s", name, of[0], name, value)
}
