package read

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"fstore/decode/internal/readtest"
	"fstore/index"
)

// TestGold runs the commands `gold`, which sets the gold file, and `read`, which reads lists with it.
func TestGold(t *testing.T) {
	var gold string
	datadriven.RunTest(t, "testdata/gold", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "gold" {
			gold = readtest.Sentences(d.Input + "\n")
			return ""
		}
		var o InputOptions
		for _, a := range d.CmdArgs {
			switch a.Key {
			case "skip":
				o.Skip = true
			case "as":
				a.Scan(t, 0, &o.As.Shape)
			case "label-from":
				o.LabelFrom = []string{a.Vals[0]}
			default:
				d.Fatalf(t, "unknown argument %s", a.Key)
			}
		}
		return goldReport(t, readtest.Sentences(d.Input+"\n"), gold, o)
	})
}

// goldReport reads lists with their gold trees, once with frozen symbols and once with growing symbols. Both
// must give the same result.
func goldReport(t *testing.T, lists, gold string, o InputOptions) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"lists": lists, "gold": gold} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o.Gold = "gold"
	o.Symbols = index.NewSymbols()
	report := goldRead(t, o)
	o.Symbols = ScratchSymbols()
	if again := goldRead(t, o); again != report {
		t.Errorf("frozen:\n%snot frozen:\n%s", again, report)
	}
	return report
}

func goldRead(t *testing.T, o InputOptions) string {
	t.Helper()
	in, err := Open([]string{"lists"}, o)
	if err != nil {
		return err.Error() + "\n"
	}
	defer in.Close()
	var b strings.Builder
	var tree index.Tree
	for {
		err := in.Next(&tree)
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Fprintln(&b, err)
			if bad := (*index.InputError)(nil); !errors.As(err, &bad) {
				break
			}
			continue
		}
		text, err := StoredFormat(tree.Kind, tree.OneAlphabet).Append(nil, &tree, o.Symbols)
		if err != nil {
			t.Fatal(err)
		}
		file, sentence := in.Where()
		gold := [...]string{"", " found", " added"}[tree.Gold]
		fmt.Fprintf(&b, "%s %s %d %v%s, %s:%d:%s", tree.Name, tree.Group, tree.Candidate, tree.Score, gold, file, sentence, tree.Label)
		for line := range strings.Lines(string(text)) {
			if f := strings.Split(line, "\t"); len(f) == 10 {
				line = f[1] + "/" + f[6] + "/" + f[7]
			} else if line[0] == '#' {
				continue
			}
			b.WriteString(strings.TrimRight(" "+line, "\n "))
		}
		b.WriteByte('\n')
	}
	if n, first := in.Skipped(); n > 0 {
		fmt.Fprintln(&b, n, "skipped")
		for _, e := range first {
			fmt.Fprintln(&b, e)
		}
	}
	for _, r := range in.Read() {
		fmt.Fprintf(&b, "%s: %d samples, %d refused\n", r.Path, r.Samples, r.Refused)
	}
	return b.String()
}

// TestGoldDocumentLeftOut: the list that starts a document is refused, because it has no gold tree. The next
// list then starts the document, unless it starts its own.
func TestGoldDocumentLeftOut(t *testing.T) {
	const left, rest = "# newdoc id = d1\n# genre = x\ns1 1: a/0\ns1 2: b/0\n", "s2 1: c/0\ns2 2: c/0/x\n"
	for _, c := range []struct {
		lists string
		want  []string // comments of the samples that are read
	}{
		{left + rest, []string{
			"# newdoc id = d1|# genre = x|# sent_id = s2|# candidate = 1|# score = -1", "# sent_id = s2|# candidate = 2|# score = -2",
		}},
		{left + "# newdoc id = d2\n" + rest, []string{
			"# newdoc id = d2|# sent_id = s2|# candidate = 1|# score = -1", "# sent_id = s2|# candidate = 2|# score = -2",
		}},
	} {
		paths := append(readtest.Files(t, "lists", readtest.Sentences(c.lists)), readtest.Files(t, "gold", readtest.Sentences("s2: c/0\n"))...)
		in, err := Open(paths[:1], InputOptions{Symbols: index.NewSymbols(), Gold: paths[1], Skip: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var tree index.Tree
		for in.Next(&tree) == nil {
			got = append(got, strings.Join(tree.Comments, "|"))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
		_ = in.Close() // only read from
	}
}
