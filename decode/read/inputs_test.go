package read

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"github.com/zeebo/xxh3"

	"fstore/decode/concordance"
	"fstore/decode/internal/readtest"
	"fstore/index"
)

// readInputs returns a line for each sample, with its name, label, document and text, and a line for each
// error. Paths in errors have no directories.
func readInputs(t testing.TB, paths []string, o InputOptions) (report []string, in *Inputs) {
	t.Helper()
	o.Symbols = index.NewSymbols()
	in, err := Open(paths, o)
	if err != nil {
		return []string{"open: " + short(err)}, nil
	}
	defer in.Close()
	var tree index.Tree
	for {
		err := in.Next(&tree)
		if err == io.EOF {
			return report, in
		}
		if err != nil {
			report = append(report, short(err))
			continue
		}
		text := concordance.Surface(&tree, o.Symbols).Text
		report = append(report, strings.Join([]string{tree.Name, tree.Label, tree.Document, text}, "|"))
	}
}

// short returns a message without the directories of the path at its beginning.
func short(err error) string {
	words := strings.Split(err.Error(), " ")
	if i := strings.LastIndexAny(words[0], `/\`); i >= 0 {
		words[0] = words[0][i+1:]
	}
	return strings.Join(words, " ")
}

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

const two = "(A b)\n(C d)\n"

func TestNames(t *testing.T) {
	paths := readtest.Files(t,
		"a.mrg", "(A b)\n( (C d) (ID own))\n(E f)",
		"b.conllu", "# sent_id = s1\n"+readtest.Word("x")+"\n"+readtest.Word("y"),
		"c", "1 |BT| (N w) |ET|\n")
	got, in := readInputs(t, append(paths, "-"), InputOptions{Stdin: strings.NewReader(two)})
	check(t, got, "a.mrg#1|||b", "own|||d", "a.mrg#3|||f", "s1|||x", "b.conllu#2|||y", "c#1|1||w", "stdin#1|||b", "stdin#2|||d")

	var want []Input
	for i, text := range []string{"(A b)\n( (C d) (ID own))\n(E f)", "# sent_id = s1\n" + readtest.Word("x") + "\n" + readtest.Word("y"), "1 |BT| (N w) |ET|\n", two} {
		want = append(want, Input{
			Path: append(paths, "-")[i], Format: []string{"ptb", "conllu", "svmtk", "ptb"}[i],
			Bytes: int64(len(text)), Hash: xxh3.HashString(text), Raw: xxh3.HashString(text), Samples: []int{3, 2, 1, 2}[i],
		})
	}
	if diff := cmp.Diff(want, in.Read()); diff != "" {
		t.Error(diff)
	}
	if done, total := in.Progress(); done != total+int64(len(two)) {
		t.Errorf("%d of %d bytes", done, total)
	}
}

func gz(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }

func zst(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }

func xzw(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }

// bz2 is the text two, compressed.
const bz2 = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x04\xba\x32\x8d\x00\x00\x02\x55\x00\x00\x10\x40\x60\x28\x00\x14\x00\x20\x00\x21\x28\x07\xa8\x43\x02\x2c\xcd\xb1\x51\x3c\x5d\xc9\x14\xe1\x42\x40\x12\xe8\xca\x34"

func TestCompression(t *testing.T) {
	all := map[string]string{
		"gzip": compress(t, gz, two), "zstd": compress(t, zst, two), "xz": compress(t, xzw, two), "bzip2": bz2,
		"gzip twice":  compress(t, gz, "(A b)\n") + compress(t, gz, "(C d)\n"),
		"gzip, zeros": compress(t, gz, two) + strings.Repeat("\x00", 1000),
		"xz twice":    compress(t, xzw, "(A b)\n") + "\x00\x00\x00\x00" + compress(t, xzw, "(C d)\n"),
		"xz, zeros":   compress(t, xzw, two) + strings.Repeat("\x00", 1000),
		"zstd twice":  compress(t, zst, "(A b)\n") + "\x50\x2a\x4d\x18\x02\x00\x00\x00xx" + compress(t, zst, "(C d)\n"),
		"skippable":   "\x5f\x2a\x4d\x18\x02\x00\x00\x00xx" + compress(t, zst, two),
		"bom in it":   compress(t, gz, "\ufeff"+two),
	}
	for name, text := range all {
		t.Run(name, func(t *testing.T) {
			got, _ := readInputs(t, readtest.Files(t, "x.txt", text), InputOptions{})
			check(t, got, "x.txt#1|||b", "x.txt#2|||d")
			got, _ = readInputs(t, []string{"-"}, InputOptions{Stdin: strings.NewReader(text)})
			check(t, got, "stdin#1|||b", "stdin#2|||d")
			for n := range len(text) {
				if n == 0 || strings.HasSuffix(name, "twice") || strings.HasSuffix(name, "zeros") || name == "skippable" && n <= 10 {
					continue
				}
				got, _ = readInputs(t, []string{"-"}, InputOptions{Stdin: strings.NewReader(text[:n]), Format: "ptb"})
				if last := got[len(got)-1]; !strings.HasPrefix(last, "stdin:") {
					t.Errorf("%d of %d bytes: %q", n, len(text), got)
				}
			}
		})
	}
}

// incompressible returns a text so long that a reader returns trees before it reads the end of the compressed
// data.
func incompressible(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "(A %x)\n", xxh3.HashString(fmt.Sprint(i)))
	}
	return b.String()
}

func TestBadInputs(t *testing.T) {
	z := compress(t, gz, incompressible(50_000))
	flipped := []byte(z)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	for _, c := range []struct{ name, text, last string }{
		{"empty", "", "x: no trees"},
		{"blank", " \n\t\r\n", "x: no trees"},
		{"bom", "\ufeff", "x: no trees"},
		{"comments", "# a\n\n# b", "x: no trees"},
		{"empty gzip", compress(t, gz, ""), "x: no trees"},
		{"blank gzip", compress(t, gz, "\n"), "x: no trees"},
		{"unknown", "\n# c\nhello world\n", "x:3: the format is not recognised: expected one of ptb, conllu, conllx, conll09, svmtk, klp, nbest, jsonl; --input-format names it"},
		{"binary", "\x7fELF\x02\x01\x00", "x:1: the format is not recognised: expected one of ptb, conllu, conllx, conll09, svmtk, klp, nbest, jsonl; --input-format names it"},
		{"truncated gzip", z[:len(z)-100], "x: the gzip data is truncated: expected more"},
		{"gzip header", z[:5], "x: the gzip data is truncated: expected more"},
		{"gzip checksum", string(flipped), "x: broken gzip data: gzip: invalid checksum"},
		{"gzip and more", compress(t, gz, two) + "xxxxxxxxxxxxxxxxxxx", "x: bytes after the end of the gzip data, which are none: expected nothing"},
		{"gzip and a byte", compress(t, gz, two) + "\n", "x: bytes after the end of the gzip data, which are none: expected nothing"},
		{"gzip, zeros and more", compress(t, gz, two) + "\x00\x00\x1fx", "x: bytes after the end of the gzip data, which are none: expected nothing"},
		{"gzip and a start", compress(t, gz, two) + "\x1f", "x: the gzip data is truncated: expected more"},
		{"gzip and a header", compress(t, gz, two) + compress(t, gz, two)[:10], "x: the gzip data is truncated: expected more"},
		{"xz and more", compress(t, xzw, two) + "xxxxxxxxxxxxxxxxxxx", "x: bytes after the end of the xz data, which are none: expected nothing"},
		{"xz and a byte", compress(t, xzw, two) + "\n", "x: bytes after the end of the xz data, which are none: expected nothing"},
		{"xz, zeros and more", compress(t, xzw, two) + "\x00\x00\x00\x00more", "x: bytes after the end of the xz data, which are none: expected nothing"},
		{"xz and a start", compress(t, xzw, two) + "\xfd7z", "x: the xz data is truncated: expected more"},
		{"truncated tree", "(A b)\n(C", `x:2: sentence 2: the tree that starts here is truncated: 1 bracket open at the end of the input, expected ")"`},
		{"nul", "(A b)\n(C \x00)", "x:2: sentence 2: a NUL byte in the tree: expected text"},
		{"utf-8", "(A b)\n(C \xff)", "x:2: sentence 2: invalid UTF-8 (byte 0xff): expected UTF-8 text"},
		{"utf-16", "\xff\xfe(\x00A\x00 \x00b\x00)\x00", "x:1: UTF-16 is not read: write the text in UTF-8 first (PowerShell: Set-Content -Encoding utf8; else iconv -f utf-16 -t utf-8)"},
		{"svmtk", "1 |BT| (a b)\n", "x:1: sentence 1: no |ET| after the trees: expected |BT| or |ET|"},
		{"conllu", "1\tx\n", "x:1: sentence 1: 2 columns: expected 10, separated by tabs"},
		{"symbolic label", "yes |BT| (a b) |ET|\n", `x:1: sentence 1: the label "yes" is no number: expected one such as 1 or -1`},
		{"stray first line", "foo\n(A b)\n(A c))\n", `x:3: sentence 3: ")" without "(" after the tree: expected "(" or the end of the line`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := readInputs(t, readtest.Files(t, "x", c.text), InputOptions{})
			if len(got) == 0 || got[len(got)-1] != c.last {
				t.Errorf("%q, want %q", got, c.last)
			}
		})
	}
	dir := filepath.Dir(readtest.Files(t, "x", two)[0])
	for _, c := range []struct {
		paths []string
		o     InputOptions
		want  string
	}{
		{[]string{filepath.Join(dir, "x"), filepath.Join(dir, "none")}, InputOptions{}, "open: none: no such file"},
		{[]string{t.TempDir()}, InputOptions{}, "open: 002: no file in the folder is a treebank of a format that is read"},
		{nil, InputOptions{}, "open: --input: expected at least one input"},
		{[]string{"-", "-"}, InputOptions{}, `open: --input: "-" twice: standard input can be read once`},
		{[]string{"-"}, InputOptions{Format: "html"}, `open: --input-format: unknown format "html": expected one of ptb, conllu, conllx, conll09, svmtk, klp, nbest, jsonl`},
		{[]string{"-"}, InputOptions{Stdin: iotestErr{}}, "stdin: disk on fire"},
	} {
		got, _ := readInputs(t, c.paths, c.o)
		check(t, got, c.want)
	}
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestSkip(t *testing.T) {
	var log strings.Builder
	text := "(A b)\n" + strings.Repeat("(X ())\n", 25) + "(C d)\n"
	paths := readtest.Files(t, "a", text, "b", "(X ())\n", "c", two)
	got, in := readInputs(t, paths, InputOptions{Skip: true, SkipLog: &log})
	check(t, got, "a#1|||b", "a#27|||d", "c#1|||b", "c#2|||d")
	n, first := in.Skipped()
	if n != 26 || len(first) != 20 || strings.Count(log.String(), "\n") != 26 {
		t.Errorf("%d skipped, %d kept, log:\n%s", n, len(first), log.String())
	}
	if want := `a:2: sentence 2: "()" has neither label nor child: expected a label`; short(first[0]) != want {
		t.Errorf("%v, want %s", first[0], want)
	}
	if r := in.Read(); r[0].Samples != 2 || r[0].Refused != 25 || r[1].Refused != 1 || r[2].Samples != 2 {
		t.Errorf("%+v", r)
	}

	// These inputs are refused: an input without trees, an input whose trees are all refused, and broken
	// data.
	got, _ = readInputs(t, readtest.Files(t, "a", two, "b", "", "c", two), InputOptions{Skip: true})
	check(t, got, "a#1|||b", "a#2|||d", "b: no trees", "c#1|||b", "c#2|||d")
	got, _ = readInputs(t, readtest.Files(t, "a", "()\n()\n"), InputOptions{Skip: true})
	check(t, got, "a: no trees: all of 2 sentences refused")
	got, _ = readInputs(t, readtest.Files(t, "a", compress(t, gz, two)[:20]), InputOptions{Skip: true})
	check(t, got, "a#1|||b", "a: the gzip data is truncated: expected more")
}

// A node can have very many children, but there is a limit.
func TestMaxChildren(t *testing.T) {
	wide := func(n int) string { return "(S" + strings.Repeat(" (A)", n) + ")\n" }
	got, in := readInputs(t, readtest.Files(t, "a", wide(MaxChildren+1)+wide(MaxChildren)+"(C d)\n"), InputOptions{})
	check(t, got, "a:1: sentence 1: 262,145 children below one node: expected at most 262,144", "a#2|||", "a#3|||d")
	if r := in.Read(); r[0].Samples != 2 || r[0].Refused != 1 {
		t.Errorf("%+v", r)
	}
}

// TestOnIdle sends the next tree only after it got the last one, and waits for the call of OnIdle.
func TestOnIdle(t *testing.T) {
	for name, samples := range map[string][]string{
		"ptb":    {"(A b)\n", "( (C d) (ID x))\n", "(E f)\n"},
		"lines":  {"(A\n  b)\n\n", "( (C d)\n (ID x))\n\n"},
		"conllu": {readtest.Word("a") + "\n", "# x = y\n" + readtest.Word("b") + "\n"},
		"svmtk":  {"1 |BT| (a b) |ET|\n", "1 1:1\n"},
		"klp":    {"x |BT:t| (a b) |ET|\n", "y |BT:t| (a b) |ET|\n"},
		"nbest":  {"2 x\n-1\n(A b)\n", "-2\n(C b)\n", "1 x\n-1\n(A b)\n"},
		"conllx": {"1\tw\t_\tN\tN\t_\t0\tROOT\t_\t_\n\n", "1\tw\t_\tN\tN\t_\t0\tROOT\t_\t_\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			answered, idle := make(chan int, 10), make(chan int, 1000)
			n := 0
			in, err := Open([]string{"-"}, InputOptions{
				Symbols: index.NewSymbols(), Stdin: r,
				OnIdle: func() { idle <- n },
			})
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				var tree index.Tree
				for {
					if err := in.Next(&tree); err != nil {
						close(answered)
						return
					}
					n++
					answered <- n
				}
			}()
			for i, s := range samples {
				if _, err := w.WriteString(s); err != nil {
					t.Fatal(err)
				}
				if got := <-answered; got != i+1 {
					t.Fatalf("%d answers to %d samples", got, i+1)
				}
				for <-idle != i+1 {
				}
			}
			w.Close()
			<-answered
			in.Close()
		})
	}
}

// TestClose checks that Close in the middle of an input leaves no goroutine.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	text := incompressible(200_000)
	pr, pw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pw.Close()
	if _, err := pw.WriteString(two); err != nil {
		t.Fatal(err)
	}
	paths := readtest.Files(t, "a", text, "b.gz", compress(t, gz, text), "c.zst", compress(t, zst, text))
	for _, p := range append(paths, "-") {
		in, err := Open([]string{p}, InputOptions{Symbols: index.NewSymbols(), Stdin: pr})
		if err != nil {
			t.Fatal(err)
		}
		var tree index.Tree
		if err := in.Next(&tree); err != nil {
			t.Fatal(err)
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		if err := in.Next(&tree); err != io.EOF {
			t.Errorf("%v after Close", err)
		}
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 100 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestContext(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	in, err := Open([]string{"-"}, InputOptions{Symbols: index.NewSymbols(), Stdin: r, Context: ctx, OnIdle: cancel})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var tree index.Tree
	if err := in.Next(&tree); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestManyFiles reads many small files. It checks that no large memory is allocated for each.
func TestManyFiles(t *testing.T) {
	p := readtest.Files(t, "a", two)[0]
	paths := make([]string, 2000)
	for i := range paths {
		paths[i] = p
	}
	start := time.Now()
	got, _ := readInputs(t, paths, InputOptions{})
	if len(got) != 4000 {
		t.Errorf("%d samples", len(got))
	}
	t.Log(time.Since(start))
}

// TestDocumentLeftOut refuses the first sentence of a document because of its label. The reader of the format
// does not notice this. The next sentence then prints as the first of the document.
func TestDocumentLeftOut(t *testing.T) {
	text := "# newdoc id = d1\n\n" + "# genre = x,y\n" + readtest.Word("a") + "\n" + "# genre = z\n" + readtest.Word("b") + "\n" + readtest.Word("c")
	syms := index.NewSymbols()
	in, err := Open(readtest.Files(t, "d.conllu", text), InputOptions{
		Symbols: syms, Skip: true, LabelOptions: LabelOptions{LabelFrom: []string{"comment:genre"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := FormatByName("conllu")
	if err != nil {
		t.Fatal(err)
	}
	var printed []byte
	var tree index.Tree
	for {
		err := in.Next(&tree)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if printed, err = f.Append(printed, &tree, syms); err != nil {
			t.Fatal(err)
		}
	}
	want := "# genre = z\n# newdoc id = d1\n" + readtest.Word("b") + "\n" + readtest.Word("c") + "\n"
	if diff := cmp.Diff(want, string(printed)); diff != "" {
		t.Error(diff)
	}
}
