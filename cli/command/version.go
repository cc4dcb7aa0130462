package command

import (
	"runtime/debug"
)

// version is stamped by the linker (see Makefile).
var version string

// ProgramVersion is the stamp, else what the go command knows of the module.
func ProgramVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
