package cli

import "errors"

// errUnwired is what a command says until the packages it calls are there.
var errUnwired = errors.New("internal error: this command is not wired yet")
