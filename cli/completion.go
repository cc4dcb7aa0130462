package cli

import (
	"os"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/posener/complete"
	"github.com/willabides/kongplete"

	"fstore/cli/command"
	"fstore/cli/guide"
	"fstore/cli/look"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/format/convert"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index/spaces"
)

// completionCommand prints a script with which the shell asks fstore for completions.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (*completionCommand) Help() string {
	return `Example:

    fstore completion bash > ~/.local/share/bash-completion/completions/fstore
    fstore completion zsh >> ~/.zshrc
    fstore completion fish > ~/.config/fish/completions/fstore.fish
`
}

var completionScripts = map[string]string{
	"bash": `complete -o default -C fstore fstore
`,
	"zsh": `autoload -U +X bashcompinit && bashcompinit
complete -o default -C fstore fstore
`,
	"fish": `function __complete_fstore
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    fstore
end
complete -f -c fstore -a "(__complete_fstore)"
`,
}

func (c *completionCommand) Run(env *command.Env) error {
	return env.Print(completionScripts[c.Shell])
}

// completing reports whether a shell asks for completions.
func completing() bool { return os.Getenv("COMP_LINE") != "" }

// answerShell prints the completions that a shell asks for.
func answerShell(parser *kong.Kong) {
	kongplete.Complete(parser,
		kongplete.WithExitFunc(func(int) {}),
		kongplete.WithPredictors(map[string]complete.Predictor{
			filePredictor:  complete.PredictFiles("*"),
			storePredictor: complete.PredictFiles("*"),
			outPredictor:   complete.PredictFiles("*"),
			workPredictor:  complete.PredictFiles("*"),
			"format":       complete.PredictFunc(predictFormat),
			"tree-format":  complete.PredictFunc(predictTreeFormat),
			"shape":        complete.PredictSet(convert.Shapes()...),
			"space":        complete.PredictFunc(predictSpace),
			"label-source": complete.PredictSet(labelSources()...),
			"document":     complete.PredictSet(read.DocumentSources()...),
			"guide":        complete.PredictSet(guide.Names()...),
		}))
}

// labelSources returns the values of --label-from. The word KEY is cut off, because the user types the key.
func labelSources() []string {
	sources := read.LabelSources()
	for i, s := range sources {
		sources[i] = strings.TrimSuffix(s, "KEY")
	}
	return sources
}

// predictFormat returns the values of --format for the command that the user is typing.
func predictFormat(complete.Args) []string {
	tables := output.Names(table.OutputFormats())
	switch commandIn(os.Getenv("COMP_LINE")) {
	case "linearize":
		return vector.Names()
	case "draw":
		return []string{"text", "svg"}
	case "kernel":
		return append(tables, "libsvm")
	case "contrast", "count":
		return append(tables, "svg")
	case "query":
		return append(tables, look.StarkFormat.Name)
	}
	return tables
}

// predictSpace completes the name of a space or, after NAME:, an option of the space NAME.
func predictSpace(a complete.Args) []string {
	if name, _, ok := strings.Cut(a.Last, ":"); ok {
		return spaces.Arguments(name)
	}
	return spaces.Names()
}

// predictTreeFormat returns the treebank formats, after --to only those that can be written.
func predictTreeFormat(a complete.Args) (names []string) {
	for _, f := range read.Formats() {
		if a.LastCompleted != "--to" || f.Append != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// commandIn returns the first word after the program's name that is not a flag.
func commandIn(line string) string {
	for _, word := range strings.Fields(line)[1:] {
		if !strings.HasPrefix(word, "-") {
			return word
		}
	}
	return ""
}
