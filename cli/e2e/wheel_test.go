package e2e

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

//go:embed wheel.py
var wheelScript string

// TestWheel installs the wheel in a new environment without network, and uses it.
func TestWheel(t *testing.T) {
	python := needSklearn(t)
	dir := t.TempDir()
	binary := filepath.Join(dir, "fstore")
	command(t, "", "go", "build", "-o", binary, "../fstore")
	var wheels [2]string
	for i := range wheels {
		out := filepath.Join(dir, "wheels", string('a'+rune(i)))
		wheels[i] = strings.TrimSpace(command(t, "", "go", "run", "../python/wheels", "-version", "v1.2-3-gabcdef0", "-o", out,
			"manylinux_2_17_x86_64="+binary))
	}
	if a, b := read(t, wheels[0]), read(t, wheels[1]); a != b {
		t.Error("the same source makes other bytes")
	}
	if name := filepath.Base(wheels[0]); name != "fstore-1.2+gabcdef0-py3-none-manylinux_2_17_x86_64.whl" {
		t.Errorf("the wheel is called %s", name)
	}
	venv := filepath.Join(dir, "venv")
	if said, err := exec.Command(python, "-m", "venv", "--system-site-packages", venv).CombinedOutput(); err != nil {
		t.Skipf("no virtual environment: %v\n%s", err, said)
	}
	command(t, "", filepath.Join(venv, "bin", "python"), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheels[0])
	samples, err := filepath.Abs(filepath.Dir(samples))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(command(t, dir, filepath.Join(venv, "bin", "python"), "-c", wheelScript, samples))
}

// command runs a program in a directory, and returns what it prints.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, said)
	}
	return string(said)
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
