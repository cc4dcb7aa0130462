package cli

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"
	"github.com/posener/complete"
	"github.com/willabides/kongplete"

	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/index/spaces"
)

// completionCommand prints a script that has the shell ask fstore itself what can
// come next, so that it never goes stale.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help is kong's hook.
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

// Run is kong's hook.
func (c *completionCommand) Run(env *Env) error {
	out := output.Stdout(env.Stdout)
	defer out.Abort()
	if _, err := fmt.Fprint(out, completionScripts[c.Shell]); err != nil {
		return err
	}
	return out.Commit()
}

// completing says whether a shell asks for completions.
func completing() bool { return os.Getenv("COMP_LINE") != "" }

// answerShell answers it.
func answerShell(parser *kong.Kong) {
	tables := output.Names(table.OutputFormats())
	kongplete.Complete(parser,
		kongplete.WithExitFunc(func(int) {}),
		kongplete.WithPredictors(map[string]complete.Predictor{
			"file":        complete.PredictFiles("*"),
			"format":      complete.PredictSet(append(tables, "libsvm", "svmlight")...),
			"tree-format": complete.PredictSet("ptb", "svmtk", "conllu"),
			"space":       complete.PredictSet(spaces.Names()...),
		}))
}
