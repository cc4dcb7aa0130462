package look

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/index/pattern"
	"fstore/mine/count"
	"fstore/store"
)

// CollocatesCommand is the command `collocates`. It shows which words fill the slots of a construction.
type CollocatesCommand struct {
	Store   string `arg:"" predictor:"store" help:"The store."`
	Pattern string `arg:"" help:"A pattern, as count takes it."`
	Other   string `arg:"" optional:"" name:"pattern2" help:"Compare with this pattern, _ by _, instead of the same node elsewhere."`

	By                  string   `placeholder:"FIELD" help:"What fills a node: lemma, form, upos, xpos or relation; of brackets label (the label, or the word itself) or form, all words below (default: lemma, or form where the trees have no lemmas; label)."`
	Node                []int    `placeholder:"N" help:"Look at the N-th node of the pattern, from 1 in the order of the text, instead of each _. Repeatable."`
	Where               string   `placeholder:"EXPR" help:"Only rows for which EXPR holds: an expression over the columns."`
	Sort                string   `placeholder:"COLUMN" help:"Sort by COLUMN: numbers descending, text ascending, or as COLUMN:asc or COLUMN:desc says (default: g2, then the value's bytes)."`
	Limit               int      `default:"20" help:"Rows to print; 0 is all."`
	Columns             []string `placeholder:"NAME" help:"More columns: elsewhere (nodes that have the value elsewhere, or in PATTERN2), pvalue (Fisher's exact test), pmi, logdice."`
	Workers             int      `placeholder:"N" help:"Goroutines (default: one a core)."`
	command.TextFlags   `embed:""`
	command.OutputFlags `embed:"" group:"Output:"`
}

func (*CollocatesCommand) Help() string {
	return `Says what fills each _ of a pattern, and whether it does so more often than chance would have it (collostructional analysis: Stefanowitsch & Gries 2003). The trees are read, whatever fragments the store has.

A row is a node of the pattern, by its number in the text, and a value that fills it. It is of a 2×2 table of nodes of trees: with and without the value; in the construction, and elsewhere. Elsewhere are all other nodes that meet the node's own conditions, whatever hangs on them: of _ any word, of VERB (--node 1) any verb, of _[feats~Number=Plur] any plural, of the word in (VBD _) any word below a VBD. A node that several hits have is one.

observed are the nodes in the construction with the value; expected those that it would have were it as frequent there as elsewhere; deltap_cue how much more probable the construction is with the value than without; deltap_node how much more probable the value is in the construction than elsewhere (Ellis 2006; Gries 2013); g2 log-likelihood, negative where less is observed than expected; logodds the natural logarithm of the odds ratio, a cell of 0 being 0.5.

With PATTERN2 the first _ of the one is compared with the first _ of the other, and so on: what is distinctive of PATTERN is at the top, and what is of PATTERN2 last, with a negative g2 (distinctive collexemes: Gries & Stefanowitsch 2004).

Example:

    fstore collocates ud.store 'VERB >iobj _ >obj _'
    fstore collocates ud.store 'VERB >iobj _ >obj _' --node 1
    fstore collocates demo.store '(VP (VB* _) (NP ...) (PP (IN _) ...))' --where 'observed >= 3' --limit 0 -o words.xlsx
    fstore collocates ud.store '_ <amod NOUN' 'NOUN >acl:relcl _' --columns elsewhere,pvalue
`
}

func (c *CollocatesCommand) Validate() error {
	return errors.Join(command.NotNegative("limit", c.Limit), command.NotNegative("workers", c.Workers))
}

// collocateBy has the values of --by, for each kind of tree. The first one is the default.
var collocateBy = map[index.Kind][]pattern.Field{
	index.Dependency:   {pattern.Lemma, pattern.Form, pattern.UPOS, pattern.XPOS, pattern.Relation},
	index.Constituency: {pattern.Label, pattern.Form},
}

func (c *CollocatesCommand) by(kind index.Kind) (pattern.Field, error) {
	all := collocateBy[kind]
	if c.By == "" {
		return all[0], nil
	}
	var names []string
	for _, f := range all {
		if names = append(names, f.String()); f.String() == c.By {
			return f, nil
		}
	}
	return 0, index.Usagef("--by %s: expected one of %s", c.By, strings.Join(names, ", "))
}

