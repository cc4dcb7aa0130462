package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"fstore/cli/output"
)

// version is stamped by the linker (see Makefile).
var version string

// programVersion is the stamp, else what the go command knows of the module.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// versionCommand prints the version.
type versionCommand struct{}

// Run is kong's hook.
func (*versionCommand) Run(env *Env) error {
	out := output.Stdout(env.Stdout)
	defer out.Abort()
	if err := printVersion(out); err != nil {
		return err
	}
	return out.Commit()
}

func printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "fstore %s %s/%s %s\n", programVersion(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	return err
}
