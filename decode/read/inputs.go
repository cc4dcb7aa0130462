// Package read reads files and standard input as one source of trees, with names, labels and documents. It
// also reads K-best lists with their gold trees. [Formats] returns the list of formats. Start at inputs.go.
package read

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"fstore/decode/format"
	"fstore/decode/format/convert"
	"fstore/index"
)

// Inputs reads the samples of several inputs. It is for one goroutine, but any goroutine may call Progress.
type Inputs struct {
	files
	Refusals
	good int

	gold    *goldLists // nil if there are no gold trees
	convert *convert.Converter
	tree    index.Tree // the tree before its conversion

	misc  miscKeys // keys in MISC whose values samples need
	cols  columns  // columns that spaces use
	ended bool     // the messages at the end have been sent
}

// Open checks that the paths can be read, and returns their samples. The path "-" is standard input. A folder
// means all files in it that can be read. A wrong option is an *OptionError. A path that cannot be read is an
// *index.InputError.
func Open(paths []string, o InputOptions) (*Inputs, error) {
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if len(paths) == 0 {
		return nil, OptionErrorf("input", "expected at least one input")
	}
	if o.Format != "" {
		if _, err := FormatByName(o.Format); err != nil {
			return nil, OptionErrorf("input-format", "%v", err)
		}
	}
	if form := o.NormalizeUnicode; form != "" && form != NormalizeNFC {
		return nil, OptionErrorf("normalize-unicode", "%q is not nfc", form)
	}
	label, err := newLabeler(o.LabelOptions)
	if err != nil {
		return nil, err
	}
	in := &Inputs{files: files{o: o, paths: paths, label: label, syms: o.Symbols}, Refusals: Refusals{Log: o.SkipLog}}
	in.forms = spellings{o.Symbols.Len(index.Words) > 0, &in.notices}
	if o.As.Shape != "" {
		if err := o.As.Check(); err != nil {
			return nil, err
		}
		in.syms = ScratchSymbols()
		in.convert = convert.New(o.As, in.syms, o.Symbols)
		in.cols.want(convertedColumns(&o.As))
	}
	if in.paths, err = in.o.withFolders(paths); err != nil {
		return nil, err
	}
	if err := in.checkPaths(); err != nil {
		return nil, err
	}
	if o.Gold != "" {
		if in.gold, err = in.openGold(); err != nil {
			return nil, err
		}
	}
	if o.LabelsFile != "" {
		f, err := OpenFile(o.Context, o.LabelsFile, nil)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := in.label.listed.read(f, o.text(f)); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func (in *Inputs) openGold() (*goldLists, error) {
	if in.o.Gold == "-" && slices.Contains(in.paths, "-") {
		return nil, OptionErrorf("gold", `"-" twice: standard input can be read once`)
	}
	gold, err := Open([]string{in.o.Gold}, InputOptions{
		Symbols: index.NewSymbols(), StripTraces: in.o.StripTraces, StripFunctions: in.o.StripFunctions,
		Stdin: in.o.Stdin, Context: in.o.Context, NormalizeUnicode: in.o.NormalizeUnicode, OnWarn: in.o.OnWarn,
	})
	if err != nil {
		return nil, err
	}
	return newGoldLists(&in.files, &goldTrees{in: &gold.files, syms: gold.syms, named: map[string]int{}}), nil
}

func (in *Inputs) checkPaths() error {
	stdin := 0
	for _, p := range in.paths {
		if p == "-" {
			if stdin++; stdin > 1 {
				return OptionErrorf("input", `"-" twice: standard input can be read once`)
			}
			continue
		}
		size, err := checkPath(p)
		if err != nil {
			return err
		}
		in.read.total += size
	}
	return nil
}

// Need sets what the samples are needed for. Converted trees, and trees with gold trees, always need heads.
func (in *Inputs) Need(n index.Needs) {
	in.unparsed = n.NoHeads && in.gold == nil && in.convert == nil
	in.misc = miscKeys{wanted: n.Misc, unseen: slices.Clone(n.Misc)}
	if in.convert == nil {
		in.cols.want(n.Columns)
	}
}

// Next reads the next sample, see index.Source. A refused sample has only its line, its name, and the labels
// that do not depend on its text. After an error with Fatal set, the next call reads the next file. If the
// symbols are frozen, new symbols are kept only until the next sample.
func (in *Inputs) Next(t *index.Tree) error {
	if in.convert == nil {
		if err := in.next(t); err != nil {
			return err
		}
		in.misc.add(t, in.o.Symbols)
		in.cols.add(t, in.o.Symbols)
	} else {
		in.o.Symbols.Rollback()
		if err := in.next(&in.tree); err != nil {
			t.Reset()
			t.Line, t.Name, t.Label = in.tree.Line, in.tree.Name, in.tree.Label
			return err
		}
		before := countSymbols(in.o.Symbols)
		in.cols.add(&in.tree, in.syms)
		in.convert.Convert(t, &in.tree)
		in.forms.look(in.o.Symbols, before, in.last.File, t.Line)
	}
	if in.gold != nil {
		in.gold.correct(t, in.o.Symbols)
	}
	return nil
}

// Ahead implements index.Ahead.
func (in *Inputs) Ahead() bool { return in.convert == nil && in.gold == nil && !in.syms.Frozen() }

// next does the work of Next except the conversion.
func (in *Inputs) next(t *index.Tree) error {
	for {
		var err error
		if in.gold != nil {
			in.last, err = in.gold.next(t)
		} else {
			in.syms.Rollback()
			in.last, err = in.sample(t)
		}
		if err, skipped := in.settle(err); !skipped {
			return err
		}
	}
}

// settle counts a good sample, or returns the error that Next must return.
func (in *Inputs) settle(err error) (_ error, skipped bool) {
	if err == nil {
		in.good++
		return nil, false
	}
	bad := format.BadSample(err)
	switch {
	case err == io.EOF && in.good == 0 && in.n > 0:
		in.good = 1 // return this error only once
		return &index.InputError{
			File: in.last.File, Fatal: true,
			Msg: fmt.Sprintf("no trees: all of %s refused", index.Plural(in.n, "sentence")),
		}, false
	case err == io.EOF && !in.ended:
		in.ended = true
		return in.endLabels(), false
	case in.o.Skip && bad != nil:
		in.Add(bad)
		return nil, true
	}
	return err, false
}

// endLabels prints the messages that need all samples, and returns io.EOF or an error about missing labels.
func (in *Inputs) endLabels() error {
	in.tellNotices()
	if err := in.label.missing(); err != nil && !in.o.LabelsOptional {
		return err
	}
	tell := func(f func(line string), lines ...string) {
		for _, line := range lines {
			if line != "" && f != nil {
				f(line)
			}
		}
	}
	tell(in.o.OnWarn, slices.Concat(in.idleOptions(), in.misc.missing(), in.cols.missing(), []string{in.label.spelling.forms})...)
	tell(in.o.OnNote, in.label.sharing(), in.label.spelling.message())
	if !in.o.LabelsContinue {
		tell(in.o.OnNote, in.label.listed.unused(in.o.LabelsFile))
	}
	return io.EOF
}

// idleOptions returns messages about options for formats that no input has.
func (in *Inputs) idleOptions() (lines []string) {
	for _, x := range []struct {
		set     bool
		option  string
		formats []string
	}{
		{in.o.StripTraces, "strip-traces", []string{"ptb", "nbest"}},
		{in.o.StripFunctions, "strip-functions", []string{"ptb", "nbest"}},
		{in.o.Tree > 0, "tree", []string{"svmtk"}},
		{in.o.Representation != "", "representation", []string{"klp"}},
		{in.o.ScoreColumn > 0, "score-column", []string{"nbest"}},
	} {
		if x.set && !slices.ContainsFunc(in.inputs, func(i *Input) bool { return slices.Contains(append(x.formats, "jsonl"), i.Format) }) {
			lines = append(lines, fmt.Sprintf("--%s does nothing: it is for %s, and no input is of that", x.option, strings.Join(x.formats, " and ")))
		}
	}
	return lines
}

// ContinueLabels takes over LabelsFile from an earlier Inputs, with the record of the names that have had
// samples.
func (in *Inputs) ContinueLabels(before *Inputs) {
	in.label.listed = before.label.listed
	in.label.listed.again = true
}

// KnowLabels sets the labels that a store has already, see index.KnowLabels.
func (in *Inputs) KnowLabels(labels []string) { in.label.spelling.know(labels) }

// Read returns the records of all inputs that were read to their end.
func (in *Inputs) Read() (all []Input) {
	for _, f := range in.allFiles() {
		for _, r := range f.inputs {
			all = append(all, *r)
		}
	}
	return all
}

// allFiles returns the inputs, and the files of the gold trees if there are gold trees.
func (in *Inputs) allFiles() []*files {
	if in.gold == nil || in.gold.trees == nil {
		return []*files{&in.files}
	}
	return []*files{&in.files, in.gold.trees.in}
}

// Progress returns how many bytes have been read, and the size of all files except standard input and pipes.
// Any goroutine can call it at any time.
func (in *Inputs) Progress() (done, total int64) { return in.read.done(), in.read.total }

// Close ends the reading. It does not close standard input.
func (in *Inputs) Close() error {
	in.tellNotices()
	for _, f := range in.allFiles() {
		f.end()
	}
	return nil
}

// Refuse refuses t, the last sample, which the caller cannot use. With InputOptions.Skip, it counts t as a
// bad sentence and returns nil. Otherwise it returns an error about t.
func (in *Inputs) Refuse(t *index.Tree, msg string) error {
	bad := &index.InputError{File: in.last.File, Line: t.Line, Sentence: in.last.sentence, Msg: msg}
	if !in.o.Skip {
		return bad
	}
	in.good--
	in.last.record.Samples--
	in.last.record.Refused++
	in.Add(bad)
	return nil
}

// Where returns the file of the last sample, as messages name it, and the number of the sample's sentence in
// the file, from 1.
func (in *Inputs) Where() (file string, sentence int) { return in.last.File, in.last.sentence }

// Named says whether the last sample has a name of its own, from sent_id or ID.
func (in *Inputs) Named() bool { return in.last.own != "" }

// Dropped counts what the readers and InputOptions.As have left out of the trees so far.
func (in *Inputs) Dropped() format.Losses {
	l := in.unread
	if in.convert != nil {
		l.Add(in.convert.Losses())
	}
	return l
}

// Renamed returns how many labels and words InputOptions.As has changed so far.
func (in *Inputs) Renamed() int {
	if in.convert == nil {
		return 0
	}
	return in.convert.Changed()
}

// tellNotices sends the messages about oddities in the inputs and gold trees, once.
func (in *Inputs) tellNotices() {
	for _, f := range in.allFiles() {
		f.notices.tell(in.o.OnWarn)
	}
}

// miscKeys are the keys in MISC that a space uses. Unseen keys are reported, because a misspelt key would
// give every word the same value.
type miscKeys struct {
	wanted, unseen []string
	there          []string // other keys that words have; collected while the field unseen is not empty
}

// add gives t the values of the wanted keys (index.Tree.AddMisc), and records which keys its words have.
func (m *miscKeys) add(t *index.Tree, s *index.Symbols) {
	t.AddMisc(m.wanted, s)
	for i := range t.Tokens {
		if len(m.unseen) == 0 {
			return
		}
		for item := range bytes.SplitSeq(s.Bytes(index.Words, t.Tokens[i].Misc), []byte{'|'}) {
			key, _, ok := bytes.Cut(item, []byte{'='})
			if !ok {
				continue
			}
			if at := slices.Index(m.unseen, string(key)); at >= 0 {
				m.unseen = slices.Delete(m.unseen, at, at+1)
			}
			if len(m.there) < maxSeen && !slices.Contains(m.there, string(key)) {
				m.there = append(m.there, string(key))
			}
		}
	}
}

// missing returns a message for each key that no word has. The message suggests keys that words do have.
func (m *miscKeys) missing() (lines []string) {
	for _, key := range m.unseen {
		line := fmt.Sprintf("no word has the key %s in MISC: misc[%s] is _ throughout", key, key)
		if few := index.Nearest(key, m.there); len(few) > 0 {
			line += "; did you mean " + strings.Join(few, " or ") + "?"
		} else if len(m.there) > 0 {
			line += "; there are " + strings.Join(m.there[:min(len(m.there), maxListed)], ", ")
		}
		lines = append(lines, line)
	}
	return lines
}

// Paths returns the paths of the inputs, with each folder replaced by its files.
func (in *Inputs) Paths() []string { return in.paths }
