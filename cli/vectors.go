package cli

import (
	"os"

	"fstore/cli/output"
	"fstore/cli/usage"
	"fstore/decode/vector"
)

// openVectors picks a vector format and opens what it is written to. text wants one that
// names features by their fragments.
func (e *Env) openVectors(f outputFlags, text bool) (vector.Format, output.Sink, error) {
	var formats []output.Format
	fallback := ""
	for _, v := range vector.Formats() {
		formats = append(formats, output.Format{Name: v.Name, Extensions: v.Extensions, Binary: v.Binary})
		if fallback == "" && (v.Texts || !text) {
			fallback = v.Name
		}
	}
	name, out, err := e.Open(f, formats, fallback)
	if err != nil {
		return vector.Format{}, nil, err
	}
	format, err := vector.Lookup(name)
	if err == nil && format.Stream != "" && output.Streams(out) && !e.redirected(f) {
		format, err = vector.Lookup(format.Stream)
	}
	if err == nil && text && !format.Texts {
		err = usage.Errorf("--text: %s names features by their ids; %s does by their fragments", name, fallback)
	}
	if err != nil {
		out.Abort()
	}
	return format, out, err
}

// redirected says whether the output is standard output that the shell has put into a file.
func (e *Env) redirected(f outputFlags) bool {
	file, ok := e.Stdout.(*os.File)
	if !ok || !output.IsStdout(f.Out) {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// flushing passes a vector writer's flush on to what it writes to, where somebody can read
// that: elsewhere what is written does not depend on when the input pauses.
type flushing struct {
	vector.Writer
	out output.Sink
}

func (f flushing) Flush() error {
	if !output.Streams(f.out) {
		return nil
	}
	if err := f.Writer.Flush(); err != nil {
		return err
	}
	return f.out.Flush()
}
