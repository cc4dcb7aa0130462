package style

import (
	"bytes"
	"os"
	"testing"
)

// TestPlain: a writer that is no terminal gets no colours in any environment.
func TestPlain(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	force := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "CLICOLOR_FORCE=1"}
	if For(&bytes.Buffer{}, force) != (Style{}) || For(f, force) != (Style{}) {
		t.Error("colours without a terminal")
	}
	if got := string((Style{}).Match.Append(nil, "x")); got != "x" {
		t.Errorf("%q", got)
	}
}

func TestNoColor(t *testing.T) {
	for v, want := range map[string]bool{"NO_COLOR=1": true, "NO_COLOR=0": true, "NO_COLOR=yes": true, "NO_COLOR=": false, "XNO_COLOR=1": false} {
		if noColor([]string{"A=b", v}) != want {
			t.Error(v)
		}
	}
}

func TestLooks(t *testing.T) {
	s := looks()
	for _, l := range []Look{s.Header, s.Match, s.Error} {
		if l.open == "" || l.close == "" || l.Text("text") != l.open+"text"+l.close || string(l.Append(nil, "text")) != l.Text("text") {
			t.Errorf("%q %q", l.open, l.close)
		}
	}
}
