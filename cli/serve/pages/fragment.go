package pages

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"fstore/cli/serve/ask"
	"fstore/index"
	"fstore/index/pattern"
)

// fragmentData is the data of a fragment's page: how it looks, where it occurs, and related fragments.
type fragmentData struct {
	Text    string
	Arcs    bool   // the fragment is of dependency trees
	Tags    bool   // the space is dep: Text is also a pattern with the same meaning
	Entry   *entry // nil if the fragment cannot be shown
	State   *Table // notes and problems of Entry
	Labels  []string
	Nodes   []nodeWords
	Rows    []int // indexes of the lines of the table of words
	By      string
	Counts  *Table
	All     Row     // the row of Counts for all samples
	Most    float64 // largest upper bound among the intervals of the labels' shares
	Spread  map[string]template.HTML
	Info    Row
	Hits    *Table
	Drawing string
	Within  []membership
}

// entry is the JSON that the command `query` prints for a fragment.
type entry struct {
	Fragment      string       `json:"fragment"`
	Relation      string       `json:"relation"`
	Order         int          `json:"order"`
	Support       float64      `json:"support"`
	Occurrences   float64      `json:"occurrences"`
	ID            float64      `json:"id"`
	Labels        []entryLabel `json:"labels"`
	Parts         []entry      `json:"parts"`
	Expansions    []entry      `json:"expansions"`
	AllExpansions int          `json:"expansions_in_all"`
}

type entryLabel struct {
	Label   string  `json:"label"`
	Support float64 `json:"support"`
	Samples float64 `json:"samples"`
}

// nodeWords holds the words at one node of the fragment.
type nodeWords struct {
	Node   int
	Values []Row // the most frequent words
	All    int   // number of different words
	// Phrases is true if some values have several words.
	Phrases bool
}

// membership is a selection that contains the fragment, with the fragment's row.
type membership struct {
	Name    string
	Table   *Table
	Columns []string
}

const (
	mostWords      = 12 // shown words of a node
	mostSelections = 10
)

func fragmentLines(v *View) {
	f := v.Get("f")
	v.add("entry", ask.NewLine("query", v.Shelf).Arg(f).Flag("space", v.space()).Flag("limit", v.limit(30)), tableFormats...)
	v.add("counts", ask.NewLine("count", v.Shelf).Arg(f).Flag("space", v.space()), tableFormats...)
	v.add("words", ask.NewLine("count", v.Shelf).Arg(f).Flag("space", v.space()).Flag("by", v.wordsBy()), tableFormats...)
	v.add("hits", ask.NewLine("examples", v.Shelf).Arg(f).Flag("space", v.space()).Int("sample", 6).Flag("seed", v.Or("seed", "1")).Flag("columns", "number"), hitFormats...)
	v.add("drawing", ask.NewLine("draw", v.Shelf).Flag("fragment", f).Flag("space", v.space()).Flag("format", "svg"), "svg", "text")
	v.add("info", ask.NewLine("info", v.Shelf))
	m := v.Meta()
	for i := range min(len(m.Selections), mostSelections) {
		name := m.Selections[i].Name
		v.add("selection "+name, ask.NewLine("query", v.Shelf).Flag("selection", name).Flag("where", fragmentIs(f)))
	}
}

// wordsBy returns the field by which words are counted: form or lemma.
func (v *View) wordsBy() string {
	if !v.Dependencies() || v.Get("by") == "form" || !v.hasLemmas() {
		return "form"
	}
	return "lemma"
}

// hasLemmas reports whether the words have lemmas. It looks at the first sample only.
func (v *View) hasLemmas() bool {
	t, syms, err := v.tree(0)
	return err == nil && slices.ContainsFunc(t.Tokens, func(k index.Token) bool { return string(syms.Bytes(index.Words, k.Lemma)) != "_" })
}

func fragmentPage(v *View) error {
	d := &fragmentData{Text: v.Get("f"), By: v.wordsBy(), Arcs: v.Dependencies(), Tags: v.Space().ID == "dep"}
	v.Title = d.Text
	if d.Text == "" {
		v.moved = v.To("fragments")
		return nil
	}
	v.Data = d
	d.State = &Table{}
	if answer := v.ask(d.State, v.lineOf("entry").line.With("format", "jsonl").Question()); answer != nil {
		d.Entry = &entry{}
		if err := json.Unmarshal(answer.Text, d.Entry); err != nil || d.Entry.Relation == "" {
			v.moved = v.To("fragments", "p", d.Text) // the text is a pattern: list the fragments that match it
			return nil
		}
	}
	v.Problem = d.State.Problem
	if d.Entry == nil { // a problem, or no answer yet
		return nil
	}
	_, d.Drawing = v.text("drawing")
	d.Info = v.Table("info").first()
	d.Counts = v.Table("counts")
	if len(d.Counts.Rows) > 0 {
		d.All = d.Counts.Rows[0]
		d.Counts.Rows = append(d.Counts.Rows[1:], d.All) // the row of all samples comes last
		for _, r := range d.Counts.Rows {
			if label := r.Text("label"); label != "" {
				d.Labels = append(d.Labels, label)
			}
			d.Most = max(d.Most, d.Share(r).High)
		}
	}
	d.words(v.Table("words"))
	d.Spread = v.spread(d.Entry.Fragment, d.Labels)
	d.Hits = v.Table("hits")
	for _, l := range v.lines {
		if name, ok := strings.CutPrefix(l.name, "selection "); ok {
			if t := v.Table(l.name); len(t.Rows) > 0 {
				d.Within = append(d.Within, membership{name, t, slices.DeleteFunc(slices.Clone(t.Columns), func(c string) bool { return c == "fragment" || c == "order" })})
			}
		}
	}
	return nil
}

