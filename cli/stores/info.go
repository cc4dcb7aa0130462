package stores

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/decode/print"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/count"
	"fstore/mine/query"
	"fstore/store"
)

// InfoCommand is the command `info`. It describes a store.
type InfoCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`

	History             bool   `xor:"what" help:"List the runs that made the store, a row an input: command, version, seed, time, the input's size and hash."`
	Cite                bool   `xor:"what" help:"Print one paragraph to paste into a paper: the data, with the inputs and their hashes, what was counted, selected and trained, with which options and version."`
	Sample              string `xor:"what" placeholder:"N|NAME" help:"Print a sample: the N-th, from 1, or the one of this name. Brackets print as ptb, dependencies as conllu, lines of svmtk and klp as svmtk, or as klp where labels are no numbers."`
	command.OutputFlags `embed:"" group:"Output:"`
}

func (*InfoCommand) Help() string {
	return `Prints one record: samples, sentences, words, documents, labels with their samples (label:LABEL), words and documents, spaces with their limits, fragments and (of dep) templates per order, candidates and those below the support threshold, selections and models with the settings that made them, bytes on disk, and as bytes:waiting those of older states, which wait until their readers are done.

Example:

    fstore info demo.store
    fstore info demo.store --format jsonl
    fstore info demo.store --cite
    fstore info demo.store --sample news.mrg#7
