package learn

import (
	"bytes"
	"context"

	"fstore/cli/command"
	"fstore/decode/read"
	"fstore/mine/exchange"
	"fstore/mine/exchange/portable"
	"fstore/store"
)

// isList says whether a file may be a selection, or a list of fragments.
func isList(head []byte) bool { return isText(head) || portable.IsSpreadsheet(head) }

// isText says whether a file may be text. Text that is no UTF-8 is refused later, with its line.
func isText(head []byte) bool { return bytes.IndexByte(head, 0) < 0 }

// importSelection takes a selection that export wrote, or a list of fragments.
func importSelection(ctx context.Context, env *command.Env, c *importFlags, w *store.Writer, f *read.File) (decided string, err error) {
	done, err := exchange.Import(ctx, w, f, f.Name, exchange.ImportOptions{
		Name: c.Name, Overwrite: c.Overwrite, Space: c.Space, SkipAbsent: c.SkipAbsent, NFC: c.NormalizeUnicode != "", Progress: env.Progress,
	})
	env.Progress.Close()
	if err != nil {
		return "", err
	}
	return done.Decided, nil
}
