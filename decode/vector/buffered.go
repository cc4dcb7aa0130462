package vector

import "io"

// flushAt is how many bytes a format gathers before it writes them.
const flushAt = 64 << 10

// buffered gathers whole records for a writer.
type buffered struct {
	w   io.Writer
	buf []byte
}

// done ends a record, which has been appended to buf.
func (b *buffered) done() error {
	if len(b.buf) >= flushAt {
		return b.Flush()
	}
	return nil
}

func (b *buffered) Flush() error {
	if len(b.buf) == 0 {
		return nil
	}
	_, err := b.w.Write(b.buf)
	b.buf = b.buf[:0]
	return err
}

// Close is Writer's: these formats end where their last record does.
func (b *buffered) Close() error { return b.Flush() }
