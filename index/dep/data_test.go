package dep

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"fstore/index"
)

// The commands of the files in testdata:
//
//	tree              reads a tree, with a line for each word: form tag head relation
//	count             counts subtrees, and sub feature trees with two features on each arc, by rule
//	grow OPTION…      prints the fragments of the tree with their occurrences
//	parse OPTION…     prints each line as a fragment, or an error
//	parts OPTION…     prints the legal parts of a fragment
//	templates OPTION… prints the templates of the fragments of the tree, with the number of fragments
//	id OPTION…        prints the names of a space: short, as recorded, and of the first version
func TestData(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		d := &dataTest{s: index.NewSymbols()}
		datadriven.RunTest(t, path, d.run)
	})
}

type dataTest struct {
	s    *index.Symbols
	tree index.Tree
}

func (d *dataTest) run(t *testing.T, td *datadriven.TestData) string {
	var pairs []string
	for _, a := range td.CmdArgs {
		for _, v := range a.Vals {
			pairs = append(pairs, a.Key+"="+v)
		}
	}
	args := strings.Join(pairs, ",")
	var out strings.Builder
	switch td.Cmd {
	case "tree":
		d.read(td.Input)
	case "count":
		for _, rule := range ruleNames {
			fmt.Fprintf(&out, "%-8s  %d subtrees, %d sub feature trees\n", rule,
				d.occurrences(t, "siblings="+rule+",template=rel+h.upos+m.upos"),
				d.occurrences(t, "siblings="+rule+",template=h.form+m.form,template=h.upos+m.upos"))
		}
	case "grow":
		rec := d.grow(t, args)
		slices.SortFunc(rec.codes, func(a, b index.Code) int { return bytes.Compare(a, b) })
		for _, c := range rec.codes {
			fmt.Fprintf(&out, "%d  %s\n", rec.rows[codeKey(rec.o, c, d.s)].Occ[0], rec.o.space.AppendText(nil, c, d.s))
		}
	case "templates":
		rec := d.grow(t, args)
		n := map[string]int{}
		for _, c := range rec.codes {
			n[string(rec.o.space.AppendTemplate(nil, c, d.s))]++
		}
		for _, text := range slices.Sorted(maps.Keys(n)) {
			fmt.Fprintf(&out, "%d  %s\n", n[text], text)
		}
	case "parse":
		o := d.space(t, args)
		for line := range strings.Lines(td.Input) {
			c, err := o.space.ParseText(strings.TrimSuffix(line, "\n"), d.s)
			if err != nil {
				fmt.Fprintln(&out, err)
				continue
			}
			fmt.Fprintf(&out, "%s\n", o.space.AppendText(nil, c, d.s))
		}
	case "parts":
		o := d.space(t, args)
		c, err := o.space.ParseText(td.Input, d.s)
		if err != nil {
			return err.Error()
		}
		for _, p := range o.space.Parts(nil, c, d.s) {
			fmt.Fprintf(&out, "%s\n", o.space.AppendText(nil, p, d.s))
		}
	case "id":
		values := map[string][]string{}
		for _, p := range pairs {
			k, v, _ := strings.Cut(p, "=")
			values[k] = append(values[k], v)
		}
		s, err := New(func(name string) []string { return values[name] })
		if err != nil {
			return err.Error()
		}
		fmt.Fprintf(&out, "%s\n  recorded %s\n  first    %s\n", s.ID(), s.FullID(), s.FirstID())
	default:
		td.Fatalf(t, "no command %s", td.Cmd)
	}
	return out.String()
}

func (d *dataTest) read(text string) {
	d.tree.Reset()
	d.tree.Kind = index.Dependency
	for line := range strings.Lines(text) {
		var form, tag, rel string
		var head int32
		fmt.Sscan(line, &form, &tag, &head, &rel)
		word := func(s string) uint32 { return d.s.Intern(index.Words, []byte(s)) }
		d.tree.Tokens = append(d.tree.Tokens, index.Token{Form: word(form), UPOS: word(tag), Rel: word(rel), Head: head})
	}
}

func (d *dataTest) space(t *testing.T, args string) options {
	o := newSpace(t, args)
	o.space.Prepare(&d.tree, d.s)
	return o
}

func (d *dataTest) grow(t *testing.T, args string) *recorder {
	rec := &recorder{o: d.space(t, args), s: d.s}
	growAll(t, rec, []*index.Tree{&d.tree}, everything, index.Limits{}, false)
	return rec
}

func (d *dataTest) occurrences(t *testing.T, args string) (n int) {
	for _, r := range d.grow(t, args).rows {
		n += r.Occ[0]
	}
	return n
}
