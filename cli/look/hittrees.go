package look

import (
	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/usage"
	"fstore/decode/concordance"
	"fstore/decode/print"
	"fstore/index"
	"fstore/mine/query"
)

// treesFormat is the samples with the hits, as a treebank.
var treesFormat = output.Format{Name: "treebank", Extensions: []string{"conllu", "mrg", "ptb", "svmtk"}}

// wantsTrees says whether --format, or without it the extension of -o, is of a treebank.
func (c *ExamplesCommand) wantsTrees() bool {
	return c.Format == treesFormat.Name || c.Format == "" && output.Promises(c.Out, []output.Format{treesFormat})
}

// trees prints each sample with a wanted hit once, in the order of the store.
func (c *ExamplesCommand) trees(env *command.Env, t *query.Table, hits func(func(*concordance.Hit) error) (uint64, error)) error {
	if c.Sort != "" || len(c.Columns) > 0 {
		return usage.Errorf("--sort and --columns are of the table of hits: --format treebank prints samples, in the order of the store")
	}
	_, out, err := env.Open(c.OutputFlags, []output.Format{treesFormat}, treesFormat.Name)
	if err != nil {
		return err
	}
	defer out.Abort()
	labels, err := t.Store().Labels()
	if err != nil {
		return err
	}
	var tree index.Tree
	var text []byte
	samples, last := 0, uint32(0)
	total, err := hits(func(h *concordance.Hit) error {
		if samples > 0 && h.ID == last {
			return nil
		}
		samples, last = samples+1, h.ID
		if err := t.Store().Sample(h.ID, &tree); err != nil {
			return err
		}
		printed, numbers, err := print.AppendStored(text[:0], &tree, t.Symbols(), labels)
		if err != nil {
			return err
		}
		if samples == 1 {
			env.Numbered(numbers)
		}
		text = printed
		_, err = out.Write(text)
		return err
	})
	if err == nil && total == 0 {
		err = t.Absent(c.Fragment)
	}
	if err != nil {
		return err
	}
	env.Note("%s of %s", index.Plural(samples, "sample"), index.Plural(total, "hit"))
	return out.Commit()
}
