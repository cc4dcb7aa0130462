//go:build unix

package bench

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// program builds the fstore binary.
func program(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "fstore")
	cmd := exec.Command("go", "build", "-o", bin, "fstore/cli/fstore")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return bin
}

// usage runs a command and returns its user CPU seconds and its peak memory in MB.
func usage(b *testing.B, name string, args ...string) (user, peak float64) {
	b.Helper()
	cmd := exec.Command(name, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	ru := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	peak = float64(ru.Maxrss) / 1024
	if runtime.GOOS == "darwin" {
		peak /= 1024 // on this system the peak is in bytes
	}
	return cmd.ProcessState.UserTime().Seconds(), peak
}

// BenchmarkProgram measures the program as a user runs it: from a compressed treebank to a committed store,
// and from the treebank to vectors in svmlight text.
func BenchmarkProgram(b *testing.B) {
	for _, c := range corpora {
		b.Run("build/"+c.name, func(b *testing.B) {
			file := dataFile(b, c.file)
			bin := program(b)
			var user, peak float64
			dir := filepath.Join(b.TempDir(), "s")
			for b.Loop() {
				u, p := usage(b, bin, "build", "--quiet", "--overwrite", dir, file, "--space", "stk", "--max-order", strconv.Itoa(c.order))
				user, peak = user+u, max(peak, p)
			}
			data := float64(len(text(b, c.file)))
			index, rest := sizes(b, dir)
			b.ReportMetric(user/float64(b.N), "user-s/op")
			b.ReportMetric(peak, "peak-MB")
			b.ReportMetric(float64(rest)/data, "store/text")
			b.ReportMetric(float64(index)/data, "index/text")
		})
		b.Run("linearize/"+c.name, func(b *testing.B) {
			file := dataFile(b, c.file)
			bin := program(b)
			dir := filepath.Join(b.TempDir(), "s")
			usage(b, bin, "build", "--quiet", dir, file, "--space", "stk", "--max-order", strconv.Itoa(c.order))
			var user, peak float64
			for b.Loop() {
				u, p := usage(b, bin, "linearize", "--quiet", dir, file, "--workers", "1", "-o", os.DevNull)
				user, peak = user+u, max(peak, p)
			}
			b.SetBytes(int64(len(text(b, c.file))))
			b.ReportMetric(user/float64(b.N), "user-s/op")
			b.ReportMetric(peak, "peak-MB")
		})
	}
}

// sizes returns the bytes of a store: those of its expansion indexes, and those of everything else.
func sizes(b *testing.B, dir string) (index, rest int64) {
	b.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), "expansion-") {
			index += st.Size()
		} else {
			rest += st.Size()
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return index, rest
}
