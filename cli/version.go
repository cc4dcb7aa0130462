package cli

import (
	"fmt"
	"io"
	"runtime"

	"fstore/cli/command"
	"fstore/cli/output"
)

type versionCommand struct{}

func (*versionCommand) Run(env *command.Env) error {
	out := output.Stdout(env.Stdout)
	defer out.Abort()
	if err := printVersion(out); err != nil {
		return err
	}
	return out.Commit()
}

func printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "fstore %s %s/%s %s\n", command.ProgramVersion(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	return err
}
