package serve

import (
	"io"
	"log"
)

// silent is where the server's own messages go: they are about browsers that went away.
var silent = log.New(io.Discard, "", 0)