`
}

func (c *InfoCommand) Run(ctx context.Context, env *command.Env) error {
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		switch {
		case c.Sample != "" && c.Format != "":
			return index.Usagef("--sample is printed as treebanks are: it has no --format")
		case c.Sample != "":
			return c.sample(ctx, env, s)
		case c.Cite:
			return c.cite(env, s)
		case c.History:
			return c.history(env, s)
		}
		r, err := describe(ctx, s)
		if err != nil {
			return err
		}
		return env.Record(c.OutputFlags, r.Columns, r.Row())
	})
}

func describe(ctx context.Context, s *store.Store) (*command.Record, error) {
	m := s.Meta()
	r := &command.Record{}
	r.Uint("samples", uint64(m.Samples))
	r.Uint("sentences", m.Sentences)
	r.Uint("words", m.Words)
	r.Uint("documents", uint64(m.Documents))
	recordLists(r, m.Lists)
	if err := recordLabels(ctx, r, s); err != nil {
		return nil, err
	}
	r.Text("trees", m.Kind.String())
	r.Text("format", read.StoredFormat(m.Kind, m.OneAlphabet).Name)
	r.Uint("spaces", uint64(len(m.Spaces)))
	for i := range m.Spaces {
		recordSpace(r, &m.Spaces[i])
	}
	r.Uint("selections", uint64(len(m.Selections)))
	for i := range m.Selections {
		recordSelection(r, &m.Selections[i], m.Spaces[m.Selections[i].Space].ID)
	}
	r.Uint("models", uint64(len(m.Models)))
	for i := range m.Models {
		recordModel(r, &m.Models[i])
	}
	r.Uint("runs", uint64(len(m.History)))
	return r, recordUsage(r, s)
}

// recordLists adds the counts of K-best lists, if the store has any.
func recordLists(c *command.Record, l store.Lists) {
	if l == (store.Lists{}) {
		return
	}
	c.Uint("candidates", l.Candidates)
	c.Uint("gold-found", l.GoldFound)
	c.Uint("gold-added", l.GoldAdded)
}

// recordLabels adds the labels to the record, with the samples, words and documents of each label.
func recordLabels(ctx context.Context, c *command.Record, s *store.Store) error {
	labels, err := s.Labels()
	if err != nil {
		return err
	}
	c.Uint("labels", uint64(len(labels)))
	for _, label := range labels {
		bm, err := s.LabelBitmap(label)
		if err != nil {
			return err
		}
		c.Uint("label:"+label, bm.GetCardinality())
	}
	if len(labels) == 0 {
		return nil
	}
	sizes, err := count.LabelSizes(ctx, s, labels)
	if err != nil {
		return err
	}
	for i, label := range labels {
		c.Uint("words:"+label, sizes[i].Words)
	}
	for i, label := range labels {
		if s.Meta().Documents > 0 {
			c.Uint("documents:"+label, sizes[i].Documents)
		}
	}
	return nil
}

// recordSpace adds the limits and the counts of a space.
func recordSpace(c *command.Record, info *store.SpaceInfo) {
	p := info.ID + ":"
	c.Uint(p+"min-support", uint64(info.MinSupport))
	c.Uint(p+"max-order", uint64(info.MaxOrder))
	c.Text(p+"closed", strconv.FormatBool(info.Closed))
	c.Uint(p+"fragments", uint64(info.Features))
	recordOrders(c, p+"fragments", info.Fragments)
	recordOrders(c, p+"templates", info.Templates)
	c.Uint(p+"candidates", sum(info.Candidates))
	c.Uint(p+"below-support", sum(info.Below))
	if full := spaces.RecordID(info.ID); full != info.ID {
		c.Text(p+"options", strings.TrimPrefix(full, spaces.NameOf(full)+":"))
	}
	if info.WideHeads > 0 {
		c.Uint(p+"wide-heads", info.WideHeads)
	}
	c.Text(p+"vocabulary", fmt.Sprintf("%016x", info.VocabularyHash))
}

// recordOrders adds a count for each order.
func recordOrders(c *command.Record, name string, counts []uint64) {
	for order, n := range counts {
		if order > 0 {
			c.Uint(fmt.Sprintf("%s:%d", name, order), n)
		}
	}
}

// recordSelection adds what the store says of a selection, with its settings.
func recordSelection(c *command.Record, info *store.SelectionInfo, space string) {
	p := "selection:" + info.Name + ":"
	c.Text(p+"by", info.By)
	c.Text(p+"space", space)
	c.Uint(p+"fragments", uint64(info.Features))
	settings := query.SettingsOf(info)
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		c.Text(p+name, settings[name])
	}
	c.Text(p+"vocabulary", fmt.Sprintf("%016x", info.VocabularyHash))
}

// recordModel adds what the store says of a model, with its settings.
func recordModel(c *command.Record, info *store.ModelInfo) {
	p := "model:" + info.Name + ":"
	c.Text(p+"learner", info.Learner)
	if info.Kernel != "" {
		c.Text(p+"kernel", info.Kernel)
	}
	if info.Selection != "" {
		c.Text(p+"selection", info.Selection)
	}
	for _, name := range slices.Sorted(maps.Keys(info.Settings)) {
		c.Text(p+name, info.Settings[name])
	}
	if info.VocabularyHash != 0 {
		c.Text(p+"vocabulary", fmt.Sprintf("%016x", info.VocabularyHash))
	}
}

// recordUsage adds the bytes on disk for each kind of data.
func recordUsage(c *command.Record, s *store.Store) error {
	all, err := s.Usage()
	if err != nil {
		return err
	}
	var n uint64
	for _, u := range all {
		n += uint64(u.Bytes)
	}
	c.Uint("bytes", n)
	for _, u := range all {
		c.Uint("bytes:"+u.Kind, uint64(u.Bytes))
	}
	if files, waiting := s.Waiting(); files > 0 {
		c.Uint("bytes:waiting", uint64(waiting))
	}
	return nil
}

var historyColumns = []table.Column{
	{Name: "run", Kind: table.Uint},
	{Name: "time"},
	{Name: "version"},
	{Name: "seed", Kind: table.Int},
	{Name: "command"},
	{Name: "input"},
	{Name: "bytes", Kind: table.Uint},
	{Name: "hash"},
	{Name: "decided"},
}

// history prints a row for each input of each run in the store's history. A run without inputs has one row.
func (c *InfoCommand) history(env *command.Env, s *store.Store) error {
	return env.WriteTable(c.OutputFlags, historyColumns, nil, func(row *table.Row, write func() error) error {
		for i, e := range s.Meta().History {
			for n := range max(len(e.Inputs), 1) {
				row.SetUint(0, uint64(i+1))
				row.SetString(1, time.Unix(e.Time, 0).UTC().Format(time.RFC3339))
				row.SetString(2, e.Version)
				row.SetInt(3, e.Seed)
				row.SetString(4, e.Command)
				if n < len(e.Inputs) {
					in := &e.Inputs[n]
					row.SetString(5, in.Name)
					row.SetUint(6, uint64(in.Size))
					row.SetString(7, fmt.Sprintf("%016x", in.Hash))
				}
				row.SetString(8, strings.ReplaceAll(e.Decided, "\n", "; "))
				if err := write(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (c *InfoCommand) sample(ctx context.Context, env *command.Env, s *store.Store) error {
	id, err := c.find(ctx, env, s)
	if err != nil {
		return err
	}
	var t index.Tree
	if err := s.Sample(id, &t); err != nil {
		return err
	}
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	labels, err := s.Labels()
	if err != nil {
		return err
	}
	text, numbers, err := print.AppendStored(nil, &t, syms, labels)
	if err != nil {
		return err
	}
	env.Numbered(numbers)
	return env.WriteText(c.Out, "a tree, as treebanks have it", text)
}

// find returns the id of the sample of --sample. If more samples have this name, it prints how many more.
func (c *InfoCommand) find(ctx context.Context, env *command.Env, s *store.Store) (uint32, error) {
	id, others, err := command.SampleID(ctx, s, c.Sample)
	if errors.Is(err, store.ErrNotFound) {
		if !command.IsOrdinal(c.Sample) {
			return 0, index.Usagef("--sample %s: samples are counted from 1, and none has this name", c.Sample)
		}
		if missing, ok := errors.AsType[*query.SampleError](err); ok && missing.Form != "" {
			return 0, fmt.Errorf("--sample: %w", err)
		}
		return 0, fmt.Errorf("--sample %s: no sample has this name or number (%s in all)", c.Sample, index.Plural(s.Meta().Samples, "sample"))
	}
	if err == nil && others > 0 {
		env.Note("%s of this name", index.Plural(others, "more sample"))
	}
	return id, err
}

// cite prints the paragraph of --cite.
func (c *InfoCommand) cite(env *command.Env, s *store.Store) error {
	if c.Format != "" {
		return index.Usagef("--cite is a paragraph of text: it has no --format")
	}
	text, err := citation(s)
	if err != nil {
		return err
	}
	return env.WriteText(c.Out, "a paragraph of text", []byte(text+"\n"))
}
