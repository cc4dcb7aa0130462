package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli/command"
	"fstore/cli/output"
)

type logFile struct {
	io.WriteCloser
	err error // the first error of Write
}

// openLog creates the log and writes the command line to it.
func openLog(fs vfs.FS, name string, args []string) (*logFile, error) {
	if err := output.Plain("--log-file", name, "what standard error says, a line each"); err != nil {
		return nil, err
	}
	f, err := output.CreateLog(fs, name)
	if err != nil {
		return nil, fmt.Errorf("--log-file: %w", err)
	}
	l := &logFile{WriteCloser: f}
	l.line(command.CommandLine(args))
	return l, l.err
}

// Write never returns an error, so that the run goes on. The method `end` returns the first error.
func (l *logFile) Write(p []byte) (int, error) {
	if l.err == nil {
		_, l.err = l.WriteCloser.Write(append([]byte(nil), p...)) // a copy, since a file system can change the bytes
	}
	return len(p), nil
}

func (l *logFile) line(text string) {
	_, _ = fmt.Fprintf(l, "%s %s\n", time.Now().UTC().Format(time.RFC3339), text)
}

// end writes how the run ended, and closes the file.
func (l *logFile) end(code int) error {
	l.line(fmt.Sprintf("exit code %d", code))
	err := errors.Join(l.err, l.Close())
	if err != nil {
		err = fmt.Errorf("--log-file: %w", err)
	}
	return err
}
