// Package readtest checks two rules for all readers:
//   - A reader returns the same samples, however the text is cut when it arrives.
//   - A refused sample leaves nothing in the symbols.
package readtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"fstore/decode/format"
	"fstore/index"

	"github.com/cockroachdb/datadriven"
)

// TB has those methods of *testing.T and *rapid.T that this package uses.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Result is what a reader returned for an input.
type Result struct {
	Trees   []*index.Tree
	Errors  []*index.InputError
	Symbols *index.Symbols
	Text    string // all good samples, printed
	Report  string // all samples and errors in order, at least one line each
}

// Reader is the reader under test.
type Reader struct {
	Format *format.Format
	// Print is the format that prints samples and reads them back. It is needed if Format has no Append.
	Print *format.Format
}

// printer returns the format in which samples are printed.
func (r Reader) printer() *format.Format {
	if r.Print != nil {
		return r.Print
	}
	return r.Format
}

// Read reads the whole input, and fails if the reader breaks a rule for all readers.
func (r Reader) Read(t TB, input string, o format.Options) Result {
	t.Helper()
	f, p := r.Format, r.printer()
	res := readAll(t, f, p, strings.NewReader(input), o)
	for name, text := range map[string]io.Reader{
		"a byte at a time": iotest.OneByteReader(strings.NewReader(input)),
		"with the error":   iotest.DataErrReader(strings.NewReader(input)),
		"in halves":        iotest.HalfReader(strings.NewReader(input)),
	} {
		if again := readAll(t, f, p, text, o); again.Report != res.Report {
			t.Fatalf("%q: read %s:\n%swant:\n%s", input, name, again.Report, res.Report)
		}
	}
	checkTrace(t, p, res, o)
	return res
}

// checkTrace reads the printed samples back. It fails if it gets other samples or another number of symbols.
func checkTrace(t TB, p *format.Format, res Result, o format.Options) {
	t.Helper()
	again := readAll(t, p, p, strings.NewReader(res.Text), format.Options{Unparsed: o.Unparsed})
	if again.Text != res.Text || len(again.Errors) > 0 {
		t.Fatalf("printed:\n%sread back:\n%s", res.Text, again.Report)
	}
	for c := range index.NumClasses {
		if got, want := res.Symbols.Len(c), again.Symbols.Len(c); got != want {
			t.Fatalf("%d %ss are left of the input, %d of its good samples:\n%s", got, c, want, res.Report)
		}
	}
}

func readAll(t TB, f, p *format.Format, r io.Reader, o format.Options) Result {
	t.Helper()
	res := Result{Symbols: index.NewSymbols()}
	o.Symbols = res.Symbols
	if o.File == "" {
		o.File, o.Base = "F", "F"
	}
	src := f.Open(r, o)
	var text []byte
	var report strings.Builder
	var tree index.Tree
	for {
		err := src.Next(&tree)
		if err == io.EOF {
			break
		}
		var bad *index.InputError
		if errors.As(err, &bad) {
			res.Errors = append(res.Errors, bad)
			fmt.Fprintln(&report, err)
			continue
		}
		if err != nil {
			fmt.Fprintln(&report, "ended by:", err)
			break
		}
		Check(t, &tree, res.Symbols)
		res.Trees = append(res.Trees, tree.Clone())
		from := len(text)
		if text, err = p.Append(text, &tree, res.Symbols); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&report, "line %d%s: %s", tree.Line, about(&tree), text[from:])
	}
	res.Text, res.Report = string(text), report.String()
	return res
}

// about returns the fields of a sample outside its tree, for Result.Report.
func about(t *index.Tree) (s string) {
	for _, f := range []struct{ name, value string }{
		{"name", t.Name}, {"label", t.Label}, {"document", t.Document}, {"group", t.Group},
	} {
		if f.value != "" {
			s += fmt.Sprintf(" %s=%s", f.name, f.value)
		}
	}
	if t.Candidate != 0 {
		s += fmt.Sprintf(" candidate=%d score=%v", t.Candidate, t.Score)
	}
	return s
}

// Check fails if the fields of a tree contradict each other.
func Check(t TB, tree *index.Tree, s *index.Symbols) {
	t.Helper()
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		end := i + int(n.Size)
		switch {
		case n.Size < 1 || end > len(tree.Nodes):
			t.Fatalf("node %d of %d has size %d", i, len(tree.Nodes), n.Size)
		case n.Parent >= int32(i) || n.Parent >= 0 && int(n.Parent+tree.Nodes[n.Parent].Size) < end:
			t.Fatalf("node %d has parent %d", i, n.Parent)
		case (n.Prod == 0) != (n.Size == 1):
			t.Fatalf("node %d has size %d and production %d", i, n.Size, n.Prod)
		}
	}
	for i, tok := range tree.Tokens {
		if tok.Head < 0 != tree.Unparsed() || tok.Head < -1 || int(tok.Head) > len(tree.Tokens) || int(tok.Head) == i+1 {
			t.Fatalf("token %d has head %d", i+1, tok.Head)
		}
	}
}

// Cases runs a data-driven file with the command `read` and options as arguments. With go-escapes, each input
// line is the inside of a Go string literal.
func (r Reader) Cases(t *testing.T, path string) {
	if strings.Contains(path, "fuzz") { // the fuzzer's own files
		return
	}
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		var o format.Options
		input := d.Input + "\n"
		for _, a := range d.CmdArgs {
			switch a.Key {
			case "strip-traces":
				o.StripTraces = true
			case "strip-functions":
				o.StripFunctions = true
			case "tree":
				a.Scan(t, 0, &o.Tree)
			case "unparsed":
				o.Unparsed = true
			case "max-text":
				a.Scan(t, 0, &o.MaxText)
			case "representation":
				a.Scan(t, 0, &o.Representation)
			case "score-column":
				a.Scan(t, 0, &o.ScoreColumn)
			case "no-newline":
				input = strings.TrimSuffix(input, "\n")
			case "go-escapes":
				input = unquote(t, input)
			default:
				d.Fatalf(t, "unknown argument %s", a.Key)
			}
		}
		res := r.Read(t, input, o)
		if res.Report == "" {
			return "nothing\n"
		}
		return strings.ReplaceAll(strings.ReplaceAll(res.Report, "\n\n", "\n"), "\t", " ")
	})
}

// Inputs returns the inputs of the data-driven files in dir. Go escapes in them are left as they are.
func Inputs(t testing.TB, dir string) (inputs []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // the fuzzer's folder
		}
		for _, part := range strings.Split(string(text), "\nread")[1:] {
			in, _, _ := strings.Cut(part, "\n----")
			_, in, _ = strings.Cut(in, "\n")
			inputs = append(inputs, in)
		}
	}
	return inputs
}

func unquote(t *testing.T, s string) string {
	t.Helper()
	u, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(s, `"`, `\"`), "\n", `\n`) + `"`)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Fuzz gives a reader fuzzed texts, with each of the options.
func (r Reader) Fuzz(f *testing.F, seeds []string, options ...format.Options) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 1<<16 {
			return
		}
		for _, o := range append(options, format.Options{}) {
			r.Read(t, string(bytes.Clone(input)), o)
		}
	})
}
