package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/models"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/learn/measure"
	"fstore/mine/learn/svm"
	"fstore/mine/selection"
	"fstore/store"
)

const (
	numTrain = "golden/num.train.svmtk.gz"
	numTest  = "golden/num.test.svmtk.gz"
)

// The decision values of an imported model are the same as in SVM-Light-TK.
func TestDecisionsAreSVMLightTKs(t *testing.T) {
	s := index.NewSymbols()
	m, err := models.ReadKernelModel(bytes.NewReader(text(t, "golden/num.model.gz")), read.Options{File: "num.model", Symbols: s})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.Vectors); n != 2480 {
		t.Errorf("%d support vectors", n)
	}
	checkDecisions(t, m, s, 1e-5)
}

// A machine trained here on the same questions makes the same decisions.
func TestTrainedAsSVMLightTK(t *testing.T) {
	st := buildStore(t, numTrain)
	stk, err := spaces.Parse("stk")
	if err != nil {
		t.Fatal(err)
	}
	m, r, err := svm.Train(context.Background(), st, svm.Options{
		Config: svm.Config{Space: stk.Space, Lambda: 0.4, Normalize: true}, C: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r.Machines[0])
	s, err := st.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	checkDecisions(t, m, s, 1e-2)
}

// checkDecisions compares the scores of the test questions with num.pred.
func checkDecisions(t *testing.T, m *svm.Model, s *index.Symbols, within float64) {
	t.Helper()
	c, err := svm.NewScorer(context.Background(), m, s, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	in, err := read.Open([]string{dataFile(t, numTest)}, read.InputOptions{Symbols: s})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	w := c.NewWorker()
	var outcomes measure.Outcomes
	largest := 0.0
	for i, line := range strings.Fields(string(text(t, "golden/num.pred"))) {
		want, err := strconv.ParseFloat(line, 64)
		if err != nil {
			t.Fatal(err)
		}
		var tree index.Tree
		if err := in.Next(&tree); err != nil {
			t.Fatal(err)
		}
		score := []float64{0}
		if err := w.Score(score, &tree); err != nil {
			t.Fatal(err)
		}
		if d := math.Abs(score[0] - want); d > within {
			t.Errorf("question %d: %v, want %v", i, score[0], want)
		} else {
			largest = max(largest, d)
		}
		predicted := m.Labels[0]
		if score[0] <= 0 {
			predicted = m.Labels[1]
		}
		outcomes.Add(predicted, []string{tree.Label})
	}
	t.Logf("largest difference %.2g", largest)
	if a, f := outcomes.Accuracy(), outcomes.Of("1").F1(); outcomes.Samples != 500 || math.Abs(a-0.946) > 0.0021 || math.Abs(f-0.8643) > 0.006 {
		t.Errorf("%d questions, accuracy %v, F1 %v", outcomes.Samples, a, f)
	}
}

// buildStore builds a store in memory of a data file, with few fragments.
func buildStore(t testing.TB, name string) *store.Store {
	t.Helper()
	fs := vfs.NewMem()
	order := 1
	_, err := builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Spaces: builder.Choice{MaxOrder: &order}, Event: func() store.Event { return store.Event{} },
		Source: func(s *index.Symbols) (index.Source, error) {
			return read.Open([]string{dataFile(t, name)}, read.InputOptions{Symbols: s})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// The test checks ‖w‖² of SVM-Light-TK's model. For each L it searches, exactly and greedily, for the
// fragments that are at least 1/L as relevant as the heaviest base, and checks their number and their share
// of ‖w‖² (mine/README.md, "Relevance").
func TestRelevanceOfSVMLightTKsModel(t *testing.T) {
	st := storeWithModel(t)
	for _, c := range []struct {
		l              float64
		exact, greedy  uint64
		share, greedys float64
	}{
		{10, 606, 490, 0.374, 0.338},
		{30, 6_447, 5_435, 0.600, 0.555},
		{100, 55_757, 51_715, 0.799, 0.765},
		{1000, 1_625_840, 0, 0.968, 0},
	} {
		for _, greedy := range []bool{false, true} {
			want, share := c.exact, c.share
			if greedy {
				want, share = c.greedy, c.greedys
			}
			if want == 0 {
				continue
			}
			got, err := selection.DryRun(context.Background(), st, selection.Options{
				By: "relevance", Model: "m", ThresholdRatio: &c.l, Greedy: greedy,
			})
			if err != nil {
				t.Fatal(err)
			}
			kept := 0.0
			for _, n := range got.Explained {
				kept += float64(n.Share) / (1 << 62)
			}
			if got.Fragments != want || math.Abs(kept-share) > 0.001 {
				t.Errorf("L %v, greedy %v: %s; want %d fragments and %v", c.l, greedy, got.Decided, want, share)
			}
		}
	}
	s, err := st.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	b, err := st.Model("m")
	if err != nil {
		t.Fatal(err)
	}
	m, err := svm.Decode(b, s)
	if err != nil {
		t.Fatal(err)
	}
	g, err := svm.NewGradient(context.Background(), m, "", s, 0, index.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	if n := g.Merged.Components(); math.Abs(g.Norm-1369.04) > 0.01 || n != 18_048 {
		t.Errorf("‖w‖² %v, %d merged nodes", g.Norm, n)
	}
}

// The weights of the fragments at L = 10, 30 and 100 give the same decisions as the model for 494, 496 and
// all 500 test questions. Of these decisions, 467, 471 and 473 are right.
func TestWeightsOfSVMLightTKsModel(t *testing.T) {
	fs := storeWithModel(t).FS()
	want := strings.Fields(string(text(t, "golden/num.pred")))
	for _, c := range []struct {
		l           float64
		same, right uint64
	}{{10, 494, 467}, {30, 496, 471}, {100, 500, 473}} {
		w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
		if err != nil {
			t.Fatal(err)
		}
		_, err = selection.Run(context.Background(), w, selection.Options{
			Name: "x", Overwrite: true, By: "relevance", Model: "m", ThresholdRatio: &c.l,
		})
		if err := errors.Join(err, w.Commit()); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open("s", store.Options{FS: fs})
		if err != nil {
			t.Fatal(err)
		}
		m, err := predict.OpenSelectionModel(s, "x")
		if err != nil {
			t.Fatal(err)
		}
		same, n := uint64(0), 0
		p := predict.New(context.Background(), m, 1, func(x *predict.Prediction) error {
			if strings.HasPrefix(want[n], "-") == (x.Score <= 0) {
				same++
			}
			n++
			return nil
		})
		in, err := read.Open([]string{dataFile(t, numTest)}, read.InputOptions{Symbols: m.ReaderSymbols()})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(p.Run(in), in.Close(), m.(io.Closer).Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
		if same != c.same || p.Outcomes.Correct != c.right {
			t.Errorf("L %v: %d as the model, %d right; want %d and %d", c.l, same, p.Outcomes.Correct, c.same, c.right)
		}
	}
}

// storeWithModel returns a store with SVM-Light-TK's model under the name m.
func storeWithModel(t testing.TB) *store.Store {
	t.Helper()
	fs := buildStore(t, numTrain).FS()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.ReadKernelModel(bytes.NewReader(text(t, "golden/num.model.gz")), read.Options{File: "num.model", Symbols: w.Symbols()})
	if err != nil {
		t.Fatal(err)
	}
	info := store.ModelInfo{Name: "m", Learner: svm.LearnerImported, Kernel: m.Space.ID()}
	if err := errors.Join(w.PutModel(info, m.Append(nil)), w.Commit()); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