// Share returns the share of a label's samples that have the fragment. The row without a label is for all
// samples.
func (d *fragmentData) Share(row Row) share {
	label := row.Text("label")
	if label == "" {
		return shareOf(row.Number("samples"), d.Info.Number("samples"))
	}
	for _, l := range d.Entry.Labels {
		if l.Label == label {
			return shareOf(row.Number("samples"), l.Samples)
		}
	}
	return share{}
}

// Interval draws a share with its confidence interval, on a scale from 0 to d.Most.
func (d *fragmentData) Interval(s share) template.HTML {
	return span("", s.Low/d.Most, s.Of/d.Most, s.High/d.Most)
}

// Documents returns the number of documents of a row's label, or of all documents if the row has no label.
func (d *fragmentData) Documents(row Row) any {
	if label := row.Text("label"); label != "" {
		return d.Info.Num("documents:" + label)
	}
	return d.Info.Num("documents")
}

// words fills d.Nodes and d.Rows with the most frequent words of each node, over all samples.
func (d *fragmentData) words(t *Table) {
	for _, row := range t.Rows {
		if row.Text("label") != "" {
			continue
		}
		n := int(row.Number("node"))
		for len(d.Nodes) < n {
			d.Nodes = append(d.Nodes, nodeWords{Node: len(d.Nodes) + 1})
		}
		k := &d.Nodes[n-1]
		k.Phrases = k.Phrases || strings.Contains(row.Text("value"), " ")
		if k.All++; len(k.Values) < mostWords {
			k.Values = append(k.Values, row)
			for len(d.Rows) < len(k.Values) {
				d.Rows = append(d.Rows, len(d.Rows))
			}
		}
	}
}

// Word returns the word of a node in one row of the table of words, or nil if the node has fewer words.
func (d *fragmentData) Word(node nodeWords, row int) Row {
	if row < len(node.Values) {
		return node.Values[row]
	}
	return nil
}

// labels returns the names of the nodes in the fragment's text, or nil if the text does not name all nodes.
func (d *fragmentData) labels() (all []string) {
	for token := range strings.SplitSeq(d.Text, " ") {
		if !d.Arcs || !isArc(token) {
			all = append(all, strings.Trim(token, "()"))
		}
	}
	if len(all) < len(d.Nodes) {
		return nil
	}
	return all
}

// Label returns the name of a node. Nodes are numbered from 1.
func (d *fragmentData) Label(node int) string {
	if all := d.labels(); node <= len(all) {
		return all[node-1]
	}
	return fmt.Sprintf("node %d", node)
}

// WordPattern returns the fragment as a pattern with this word at one node, or "" if there is no such
// pattern.
func (d *fragmentData) WordPattern(k nodeWords, word string) string {
	switch {
	case d.labels() == nil:
		return ""
	case d.Tags:
		return withValue(d.Text, k.Node, d.By, word)
	case d.Arcs || k.Phrases:
		return ""
	}
	// The word can only be added to a node in brackets without children, such as (NN).
	tokens := strings.Split(d.Text, " ")
	tag := strings.TrimLeft(tokens[k.Node-1], "(")
	name := strings.TrimRight(tag, ")")
	if tokens[k.Node-1][0] != '(' || name == tag {
		return ""
	}
	tokens[k.Node-1] = strings.TrimSuffix(tokens[k.Node-1], tag) + name + " " + string(pattern.AppendName(nil, []byte(word))) + tag[len(name):]
	return strings.Join(tokens, " ")
}

// withValue adds the condition field=value to a node of a dependency pattern. Nodes are numbered from 1.
func withValue(text string, node int, field, value string) string {
	tokens := strings.Split(text, " ")
	for i, token := range tokens {
		if isArc(token) {
			continue
		}
		if node--; node == 0 {
			name := strings.TrimRight(token, ")")
			condition := field + "=" + string(pattern.AppendName(nil, []byte(value)))
			tokens[i] = name + "[" + condition + "]" + token[len(name):]
			if before, ok := strings.CutSuffix(name, "]"); ok {
				tokens[i] = before + "," + condition + "]" + token[len(name):]
			}
			return strings.Join(tokens, " ")
		}
	}
	return ""
}
