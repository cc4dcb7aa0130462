package gram

import (
	"context"
	"errors"
	"testing"

	"fstore/index"
	"fstore/index/spaces"
)

// small is a space whose kernels refuse trees of more than one node.
type small struct{ index.Space }

func (small) NewKernel(*index.Symbols, float64) index.Kernel { return smallKernel{} }

type smallKernel struct{ index.Kernel }

func (smallKernel) Prepare(t *index.Tree) (any, error) {
	if len(t.Nodes) > 1 {
		return nil, errors.New("too large")
	}
	return t, nil
}

// sized yields trees of growing size.
type sized struct {
	b index.Builder
	n int
}

func (s *sized) Next(t *index.Tree) error {
	s.n++
	s.b.Start(t, false)
	s.b.Open([]byte("A"))
	for range s.n - 1 {
		s.b.Word([]byte("w"))
	}
	s.b.Close()
	t.Name, t.Line = "name", 10*s.n
	return nil
}

type located struct{ *sized }

func (l located) Where() (string, int) { return "file", l.n }

// A tree that a kernel refuses is bad input. The error names the place of the tree if the source knows it.
func TestKernelReaderSaysWhere(t *testing.T) {
	r, err := spaces.Parse("stk")
	if err != nil {
		t.Fatal(err)
	}
	r.Space = small{r.Space}
	syms := index.NewSymbols()
	for want, src := range map[string]index.Source{
		"file:20: sentence 2: too large": located{&sized{b: index.Builder{Symbols: syms}}},
		"name:20: too large":             &sized{b: index.Builder{Symbols: syms}},
	} {
		k := Reader{Space: r, Symbols: syms, Lambda: 1}
		_, _, err := k.Read(context.Background(), src)
		var bad *index.InputError
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
