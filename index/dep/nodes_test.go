package dep

import (
	"slices"
	"strings"
	"testing"

	"fstore/index"
)

var _ index.Labelled = (*Space)(nil)

// The node labels of a fragment are those in its text, and those of the tokens that it matches.
func TestNodes(t *testing.T) {
	eachCorpus(t, 6, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		sp := o.space
		fields := sp.LabelFields()
		labelled := []string{defaultTemplate, "rel+h.upos+m.upos", "h.upos+m.upos", "rel+h.form+h.upos+m.form+m.upos+dir"}
		if (fields == nil) == (!o.RootArcs && o.Words == "" && slices.Contains(labelled, strings.Join(o.Templates, " "))) {
			t.Fatalf("%s: fields %v", sp.ID(), fields)
		}
		if fields == nil {
			return
		}
		n := len(fields)
		counted := 0
		rec := &recorder{o: o, s: s}
		growAll(t, rec, trees, everything, index.Limits{MaxOrder: 4}, false)
		for _, c := range rec.codes {
			text := string(sp.AppendText(nil, c, s))
			labels, head := sp.AppendLabels([]uint32{7}, c, s)
			var got []string
			for label := range slices.Chunk(labels[1:], n) {
				var parts []string
				for k, id := range label {
					parts = append(parts, string(sp.labels.cols[k].appendValue(nil, id, sp.labels.special, s)))
				}
				got = append(got, strings.Join(parts, "/"))
			}
			bare := strings.NewReplacer("(", "", ")", "").Replace(text)
			want := slices.DeleteFunc(strings.Fields(bare), func(word string) bool { return strings.ContainsAny(word, "<>") })
			if labels[0] != 7 || !slices.Equal(got, want) || head >= len(got) {
				t.Fatalf("%s: nodes %v, head %d", text, got, head)
			}
			for _, tree := range trees {
				tokens := slices.Collect(slices.Chunk(sp.AppendTokens(nil, tree), n))
				for _, occ := range sp.Locate(tree, c, s) {
					root := slices.IndexFunc(occ, func(k int32) bool { return !slices.Contains(occ, tree.Tokens[k].Head-1) })
					if !slices.Equal(tokens[occ[root]], labels[1+head*n:1+head*n+n]) {
						t.Fatalf("%s: head %v, and the root is %v", text, got[head], tokens[occ[root]])
					}
					counted++
				}
			}
		}
		if counted == 0 {
			t.Error("nothing was found")
		}
	})
}
