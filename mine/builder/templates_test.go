package builder_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/internal/minetest"
	"fstore/mine/template"
	"fstore/store"
)

// A build counts the templates of the stored fragments, however the fragments were made.
func TestTemplates(t *testing.T) {
	for _, arg := range []string{
		"dep:siblings=adjacent,min-support=1,template=rel+h.upos+m.upos",
		"dep:siblings=any,template=rel,template=h.upos,template=m.upos+dir,max-order=3,min-support=1",
		"dep:siblings=any,ordered=false,template=rel,template=h.upos+between,template=m.form+dist,max-order=3,min-support=1",
		"dep:siblings=side,template=rel,template=m.upos,min-support=3",
		"tag:max-order=2",
	} {
		for _, workers := range []int{1, 3} {
			for _, memory := range []int64{0, 1} {
				t.Run(fmt.Sprint(arg, workers, memory), func(t *testing.T) {
					o := minetest.DepOptions(t, vfs.NewMem(), 0, 30, arg)
					o.Workers, o.Memory = workers, memory
					s := minetest.Build(t, o.FS, o)
					info := &s.Meta().Spaces[0]
					if d := cmp.Diff(bruteTemplates(t, s, info.ID), info.Templates); d != "" {
						t.Errorf("-want +got:\n%s", d)
					}
				})
			}
		}
	}
}

// bruteTemplates counts the texts of templates. It returns nil if the space has no templates.
func bruteTemplates(t *testing.T, s *store.Store, id string) (counts []uint64) {
	req, err := spaces.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	templated, ok := req.Space.(index.Templated)
	if !ok {
		return nil
	}
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	it, err := s.Iter(0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	seen := map[string]bool{}
	for it.Next() {
		text := string(templated.AppendTemplate(nil, it.Key(), syms))
		if seen[text] {
			continue
		}
		seen[text] = true
		order := index.Code(it.Key()).Len()
		counts = append(counts, make([]uint64, max(0, order+1-len(counts)))...)
		counts[order]++
	}
	return counts
}

// BenchmarkTemplates counts the templates of a space's fragments.
func BenchmarkTemplates(b *testing.B) {
	o := minetest.DepOptions(b, vfs.NewMem(), 0, 200, "dep:siblings=adjacent,templates=qian-liu,max-order=2,min-support=2")
	s := minetest.Build(b, o.FS, o)
	req, err := spaces.Parse(s.Meta().Spaces[0].ID)
	if err != nil {
		b.Fatal(err)
	}
	syms, err := s.Symbols()
	if err != nil {
		b.Fatal(err)
	}
	it, err := s.Iter(0, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer it.Close()
	var codes []index.Code
	for it.Next() {
		codes = append(codes, bytes.Clone(it.Key()))
	}
	for b.Loop() {
		c := template.New(req.Space, syms).Counter()
		for _, code := range codes {
			c.Add(code, code.Len())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(codes)), "ns/fragment")
}
