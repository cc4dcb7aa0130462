package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"fstore/cli/output"
	"fstore/decode/read"
	"fstore/index"
	"fstore/store"
)

// InputOptions returns the reader options that the flags ask for. The caller sets Symbols.
func (e *Env) InputOptions(ctx context.Context, i *InputFlags, l *LabelFlags) read.InputOptions {
	return read.InputOptions{
		LabelOptions: l.options(),
		Format:       i.InputFormat, Tree: int(i.Tree), Representation: i.Representation,
		ScoreColumn: int(i.ScoreColumn), As: i.convert(),
		StripTraces: i.StripTraces, StripFunctions: i.StripFunctions,
		Stdin: e.Stdin, Context: ctx,

		NormalizeUnicode: i.NormalizeUnicode,
		OnWarn:           func(line string) { e.Warn("%s", line) },
		OnNote:           func(line string) { e.Note("%s", line) },
	}
}

// asItStands is what Reading returns if no flag changes the trees.
const asItStands = "as it stands"

// Reading returns the given flags that change trees during reading, as text for store.Event.Reading.
func (i *InputFlags) Reading() string {
	var flags []string
	for _, f := range []struct {
		name, value string
		set         bool
	}{
		{"as", " " + i.As, i.As != ""},
		{"as-tag", " " + i.AsTag, i.AsTag != "" && i.AsTag != "upos"},
		{"as-word", " " + i.AsWord, i.AsWord != "" && i.AsWord != "form"},
		{"strip-traces", "", i.StripTraces},
		{"strip-functions", "", i.StripFunctions},
		{"normalize-unicode", " " + i.NormalizeUnicode, i.NormalizeUnicode != ""},
	} {
		if f.set {
			flags = append(flags, "--"+f.name+f.value)
		}
	}
	return cmp.Or(strings.Join(flags, " "), asItStands)
}

// CompareReading warns if the store's trees were read with other flags, because the fragments can then
// differ.
func (e *Env) CompareReading(m *store.Meta, i *InputFlags) {
	for _, event := range m.History {
		if event.Reading != "" && event.Reading != i.Reading() {
			e.Warn("the store was read %s, and this input %s: the same sentence can have different fragments in the two", phrase(event.Reading), phrase(i.Reading()))
			return
		}
	}
}

func phrase(reading string) string {
	if reading == asItStands {
		return reading
	}
	return "with " + reading
}

// OrStdin makes standard input the input if none is given. A terminal as standard input is an error. With
// --training no input is needed.
func (e *Env) OrStdin(inputs *[]string, training bool) error {
	if len(*inputs) > 0 || training {
		return nil
	}
	if e.StdinIsTerminal() {
		return index.Usagef("no INPUT: name a treebank, or - to type one; --training for the stored samples")
	}
	*inputs = []string{"-"}
	return nil
}

// watched reports as progress how much of the input has been read.
type watched struct {
	*read.Inputs
	env     *Env
	samples uint
	told    int64
}

// Watch returns a source that shows how much of the inputs has been read. It shows nothing if the rows go to
// a terminal.
func (e *Env) Watch(in *read.Inputs, step, out string) index.Source {
	if _, terminal := TerminalOf(e.Stdout); terminal && output.IsStdout(out) {
		return in
	}
	_, total := in.Progress()
	e.Progress.Step(step, "bytes", total)
	return &watched{Inputs: in, env: e}
}

func (w *watched) Next(t *index.Tree) error {
	if w.samples++; w.samples&0xFF == 0 {
		done, _ := w.Progress()
		w.env.Progress.Add(done - w.told)
		w.told = done
	}
	return w.Inputs.Next(t)
}

// Side opens an additional output of text, see OpenText. If file is "", the output discards the text.
func (e *Env) Side(flag, file, holds string, extensions ...string) (output.Sink, error) {
	if file == "" {
		return Nowhere{}, nil
	}
	return e.OpenText(flag, file, holds, extensions...)
}

// SideLog opens the file of --error-log.
func (e *Env) SideLog(file string) (output.Sink, error) {
	return e.Side("--error-log", file, "a line for each bad sentence")
}

// OpenText opens an output that has only one format, text. For the parameters see output.Plain.
func (e *Env) OpenText(flag, file, holds string, extensions ...string) (output.Sink, error) {
	if err := output.Plain(flag, file, holds, extensions...); err != nil {
		return nil, err
	}
	return output.Open(e.FS, file, e.Stdout)
}

// WriteText writes a whole output, see OpenText.
func (e *Env) WriteText(file, holds string, text []byte) error {
	out, err := e.OpenText("-o", file, holds)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Commit()
}

// Nowhere is a sink that discards everything.
type Nowhere struct{}

func (Nowhere) Write(p []byte) (int, error) { return len(p), nil }

func (Nowhere) Flush() error { return nil }

func (Nowhere) Commit() error { return nil }

func (Nowhere) Abort() {}

// Refused prints how many sentences were refused, and the first of them. `outcome` says what became of them,
// such as "left out". logFile is the file that lists them all, or "".
func (e *Env) Refused(r *read.Refusals, outcome, logFile string) {
	n, first := r.Skipped()
	if n == 0 {
		return
	}
	e.Warn("%s %s:", index.Plural(n, "sentence"), outcome)
	for _, bad := range first {
		_, _ = fmt.Fprintln(e.Progress, OneLine(bad.Error()))
	}
	switch more := n - len(first); {
	case more > 0 && logFile == "":
		e.Warn("… and %s more (--error-log FILE lists all)", index.Thousands(more))
	case more > 0:
		e.Warn("… and %s more, see %s", index.Thousands(more), logFile)
	}
}

// Numbered prints the numbers that stand for labels in vectors.
func (e *Env) Numbered(numbers *read.LabelNumbers) {
	if numbers == nil {
		return
	}
	for _, name := range numbers.Names {
		if number, _ := numbers.Number(name); number != name {
			e.Note("label %s is %s", name, number)
		}
	}
}

// Unlabelled tells the user that n rows have no label, and which number they get.
func (e *Env) Unlabelled(n, all uint64, numbers *read.LabelNumbers) {
	switch {
	case n == 0:
	case numbers.None != "0":
		e.Warn("%s without a label: the number is %s, as 0 is a label", index.Plural(n, "row"), numbers.None)
	case n < all:
		e.Note("%s without a label: the number is 0", index.Plural(n, "row"))
	}
}

// WithStore opens a store for reading, calls f with it, and closes it. If e.Lent is an open store, f gets
// that store.
func (e *Env) WithStore(dir string, cache ByteSize, f func(*store.Store) error) error {
	e.store = strings.TrimSuffix(filepath.Base(dir), ".store")
	if e.Lent != nil {
		return f(e.Lent)
	}
	s, err := store.Open(dir, store.Options{FS: e.FS, CacheBytes: int64(cache)})
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.Close())
}
