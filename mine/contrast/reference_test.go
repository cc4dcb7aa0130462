package contrast_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/contrast"
	"fstore/mine/query"
)

// Label x against a list of all frequencies of label y gives the same as x against y, for each form of the
// list.
func TestReference(t *testing.T) {
	tab := random(t, 2, false)
	c, want := rows(t, tab, contrast.Options{A: "x", B: "y", All: true})
	var bare, named strings.Builder
	named.WriteString("\ufeff# a caption\nsupport\tfragment\toccurrences\n")
	for _, r := range want {
		fmt.Fprintf(&bare, "%s\t%d\n", r.text, r.freqB)
		fmt.Fprintf(&named, "9\t%s\t%d\n", r.text, r.freqB)
	}
	for i, text := range []string{bare.String(), named.String(), bare.String() + "(Z z)\t5\n"} {
		ref, absent, err := contrast.ReadReference(tab, strings.NewReader(text), "list", "")
		if err != nil || absent != i/2 {
			t.Fatal(absent, err)
		}
		ref.Size = c.B.N
		k, got := rows(t, tab, contrast.Options{A: "x", Reference: ref, All: true})
		if len(got) != len(want) || k.Known < uint64(len(want)) {
			t.Fatalf("%d rows of %d, %d known", len(got), len(want), k.Known)
		}
		for n := range want {
			want[n].docsB = 0
			same(t, want[n].text, got[n], want[n])
		}
	}
}

func TestReferenceRefused(t *testing.T) {
	tab := random(t, 2, false)
	text := ""
	_ = tab.Each(context.Background(), func(r *query.Row) error {
		text = string(tab.Text(nil, r.Code))
		return nil
	})
	for list, want := range map[string]string{
		"":                                    "list: no frequencies: expected lines of a fragment, a tab and its frequency",
		text:                                  "list:1: expected lines of a fragment, a tab and its frequency",
		text + "\tmany":                       `list:1: "many" where a frequency is expected`,
		text + "\t-1":                         `list:1: "-1" where a frequency is expected`,
		text + "\t1\n" + text + "\t2":         "list:2: " + text + " stands twice",
		"# x\nfragment\tsupport\n":            "list:2: a header without a column frequency or occurrences",
		"(A\t1":                               `list:1: fragment "(A": `,
		text + "\t1\n\"" + text + "\t1\nmore": "list:3: ",
	} {
		_, _, err := contrast.ReadReference(tab, strings.NewReader(list), "list", "")
		var bad *index.InputError
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", list, err, want)
		}
	}
	for _, o := range []contrast.Options{
		{A: "x", B: "y", Reference: &contrast.Reference{Size: 1}},
		{A: "x", Reference: &contrast.Reference{}},
		{A: "x", Reference: &contrast.Reference{Size: 1}, Documents: &contrast.DocumentTest{}},
	} {
		o.FS = vfs.NewMem()
		var bad *index.UsageError
		if _, err := contrast.New(context.Background(), tab, o); !errors.As(err, &bad) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func FuzzReadReference(f *testing.F) {
	f.Add("(A (B))\t3\n")
	f.Add("# c\nfragment\tfrequency\n\"(A \"\"x\"\")\"\t1\n")
	tab := random(f, 2, false)
	f.Fuzz(func(t *testing.T, text string) {
		ref, _, err := contrast.ReadReference(tab, strings.NewReader(text), "list", "")
		if err == nil && ref == nil {
			t.Fatal("nothing")
		}
	})
}
