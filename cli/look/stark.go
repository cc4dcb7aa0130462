package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/query"
)

// StarkFormat prints a list of dependency trees as STARK does, so that scripts for STARK work. The columns
// are those of STARK with node_info, node_order and association_measures.
var StarkFormat = output.Format{Name: "stark"}

// starkMaxNodes is the largest number of nodes of a tree that gets measures of association.
const starkMaxNodes = 10

// starkMeasures are STARK's measures of association, in the order of its columns.
var starkMeasures = []measure[association.Nodes]{
	{"MI", association.Nodes.MI},
	{"MI3", association.Nodes.MI3},
	{"Dice", association.Nodes.Dice},
	{"logDice", association.Nodes.LogDice},
	{"t-score", association.Nodes.TScore},
	{"simple-LL", association.Nodes.SimpleLL},
}

// stark writes the rows of a list as STARK does.
type stark struct {
	t      *query.Table
	counts *query.Nodes
	nodes  int     // number of nodes that have columns
	words  float64 // number of words in the corpus
	out    table.Writer
	row    *table.Row
	cell   int
}

// starkNames has STARK's names for fields that have other names in fstore.
var starkNames = map[string]string{"rel": "deprel"}

// newStark starts the table. It also counts the nodes of the trees, which the measures need.
func newStark(ctx context.Context, t *query.Table, orders orderRange, w output.Sink) (*stark, error) {
	counts, err := nodesFor(ctx, t, "--format stark")
	if err != nil {
		return nil, err
	}
	names := counts.Space.LabelFields()
	s := &stark{t: t, counts: counts, words: float64(t.Store().Meta().Words)}
	for order := range t.Info.Fragments {
		if order > 0 && orders.has(order) {
			s.nodes = order + 1
		}
	}
	header := []string{"Tree"}
	for i := range s.nodes {
		letter := string(rune('A' + i%26))
		if i >= 26 {
			letter += strconv.Itoa(i / 26)
		}
		for _, name := range names {
			header = append(header, "Node "+letter+"-"+cmp.Or(starkNames[name], name))
		}
	}
	header = append(header, "Absolute frequency", "Relative frequency")
	if counts.Space.Surface() {
		header = append(header, "Order")
	}
	header = append(header, "Number of nodes", "Head node")
	for _, m := range starkMeasures {
		header = append(header, m.name)
	}
	columns := make([]table.Column, len(header))
	for i, name := range header {
		columns[i].Name = name
	}
	s.row = table.NewRow(len(columns))
	s.out = table.New("tsv", w, columns, table.Options{})
	return s, nil
}

// next sets the next cell of the row.
func (s *stark) next(text string) {
	s.row.SetString(s.cell, text)
	s.cell++
}

func (s *stark) write(text string, occurrences uint64) error {
	c, err := s.t.Parse(text)
	if err != nil {
		return err
	}
	syms := s.t.Symbols()
	all, head := s.counts.Labels(c)
	labels := slices.Collect(slices.Chunk(all, s.counts.Fields))
	name := func(id uint32) string { return string(syms.Bytes(index.Words, id)) }

	s.row.Clear()
	s.cell = 0
	s.next(text)
	for i := range s.nodes {
		for k := range s.counts.Fields {
			text := ""
			if i < len(labels) {
				text = name(labels[i][k])
			}
			s.next(text)
		}
	}
	s.next(strconv.FormatUint(occurrences, 10))
	s.next(strconv.FormatFloat(float64(occurrences)*1e6/s.words, 'f', 1, 64))
	if s.counts.Space.Surface() {
		s.next(letters(len(labels)))
	}
	s.next(strconv.Itoa(len(labels)))
	var root []string
	for _, id := range labels[head] {
		root = append(root, name(id))
	}
	s.next(strings.Join(root, "&"))
	x := s.counts.Association(c, occurrences)
	for _, m := range starkMeasures {
		value := "NaN"
		if len(x.Each) <= starkMaxNodes {
			value = fmt.Sprintf("%.2f", m.of(x))
		}
		s.next(value)
	}
	return s.out.Write(s.row)
}

// letters returns the names of n nodes, for example ABC for three.
func letters(n int) string {
	all := make([]byte, n)
	for i := range all {
		all[i] = 'A' + byte(i%26)
	}
	return string(all)
}

// stark prints a list in STARK's format. Without --sort, it is sorted by occurrences.
func (c *QueryCommand) stark(ctx context.Context, env *command.Env, t *query.Table, of query.Filter) error {
	if len(c.Columns) > 0 {
		return index.Usagef("--format stark has its own columns: leave --columns out")
	}
	c.Sort = cmp.Or(c.Sort, "occurrences")
	l, err := c.openList(ctx, env, t, of)
	if err != nil {
		return err
	}
	_, sink, err := env.Open(c.OutputFlags, []output.Format{StarkFormat}, "")
	if err != nil {
		return err
	}
	defer sink.Abort()
	s, err := newStark(ctx, t, c.Order, sink)
	if err != nil {
		return err
	}
	sorter := l.listing.sorter(env, c.Limit)
	err = l.collect(ctx, env, sorter)
	env.Progress.Close()
	if err != nil {
		return errors.Join(err, sorter.Close())
	}
	n, err := eachSorted(ctx, sorter, func(r *table.Row) error {
		return s.write(string(r.Text(fragmentColumn)), r.Uint(occurrencesColumn))
	})
	if err == nil {
		err = s.out.Close()
	}
	if err == nil {
		err = sink.Commit()
	}
	if err != nil {
		return err
	}
	c.closing(env, l, n)
	return nil
}
