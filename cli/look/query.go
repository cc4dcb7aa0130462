// Package look has the commands that show what a store contains: query, count, collocates, examples, contrast
// and pattern, each in the file of its name.
package look

import (
	"context"

	"fstore/cli/command"
	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

func (*QueryCommand) Help() string {
	return `Columns: fragment, order, support (samples), occurrences (freq is the same), and support:LABEL for each label; with --columns id, and the association of samples with the fragment and samples with the label --positive: chi2 (X²), its exact pvalue (of this one test: not adjusted, and of samples taken as independent), g2 (log-likelihood, natural logarithms), pmi (log2), logdice, logodds (natural; where a count of 0 would make a logarithm infinite, it is 0.5). Of a dep space with one template also the association inside the fragment, whatever the labels: inside_pmi, inside_logdice and inside_g2 compare how often it occurs with what its n nodes, counted by themselves, would make of it were they thrown together: log2(O/E), 14 + log2 of n·O by the sum of the nodes, and the simple log-likelihood 2(O·ln(O/E) - (O - E)). places counts the nodes at which occurrences begin, each once, and places:LABEL those of a label; dp is the deviation of proportions of the documents, weighted by their words (0 even, 1 in few; Gries 2008), dpnorm that divided by 1 less the smallest document's share. In --where the labels' are by["LABEL"]; text has contains, startsWith and matches (a regular expression).

With --model, relevance is the weight of a fragment in the gradient of a kernel machine, as mine --by relevance has it, and weight is that in a linear model, or in a reranker, over the fragments that are listed. Of several machines --positive names one.

With FRAGMENT: a row of these columns for the fragment itself, its parts one order down and its expansions one order up, which the first column, relation, tells apart, and share:LABEL, the share of the label's samples that have it; in jsonl one object; in table a page. A store of closed fragments shows the closure of a fragment that it has not.

With a pattern, the list of the stored fragments that fit it. A pattern is the text of a fragment in which _ is any label, word or value, and ... any further children (dependents), where it stands: (NP (DT _) ...), _ >obj (... NOUN ...); NP|WHNP is either, NP* what begins so. What is spelt so itself is written \x5F and \x2E.. in a pattern. The closing line says what count finds in the trees beyond these; conditions on nodes, as in VERB[lemma=give], are of count.

A fragment that is not stored is counted in the trees.

With --selection the list is of a selection that mine, select or import has made, by score: fragment, order, score, weight (in a model; else 0), and the statistics that it was chosen by, which begin with support and occurrences, of the samples that there were then (but for mine --keep features, which does not count them).

With --format stark a list of a dep space is the table that STARK prints with association_measures: by frequency, frequencies per million words, and MI to simple-LL from how often the labels of the nodes occur. With dep:max-span=0,ordered=false,template=rel+h.upos+m.upos the trees and their numbers are those of STARK's fixed=no, with dep:max-span=0 those of fixed=yes, but for trees in which a word stands beyond its head's head. Single nodes are no fragments, label fields are joined by /, and lines end in LF.

A fragment that begins with - is written as it is where it cannot be a flag, as '- >punct a'; any other stands after --, as in: fstore query demo.store -- -LRB-

Example:

    fstore query demo.store --where 'support >= 10 && by["news"] > 3 && fragment contains "(DT the)"'
    fstore query demo.store --positive news --columns chi2,pvalue --sort chi2
    fstore query demo.store --model m --positive news --columns relevance --sort relevance
    fstore query demo.store --sort order:asc --limit 0 -o all.csv
    fstore query demo.store '(NP (DT the) (NN))'
    fstore query demo.store '(NP (DT _) (NN) ...)' --sort occurrences
    fstore query demo.store --contains '(VBD was)' --order 3
    fstore query demo.store --selection strong --where 'label == "news" && observed > expected'
`
}

func (c *QueryCommand) Run(ctx context.Context, env *command.Env) error {
	c.Normalize(c.Fragment, c.Contains, c.Within, &c.Where)
	return env.WithStore(c.Store, c.Cache, func(s *store.Store) error {
		if c.Selection != "" {
			if c.Fragment != nil || c.Contains != nil || c.Within != nil || c.Positive != "" && c.Model == "" {
				return index.Usagef("--selection lists a selection: FRAGMENT, --contains, --within and --positive are for what is stored")
			}
			return c.selection(ctx, env, s)
		}
		t, err := query.Open(s, c.Space)
		if err != nil {
			return err
		}
		w, err := c.filter(t)
		switch {
		case err != nil:
			return err
		case (c.Fragment == nil || w.Pattern != nil) && c.Wants(StarkFormat):
			c.Format = StarkFormat.Name
			return c.stark(ctx, env, t, w)
		case c.Fragment == nil || w.Pattern != nil:
			return c.list(ctx, env, t, w)
		case c.forList():
			return index.Usagef("--where, --sort, --order, --columns, --positive, --model, --contains and --within are for the list: leave FRAGMENT out")
		}
		return c.page(ctx, env, t)
	})
}

// filter returns the filter for the list. FRAGMENT can be a pattern.
func (c *QueryCommand) filter(t *query.Table) (w query.Filter, err error) {
	if c.Fragment != nil {
		if w.Pattern, err = t.Pattern(*c.Fragment); err != nil || w.Pattern == nil && !isFragment(t, *c.Fragment) {
			if all, conditions := t.Alternatives(*c.Fragment); len(all) > 0 {
				w.Pattern, w.Or, err = all[0], all[1:], nil
				c.conditions = conditions
			}
		}
		if err != nil {
			return w, err
		}
	}
	if w.Contains, err = fragmentOption(t, "contains", c.Contains); err != nil {
		return w, err
	}
	w.Within, err = fragmentOption(t, "within", c.Within)
	return w, err
}

// isFragment reports whether a text is a fragment of the space, stored or not.
func isFragment(t *query.Table, text string) bool {
	_, err := t.Parse(text)
	return err == nil
}

// fragmentOption reads the value of an option that takes a fragment but no pattern.
func fragmentOption(t *query.Table, option string, text *string) (index.Code, error) {
	if text == nil {
		return nil, nil
	}
	p, err := t.Pattern(*text)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return t.Parse(*text)
	}
	// If a list prints exactly this text for a stored fragment, the user means that fragment.
	if c, err := t.Parse(*text); err == nil {
		if _, err = t.Get(c); err == nil {
			return c, nil
		}
	}
	return nil, index.Usagef("--%s %s: a pattern where a fragment is expected", option, *text)
}

func (c *QueryCommand) Validate() error { return command.NotNegative("limit", c.Limit) }

// forList reports whether an option is set that is only for lists.
func (c *QueryCommand) forList() bool {
	return c.Where != "" || c.Sort != "" || c.Order != orderRange{} || len(c.Columns) > 0 || c.Positive != "" || c.Model != "" ||
		c.Contains != nil || c.Within != nil
}
