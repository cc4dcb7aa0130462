package spaces

import (
	"errors"
	"testing"

	"fstore/index"
)

// Some spaces read trees of both kinds, but with some options only one kind.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		space                    string
		constituency, dependency bool
	}{
		{"stk", true, false},
		{"dep", false, true},
		{"seq", true, true},
		{"seq:unit=upos,max-gap=1", true, true},
		{"seq:unit=lemma", false, true},
		{"emb", true, true},
		{"emb:unit=upos", false, true},
	} {
		r, err := Parse(c.space)
		if err != nil {
			t.Fatal(err)
		}
		for k, reads := range map[index.Kind]bool{index.Constituency: c.constituency, index.Dependency: c.dependency} {
			var refused *index.UsageError
			if err := r.CheckKind(k); reads != (err == nil) || !reads && !errors.As(err, &refused) {
				t.Errorf("%s and %s: %v", c.space, k, err)
			}
		}
	}
	if k, d := Default(index.Constituency), Default(index.Dependency); k != "stk" || d != "dep" {
		t.Errorf("defaults are %s and %s", k, d)
	}
	for _, bad := range []string{"seq:unit=word", "emb:unit=feats", "seq:max-gap=-1", "emb:max-gap=1"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
