package weights

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fstore/decode/format"
	"fstore/index"
	"fstore/mine/learn/linear"
)

// WriteTable writes a table for ReadTable: a line of column names, then lines `id TAB class TAB weight`. Id 0
// is the bias. Weights of 0 are left out, but a label without weights gets a bias of 0, so that the table
// names it. A label with a tab or a line break is an *index.UsageError.
func WriteTable(out io.Writer, m *linear.Model) error {
	for _, l := range m.Labels {
		if strings.ContainsAny(l, "\t\r\n") {
			return index.Usagef("the label %q, which the table has no way to write", l)
		}
	}
	w := bufio.NewWriter(out)
	w.WriteString("id\tclass\tweight\n")
	n := m.Scores()
	if n == 1 && m.Labels[1] != "" {
		fmt.Fprintf(w, "0\t%s\t0\n", m.Labels[1])
	}
	has := make([]bool, n) // score → whether it has a weight
	for i, id := range m.ID {
		for k, x := range m.Weight[i*n : (i+1)*n] {
			if x != 0 {
				has[k] = true
				fmt.Fprintf(w, "%d\t%s\t%s\n", id, m.Labels[k], format.Shortest(x))
			}
		}
	}
	bare := !slices.Contains(has, true) // if no score has a weight, the table still names the classes
	for k := range n {
		if bare || n > 1 && !has[k] {
			fmt.Fprintf(w, "0\t%s\t0\n", m.Labels[k])
		}
	}
	return w.Flush()
}

// WriteLIBLINEAR writes a model file of LIBLINEAR that names the given solver. In the file, numbers[k] stands
// for m.Labels[k]. A number that is not an integer, or a label "", is an *index.UsageError.
func WriteLIBLINEAR(out io.Writer, m *linear.Model, solver string, numbers []string) error {
	for k, l := range numbers {
		if _, err := strconv.Atoi(l); err != nil || m.Labels[k] == "" {
			return index.Usagef("the classes of LIBLINEAR are integers, and all of them are named: write the weights as a table")
		}
	}
	n, bias := m.Scores(), make([]float64, m.Scores())
	at := 0
	if len(m.ID) > 0 && m.ID[0] == 0 {
		copy(bias, m.Weight[:n])
		at = 1
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "solver_type %s\nnr_class %d\nlabel %s\nnr_feature %d\nbias 1\nw\n", solver, len(numbers), strings.Join(numbers, " "), m.Features)
	none := make([]float64, n)
	for id := uint32(1); id <= m.Features; id++ {
		row := none
		if at < len(m.ID) && m.ID[at] == id {
			row = m.Weight[at*n : (at+1)*n]
			at++
		}
		writeRow(w, row)
	}
	writeRow(w, bias)
	return w.Flush()
}

func writeRow(w *bufio.Writer, row []float64) {
	for _, x := range row {
		w.WriteString(format.Shortest(x))
		w.WriteByte(' ')
	}
	w.WriteByte('\n')
}
