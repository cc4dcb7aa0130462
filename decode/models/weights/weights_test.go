package weights

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"fstore/index"
	"fstore/mine/learn/linear"
)

const binary = `solver_type L1R_LR
nr_class 2
label 1 -1
nr_feature 3
bias 2
w
0.5 
0 
-1e-3 
0.25 
`

const three = `solver_type MCSVM_CS
nr_class 3
label 3 1 2
nr_feature 2
bias -1
w
1 0 -1 
0 0 0 
`

func show(m *linear.Model) string {
	return fmt.Sprintf("%q of %d: %v %v", m.Labels, m.Features, m.ID, m.Weight)
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{binary, `["1" "-1"] of 3: [0 1 3] [0.5 0.5 -0.001]`},
		{"\ufeff" + strings.ReplaceAll(binary, "\n", "\r\n"), `["1" "-1"] of 3: [0 1 3] [0.5 0.5 -0.001]`},
		{three, `["3" "1" "2"] of 2: [1] [1 0 -1]`},
		{strings.NewReplacer("nr_class 3", "nr_class 2", "label 3 1 2", "label 7 9", "1 0 -1", "1 -1", "0 0 0", "-2 2").Replace(three), `["7" "9"] of 2: [1 2] [1 -2]`},
		{strings.Replace(binary, "L1R_LR", "L2R_L2LOSS_SVR", 1), `F:6: solver_type "L2R_L2LOSS_SVR": expected a classifier`},
		{strings.Replace(binary, "nr_class 2", "nr_class 1", 1), `F:6: nr_class: expected two classes at least`},
		{strings.Replace(binary, "label 1 -1", "label 1", 1), `F:6: 1 label of 2 classes`},
		{strings.Replace(binary, "label 1 -1", "label 1 1", 1), `F:6: two classes have the label 1`},
		{strings.Replace(binary, "label 1 -1", "label 1 x", 1), `F:3: the label "x" is no integer`},
		{strings.Replace(binary, "nr_feature 3", "nr_feature 4294967296", 1), `F:4: nr_feature "4294967296": expected a number`},
		{strings.Replace(binary, "nr_feature 3", "nr_feature 2 3", 1), `F:4: 2 values of "nr_feature": expected one`},
		{strings.Replace(binary, "nr_feature 3", "nr_feature 0", 1), `F:6: nr_feature: expected the number of features`},
		{strings.Replace(binary, "bias 2", "bias 2\nbias 3", 1), `F:6: a second line bias`},
		{strings.Replace(binary, "bias 2", "bais 2", 1), `F:5: "bais": expected solver_type, nr_class, label, nr_feature, bias or w`},
		{strings.Replace(binary, "-1e-3", "nan", 1), `F:9: the weight "nan" is no number`},
		{strings.Replace(binary, "-1e-3", "1 2", 1), `F:9: 2 weights: expected 1, as the head says`},
		{binary + "1\n", `F:11: a line after the weights: expected 4 of them, as the head says`},
		{strings.TrimSuffix(binary, "0.25 \n"), `F:9: the file ends after 3 lines of weights: expected 4, as its head says`},
		{binary[:40], `F:3: the file ends in the head of the model: expected a line w, and the weights`},
		{binary[:60] + "\xff\n", `F:5: invalid UTF-8 at column 7: expected UTF-8 text`},

		{"id\tweight\n3\t-0.5\n0\t1\n", `[] of 3: [0 3] [1 -0.5]`},
		{"3\t1\n", `[] of 3: [3] [1]`},
		{"2\tb\t1\r\n\r\n1\ta\t2\r\n2\ta\t5\r\n", `["a" "b"] of 2: [1 2] [2 4]`},
		{"id\tclass\tweight\n1\tnews\t2\n", `["news" ""] of 1: [1] [2]`},
		{"1\tb\t2\n1\tc\t3\n0\ta\t4\n", `["a" "b" "c"] of 1: [0 1] [4 0 0 0 2 3]`},
		{"3\t1\n4\n", `F:2: 1 column: expected 2, as in the first line`},
		{"3\t1\nx\t1\n", `F:2: the id "x" is no feature's: expected a number, 0 for the bias`},
		{"3\t1\n4294967295\t1\n", `F:2: the id "4294967295" is no feature's: expected a number, 0 for the bias`},
		{"3\t1\n4\tinf\n", `F:2: the weight "inf" is no number`},
		{"3\t\t1\n", `F:1: no class: expected one between the tabs`},
		{"3\t1\n4\t2\n3\t1\n", `F:3: feature 3 has two weights`},
		{"id\tweight\n", `F:1: no weights`},
		{"1\ta\t1e308\n1\tb\t-1e308\n", `F:2: a weight is +Inf`},
	} {
		m, err := read(c.text)
		if err != nil {
			var bad *index.InputError
			if !errors.As(err, &bad) || err.Error() != c.want {
				t.Errorf("%q: %v, want %s", c.text, err, c.want)
			}
			continue
		}
		if got := show(m); got != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.text, got, c.want)
		}
	}
	for text, want := range map[string]bool{"(NP (DT))\n": false, "a\t1\n": false, "1\n": false, "": false, "1\t2": true, "id\tclass\tweight\n": true} {
		if IsTable([]byte(text)) != want || IsLIBLINEAR([]byte(text)) {
			t.Errorf("%q is taken for a table, or for a model: %v", text, !want)
		}
	}
}

// read reads a model from a text and describes it.
func read(text string) (*linear.Model, error) {
	open := ReadTable
	if IsLIBLINEAR([]byte(text)) {
		open = ReadLIBLINEAR
	}
	return open(strings.NewReader(text), "F")
}

// broken is a reader that fails after its text.
type broken struct{ io.Reader }

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func TestBrokenFile(t *testing.T) {
	for _, text := range []string{binary[:50], binary, "1\t2\n"} {
		open := ReadTable
		if IsLIBLINEAR([]byte(text)) {
			open = ReadLIBLINEAR
		}
		if _, err := open(broken{strings.NewReader(text)}, "F"); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzRead expects either a model or an error about the input.
func FuzzRead(f *testing.F) {
	for _, text := range []string{binary, three, "id\tweight\n3\t-0.5\n0\t1\n", "2\tb\t1\n1\ta\t2\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := read(text)
		var bad *index.InputError
		switch {
		case err != nil && !errors.As(err, &bad):
			t.Fatal(err)
		case err == nil && len(m.Labels) > 0:
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
