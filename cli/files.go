package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/decode/read"
	"fstore/mine/cluster"
)

// These values of the struct tag `predictor` mark arguments and flags that name files, stores or jobs.
const (
	filePredictor  = "file"
	outPredictor   = "output"
	storePredictor = "store"
	workPredictor  = "work"
)

// harmless returns an error if an output would overwrite an input, a store, or another output. Call it before
// anything is read or written.
func harmless(parsed *kong.Context, args []string, stdout io.Writer) error {
	var outputs, inputs []output.Named
	add := func(v *kong.Value, flag string) {
		to, is := &inputs, ""
		switch v.Tag.Get("predictor") {
		case outPredictor:
			to, is = &outputs, flag
		case storePredictor:
			is = "store"
		case workPredictor:
			is = "job"
		case filePredictor:
			is = "input"
		default:
			return
		}
		for _, file := range texts(v.Target) {
			*to = append(*to, output.Named{Flag: is, File: file})
		}
	}
	for _, arg := range parsed.Selected().Positional {
		add(arg, strings.Trim(arg.Summary(), "[]"))
	}
	prints := len(outputs) == 0
	for _, f := range parsed.Flags() {
		if f.Name != "output" {
			add(f.Value, "--"+f.Name)
			continue
		}
		data := output.Named{Flag: "-o", File: f.Target.String()}
		if prints && output.IsStdout(data.File) {
			data = output.Named{Flag: "the output", File: "-"}
		}
		outputs = append([]output.Named{data}, outputs...)
	}
	if len(outputs) == 0 {
		return nil
	}
	all := func() []output.Named {
		files := append(indirect(args), opened(inputs)...)
		for _, out := range outputs {
			to := out.File
			if real, err := filepath.EvalSymlinks(to); err == nil {
				to = real
			}
			if cluster.IsTaskFile(vfs.Default, to) {
				files = append(files, output.Named{Flag: "job's file", File: to})
			}
		}
		return files
	}
	return output.Harmless(outputs, all, stdout, read.IsStore)
}

// texts returns the file names in v, the value of an argument or a flag.
func texts(v reflect.Value) []string {
	switch v.Kind() {
	case reflect.String:
		return []string{v.String()}
	case reflect.Slice:
		return v.Interface().([]string)
	}
	panic(fmt.Sprintf("a file in a flag of type %s, which nothing protects", v.Type()))
}

// indirect returns the files from which @FILE reads arguments.
func indirect(args []string) (files []output.Named) {
	for _, arg := range args {
		if _, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "-") {
			arg = value
		}
		if name, ok := strings.CutPrefix(arg, "@"); ok && !strings.HasPrefix(name, "@") {
			files = append(files, output.Named{Flag: "input", File: name})
		}
	}
	return files
}

// opened returns the arguments and all files that a command opens for them, such as files in a folder.
func opened(named []output.Named) (files []output.Named) {
	for _, n := range named {
		files = append(files, n)
		switch n.Flag {
		case "job":
			for _, file := range cluster.Files(vfs.Default, n.File) {
				files = append(files, output.Named{Flag: "job's input", File: file})
			}
			fallthrough
		case "store":
			entries, _ := os.ReadDir(n.File) // the code that opens the directory reports the error
			for _, e := range entries {
				files = append(files, output.Named{Flag: n.Flag + "'s file", File: filepath.Join(n.File, e.Name())})
			}
		default:
			for _, file := range command.InputFiles([]string{n.File}) {
				files = append(files, output.Named{Flag: n.Flag, File: file})
			}
		}
	}
	return files
}
