package cli

import (
	"fmt"
	"runtime"

	"fstore/cli/command"
)

type versionCommand struct{}

func (*versionCommand) Run(env *command.Env) error { return env.Print(versionLine()) }

func versionLine() string {
	return fmt.Sprintf("fstore %s %s/%s %s\n", command.ProgramVersion(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}
