package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMan compares the manual page with a golden file, so that each change of it is reviewed.
func TestMan(t *testing.T) {
	var g grammar
	var b bytes.Buffer
	if err := writeMan(&b, newParser(&g, io.Discard, nil).Model, "VERSION"); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/fstore.1"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
		t.Errorf("%s is out of date: go test ./cli -run TestMan -update, and read the difference", golden)
	}

	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff to read it with")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z")
	cmd.Stdin = &b
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		`a\b -x 'q'`:   `a\eb \-x \(aqq\(aq`,
		".TH":          `\&.TH`,
		"a\n.SH.":      "a\n\\&.SH.",
		"i ≤ j":        `i \[u2264] j`,
		"~/.zshrc ^ `": `\(ti/.zshrc \(ha \(ga`,
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	got := paragraphs("One.\n\nTwo.\n\n    a\n    .b\n")
	if want := "One.\n.PP\nTwo.\n.PP\n.RS 4\n.nf\na\n\\&.b\n.fi\n.RE\n"; got != want {
		t.Errorf("%q", strings.TrimSpace(got))
	}
}
