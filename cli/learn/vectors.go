package learn

import (
	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/usage"
	"fstore/decode/vector"
)

// openVectors picks a vector format and opens what it is written to. text wants one that
// names features by their fragments.
func openVectors(e *command.Env, f command.OutputFlags, text bool) (vector.Format, output.Sink, error) {
	var formats []output.Format
	fallback := ""
	for _, v := range vector.Formats() {
		formats = append(formats, output.Format{Name: v.Name, Extensions: v.Extensions, Binary: v.Binary})
		if fallback == "" && (v.Texts || !text) {
			fallback = v.Name
		}
	}
	if err := output.Known(formats, f.Format, f.Out); err != nil {
		return vector.Format{}, nil, err
	}
	name, out, err := e.Open(f, formats, fallback)
	if err != nil {
		return vector.Format{}, nil, err
	}
	format, err := vector.Lookup(name)
	if err == nil && format.Stream != "" && output.Streams(out) && !e.Redirected(f) {
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
