//go:build unix

package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkPeers measures the commands that bench/README.md compares with other tools, as a user runs them.
// Each row reports the user CPU seconds and the peak memory of its last command, and the bytes of the store.
// Rows with missing files are skipped. The file peers/questions.mrg has parsed questions, peers/train.svmtk
// and peers/test.svmtk have labelled trees, peers/model is a model of SVM-Light-TK, and peers/fragments.txt
// has one fragment on each line.
func BenchmarkPeers(b *testing.B) {
	const arcs = "dep:max-span=0,ordered=false,template=rel+h.upos+m.upos"
	for _, c := range []struct {
		name  string
		files []string // $1, $2, … of the commands
		// The commands before the measurement, and the measured commands. STORE is a new store each time.
		before [][]string
		last   []string
	}{
		{
			"STARK/subtrees",
			[]string{"ud/en_ewt-ud-train.conllu.gz"},
			nil,
			[]string{"build", "STORE", "$1", "--space", arcs, "--max-order", "4", "--min-support", "1"},
		},
		{"disco-dop/fragments", []string{"peers/questions.mrg"}, nil, []string{"build", "STORE", "$1"}},
		{"disco-dop/closed", []string{"peers/questions.mrg"}, nil, []string{"build", "STORE", "$1", "--closed", "--max-order", "0"}},
		{
			"SVM-Light-TK/build",
			[]string{"peers/train.svmtk"},
			nil,
			[]string{"build", "STORE", "$1", "--space", "stk", "--max-order", "1"},
		},
		{
			"SVM-Light-TK/train",
			[]string{"peers/train.svmtk"},
			[][]string{{"build", "STORE", "$1", "--space", "stk", "--max-order", "1"}},
			[]string{"train", "STORE", "--name", "m", "--kernel", "stk", "-C", "10"},
		},
		{
			"SVM-Light-TK/classify",
			[]string{"peers/test.svmtk", "peers/model"},
			[][]string{{"build", "STORE", "$1", "--space", "stk", "--max-order", "1"}, {"import", "STORE", "$2", "--name", "m"}},
			[]string{"predict", "STORE", "$1", "--model", "m", "-o", os.DevNull},
		},
		{
			"disco-dop/locate",
			[]string{"peers/questions.mrg", "peers/fragments.txt"},
			[][]string{{"build", "STORE", "$1"}, {"import", "STORE", "$2", "--name", "f", "--skip-absent"}},
			[]string{"linearize", "STORE", "$1", "--selection", "f", "-o", os.DevNull},
		},
	} {
		b.Run(c.name, func(b *testing.B) {
			named := map[string]string{}
			for i, f := range c.files {
				named["$"+string(rune('1'+i))] = dataFile(b, f)
			}
			bin := program(b)
			var user, peak float64
			for b.Loop() {
				dir := filepath.Join(b.TempDir(), "s")
				named["STORE"] = dir
				for _, args := range append(c.before, c.last) {
					line := []string{args[0], "--quiet"}
					for _, a := range args[1:] {
						if f, ok := named[a]; ok {
							a = f
						}
						line = append(line, a)
					}
					user, peak = usage(b, bin, line...)
				}
			}
			index, rest := sizes(b, named["STORE"])
			b.ReportMetric(user, "user-s")
			b.ReportMetric(peak, "peak-MB")
			b.ReportMetric(float64(index+rest)/1e6, "store-MB")
		})
	}
}