func (c *CollocatesCommand) Run(ctx context.Context, env *command.Env) error {
	c.Normalize(&c.Pattern, &c.Other, &c.Where)
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		by, err := c.by(s.Meta().Kind)
		if err != nil {
			return err
		}
		x, err := count.Open(s, "")
		if err != nil {
			return err
		}
		x.NoFragments = true
		texts := []string{c.Pattern}
		if c.Other != "" {
			texts = append(texts, c.Other)
		}
		all, _, err := constructions(ctx, env, x, texts, "", &c.TextFlags)
		if err != nil {
			return err
		}
		rs, err := newListing(collocateColumns[:collocateShown], collocateColumns[collocateShown:], c.Columns, c.Where, c.Sort, table.Order{Column: collocateG2, Descending: true})
		if err != nil {
			return err
		}
		rs.show(collocateNode, true)
		o := count.FillerOptions{Options: count.Options{Workers: c.Workers, Progress: env.Progress}, Nodes: c.Node, By: by}
		fillers, err := x.Fillers(ctx, all, o)
		none := len(fillers) > 0 && !slices.ContainsFunc(fillers, func(f count.Filler) bool { return f.Value != noLemma })
		if none && c.By == "" && by == pattern.Lemma {
			none, o.By = false, pattern.Form
			fillers, err = x.Fillers(ctx, all, o)
		}
		env.Progress.Close()
		if err != nil {
			return err
		}
		if err := c.print(ctx, env, rs, fillers); err != nil {
			return err
		}
		if err := noteNames(ctx, env, x, texts, all, filled(fillers)); err != nil {
			return err
		}
		if none && s.Meta().Kind == index.Dependency {
			env.Warn("--by %s: %s", o.By, noValues)
		}
		env.Note("%s", c.caption(fillers, o.By))
		return nil
	})
}

// collocateColumns are all columns. Without --columns, a table shows the first collocateShown columns and the
// column "node".
var collocateColumns = []table.Column{
	{Name: "value"},
	{Name: "observed", Kind: table.Uint},
	{Name: "expected", Kind: table.Float},
	{Name: "deltap_cue", Kind: table.Float},
	{Name: "deltap_node", Kind: table.Float},
	{Name: "g2", Kind: table.Float},
	{Name: "logodds", Kind: table.Float},
	{Name: "elsewhere", Kind: table.Uint},
	{Name: "pvalue", Kind: table.Float},
	{Name: "pmi", Kind: table.Float},
	{Name: "logdice", Kind: table.Float},
	{Name: "node", Kind: table.Uint},
}

// Indexes of collocateColumns.
const (
	collocateG2    = 5
	collocateShown = 7
	collocatePs    = 8
	collocateNode  = 11
)

func (c *CollocatesCommand) print(ctx context.Context, env *command.Env, rs *listing, fillers []count.Filler) error {
	printed, wanted, err := rs.printSorted(ctx, env, c.OutputFlags, c.Limit, "collocates", exampleSetter{}, func(sorter *table.Sorter) (wanted uint64, err error) {
		row := table.NewRow(rs.width())
		for i := range fillers {
			fillCollocate(row, &fillers[i], rs.needs(collocatePs, collocatePs+1))
			ok, err := rs.wants(ctx, row)
			if ok {
				wanted++
				err = sorter.Add(row)
			}
			if err != nil {
				return wanted, err
			}
		}
		return wanted, nil
	})
	if err != nil {
		return err
	}
	if wanted == 0 && c.Where != "" && len(fillers) > 0 {
		env.Note("no row fits %s%s", c.Where, index.MayBeOther(c.Where))
	}
	noteLimit(env, printed, wanted, "rows")
	return nil
}

// fillCollocate sets the cells of a row. If pvalue is false, it leaves out the p-value, which takes longest.
func fillCollocate(row *table.Row, f *count.Filler, pvalue bool) {
	row.Clear()
	g2 := f.G2()
	if f.O11 < f.Expected() {
		g2 = -g2
	}
	cue, node := f.DeltaP()
	row.SetString(0, f.Value)
	row.SetUint(1, uint64(f.O11))
	for i, x := range [...]float64{f.Expected(), cue, node, g2, f.LogOdds()} {
		row.SetFloat(2+i, x)
	}
	row.SetUint(collocateShown, uint64(f.O12))
	if pvalue {
		row.SetFloat(collocatePs, f.Exact())
	}
	row.SetFloat(collocatePs+1, f.PMI())
	row.SetFloat(collocatePs+2, f.LogDice())
	row.SetUint(collocateNode, uint64(f.Node))
}

// filled reports for each of the two constructions whether it has fillers. Without fillers it has no hits.
func filled(fillers []count.Filler) []bool {
	return []bool{
		slices.ContainsFunc(fillers, func(f count.Filler) bool { return f.O11+f.O21 > 0 }),
		slices.ContainsFunc(fillers, func(f count.Filler) bool { return f.O12+f.O22 > 0 }),
	}
}

// caption returns a line that says what was compared.
func (c *CollocatesCommand) caption(fillers []count.Filler, by pattern.Field) string {
	other := "elsewhere"
	if c.Other != "" {
		other = "in " + c.Other
	}
	var nodes []string
	last := 0
	for i := range fillers {
		f := &fillers[i]
		if f.Node == last {
			continue
		}
		last = f.Node
		in, out := uint64(math.Round(f.O11+f.O21)), uint64(math.Round(f.O12+f.O22))
		nodes = append(nodes, fmt.Sprintf("node %d: %s, %s %s", f.Node, index.Thousands(in), index.Thousands(out), other))
	}
	if nodes == nil {
		nodes = []string{"no hits"}
	}
	return fmt.Sprintf("%s by %s; %s", c.Pattern, by, strings.Join(nodes, "; "))
}
