package spaces

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A recorded ID has every option, and is read back as the same space. An ID that the first version recorded
// is also read back.
func TestRecordID(t *testing.T) {
	for _, c := range []struct{ id, recorded, first string }{
		{"stk", "stk", "stk"},
		{"ptk", "ptk:mu=0.4", "ptk"},
		{"seq", "seq:max-length=0,unit=form", "seq"},
		{"seq:max-gap=2,unit=upos", "seq:max-gap=2,max-length=0,unit=upos", "seq:max-gap=2,unit=upos"},
		{"emb", "emb:unit=form", "emb"},
		{"tag:word=lemma", "tag:tag=upos,word=lemma", "tag:word=lemma"},
		{"poly", "poly:degree=2,root-arcs=false,template=rel+h.upos+m.upos", "poly"},
		{"poly:degree=3,templates=qian-liu", "poly:degree=3,root-arcs=false,templates=qian-liu", "poly:degree=3,templates=qian-liu"},
		{
			"dep", "dep:max-span=20,ordered=true,root-arcs=false,siblings=any,template=rel+h.upos+m.upos+dir",
			"dep:max-span=20,siblings=any,template=rel+h.upos+m.upos+dir",
		},
		{"dep:siblings=adjacent,template=rel+h.upos+m.upos", "dep:max-span=0,ordered=true,root-arcs=false,siblings=adjacent,template=rel+h.upos+m.upos", "dep"},
		{"dep:max-span=0,templates=qian-liu", "dep:max-span=0,ordered=true,root-arcs=false,siblings=any,templates=qian-liu", "dep:siblings=any,templates=qian-liu"},
		{
			"dep:siblings=side,template=h.form+m.form,template=rel",
			"dep:max-span=0,ordered=true,root-arcs=false,siblings=side,template=h.form+m.form,template=rel",
			"dep:siblings=side,template=h.form+m.form,template=rel",
		},
		{
			"dep:max-span=0,ordered=false,template=rel+h.upos+m.upos", "dep:max-span=0,ordered=false,root-arcs=false,siblings=any,template=rel+h.upos+m.upos",
			"dep:ordered=false,siblings=any",
		},
	} {
		r, err := Parse(c.id)
		if err != nil || r.Space.ID() != c.id {
			t.Fatalf("%s: %v", c.id, err)
		}
		if got := RecordID(c.id); got != c.recorded {
			t.Errorf("%s is recorded as %s, want %s", c.id, got, c.recorded)
		}
		if got := FirstID(r.Space); got != c.first {
			t.Errorf("%s was %s, want %s", c.id, got, c.first)
		}
		for _, recorded := range []string{c.recorded, c.first} {
			if got := Recorded(recorded); got != c.id {
				t.Errorf("%s is read as %s, want %s", recorded, got, c.id)
			}
			if r, err := ParseRecorded(recorded); err != nil || r.Space.ID() != c.id {
				t.Errorf("%s: %v", recorded, err)
			}
		}
	}
	for _, unknown := range []string{"", "later", "dep:later=1", "stk:x"} {
		if RecordID(unknown) != unknown || Recorded(unknown) != unknown {
			t.Errorf("%q changes", unknown)
		}
	}
}

// An argument names the space with exactly this id. If there is none, it names every space whose options do
// not contradict it.
func TestNamed(t *testing.T) {
	old, sides := "dep:siblings=adjacent,template=rel+h.upos+m.upos", "dep:siblings=side,template=rel+h.upos+m.upos"
	for _, c := range []struct {
		arg  string
		ids  []string
		want []string
	}{
		{"dep", []string{"dep", old}, []string{"dep"}},
		{"dep", []string{"stk", old}, []string{old}},
		{"dep", []string{old, sides}, []string{old, sides}},
		{"dep:siblings=side", []string{old, sides}, []string{sides}},
		{"dep:siblings=any", []string{old, sides}, nil},
		{"dep:template=m.upos+rel+h.upos", []string{"dep", sides}, []string{sides}},
		{"dep:templates=qian-liu", []string{"dep", sides}, nil},
		{"dep:ordered", []string{sides}, []string{sides}},
		{RecordID("dep"), []string{old}, nil},
		{"seq", []string{"seq:unit=upos"}, []string{"seq:unit=upos"}},
		{"seq:unit=lemma", []string{"seq:unit=upos"}, nil},
		{"seq:max-order=3", []string{"seq:unit=upos"}, []string{"seq:unit=upos"}},
		{"no such", []string{"dep"}, nil},
	} {
		if d := cmp.Diff(c.want, Named(c.arg, c.ids)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.arg, d)
		}
	}
}
