package trees

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/decode/draw"
	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/count"
	"fstore/mine/query"
	"fstore/store"
)

// DrawCommand is the command `draw`. It draws a tree or a fragment.
type DrawCommand struct {
	Input string `arg:"" optional:"" predictor:"file" help:"A treebank, a store, or - for standard input."`

	Sentence            string          `placeholder:"N|NAME" xor:"what" aliases:"sample" help:"Which tree of INPUT, or of a store: the N-th sample, from 1, or the first of this name (default: 1). --sample is the same."`
	Pattern             string          `placeholder:"P" help:"Of a store: mark the nodes of a hit of this pattern, or fragment, as count takes it."`
	Fragment            string          `placeholder:"TEXT" xor:"what" help:"Draw this fragment: (NP (DT the) (NN)), or VERB >obj (NOUN >det DET). INPUT is a store then, whose space tells in which order its nodes stand, or left out."`
	Space               string          `predictor:"space" placeholder:"NAME" help:"With --fragment and a store: the space of the fragment, where the store has several."`
	Hit                 command.Ordinal `placeholder:"N" help:"With --pattern: mark the N-th hit of the tree, from 1 (default: the first)."`
	Width               int             `placeholder:"N" help:"How wide the picture should be, in columns of text (default: the terminal's width, else 100; 160 for svg)."`
	command.InputFlags  `embed:"" group:"Reading input:"`
	command.OutputFlags `embed:"" group:"Output:" set:"formats=text, or svg."`

	untold string  // why the head's position is unknown from the text of Fragment, "" if it is known
	marked []int32 // nodes of the hit
}

func (*DrawCommand) Help() string {
	return `Draws one tree of INPUT, which may be a store, or a fragment. What is too wide to be a tree is an outline; a dependency tree is a line a word, its head to the left of it. In SVG a sentence that fits has arcs over its words. Where a fragment of dependencies does not tell on which side of its head a node stands, heads are drawn first, and it is said.

Example:

    fstore draw news.mrg --sentence 3
    fstore draw news.conllu --sentence news-0007 -o tree.svg
    fstore draw demo.store --sentence news.mrg#12
    fstore draw demo.store --sample news.mrg#12 --pattern '(NP ... (PP ...))'
    fstore draw --fragment '(NP (DT the) (NN))'
    fstore draw demo.store --fragment 'PRON <nsubj VERB'
`
}

func (c *DrawCommand) Validate() error {
	switch {
	case c.Input == "" && c.Fragment == "":
		return errors.New("expected INPUT or --fragment")
	case c.Space != "" && (c.Input == "" || c.Fragment == "" && c.Pattern == ""):
		return errors.New("--space is for --fragment or --pattern with a store")
	case c.Pattern != "" && c.Fragment != "":
		return errors.New("--pattern marks a hit in a tree of a store: leave --fragment out")
	case c.Pattern != "" && c.Input == "":
		return errors.New("--pattern: expected a store")
	case c.Hit > 0 && c.Pattern == "":
		return errors.New("--hit is for --pattern")
	case c.Fragment != "" && c.InputFlags != command.InputFlags{}:
		return errors.New("--fragment is read as fragments are: flags that say how trees are read are for INPUT")
	}
	return errors.Join(command.NotNegative("width", c.Width), c.InputFlags.Check())
}

func (c *DrawCommand) Run(ctx context.Context, env *command.Env) error {
	formats := []output.Format{{Name: "text", Extensions: []string{"txt"}}, {Name: "svg"}}
	_, terminal := command.TerminalOf(env.Stdout)
	format, err := output.Pick(formats, c.Format, c.Out, "text", terminal)
	if err != nil {
		return err
	}
	t, syms, err := c.tree(ctx, env)
	if err != nil {
		return err
	}
	o := draw.Options{Width: c.Width, Marked: c.marked}
	if c.Fragment != "" && c.untold != "" && draw.OrderUntold(t) {
		o.Caption = c.untold + ": heads are drawn first"
		env.Note("%s", o.Caption)
	}
	if width, ok := command.TerminalOf(env.Stdout); ok && c.Width == 0 && format == "text" && output.IsStdout(c.Out) {
		o.Width = width
	}
	picture := draw.Text
	if format == "svg" {
		picture = draw.SVG
	}
	out, err := output.Open(env.FS, c.Out, env.Stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write(picture(nil, t, syms, o)); err != nil {
		return err
	}
	return out.Commit()
}

func (c *DrawCommand) tree(ctx context.Context, env *command.Env) (*index.Tree, *index.Symbols, error) {
	syms := index.NewSymbols()
	if c.Fragment != "" {
		t, err := draw.Fragment(c.Fragment, syms)
		if err != nil {
			return nil, nil, index.Usagef("--fragment: %v", err)
		}
		c.untold = "the fragment does not tell where its head stands"
		return t, syms, c.askSpace(env)
	}
	if info, err := env.FS.Stat(c.Input); err == nil && info.IsDir() {
		t, syms, err := c.stored(env)
		if !errors.Is(err, store.ErrNotStore) {
			return t, syms, err
		}
	}
	if c.Pattern != "" {
		return nil, nil, index.Usagef("--pattern: %s is no store, and patterns are of the trees of one", c.Input)
	}
	syms.Freeze()
	o := env.InputOptions(ctx, &c.InputFlags, &command.LabelFlags{})
	o.Symbols = syms
	inputs := command.ExpandGlobs([]string{c.Input})
	in, err := read.Open(inputs, o)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	in.Need(index.Needs{NoHeads: true}) // sentences without heads can be drawn too
	t, err := find(in, c.Sentence)
	return t, syms, err
}

// askSpace sets c.untold, and returns an error if the text is not a fragment of the store's space. Without a
// store it does nothing.
func (c *DrawCommand) askSpace(env *command.Env) error {
	if c.Input == "" {
		return nil
	}
	return env.WithStore(c.Input, 0, func(s *store.Store) error {
		t, err := query.Open(s, c.Space)
		if err != nil {
			return err
		}
		if sided, ok := t.Space.(index.Sided); ok && sided.Sides() {
			c.untold = ""
		} else if ok && sided.SideFields() {
			c.untold = "dir=left and dir=right say where the head stands"
		}
		_, err = t.Parse(c.Fragment)
		if _, isText := errors.AsType[*query.TextError](err); isText {
			return err
		}
		return nil
	})
}

// stored returns a sample of the store, and marks the hit of --pattern in it.
func (c *DrawCommand) stored(env *command.Env) (t *index.Tree, syms *index.Symbols, err error) {
	err = env.WithStore(c.Input, 0, func(s *store.Store) error {
		if c.InputFlags != (command.InputFlags{}) {
			return index.Usagef("the trees of a store are as they are: flags for reading input are for a treebank")
		}
		if syms, err = s.Symbols(); err != nil {
			return err
		}
		if t, err = c.inStore(s); err == nil && c.Pattern != "" {
			err = c.mark(env, s, t, syms)
		}
		return err
	})
	return t, syms, err
}

// inStore returns the sample of --sentence. It reads one sample for a number, and searches for a name.
func (c *DrawCommand) inStore(s *store.Store) (*index.Tree, error) {
	if n, err := strconv.ParseUint(c.Sentence, 10, 32); err == nil && n >= 1 && n <= uint64(s.Meta().Samples) {
		t := new(index.Tree)
		return t, s.Sample(uint32(n-1), t)
	}
	return find(store.NewSource(s), c.Sentence)
}

// mark sets c.marked to the nodes of the hit that --hit chooses.
func (c *DrawCommand) mark(env *command.Env, s *store.Store, t *index.Tree, syms *index.Symbols) error {
	x, err := count.Open(s, c.Space)
	if err != nil {
		return err
	}
	k, err := x.Parse(c.Pattern)
	if err != nil {
		return err
	}
	f := k.Finder(syms)
	hits, _, err := f.Count(t)
	if err != nil {
		return err
	}
	wanted := max(1, uint64(c.Hit))
	if wanted > hits {
		return fmt.Errorf("--pattern %s: %s in sample %s", c.Pattern, index.Plural(hits, "hit"), t.Name)
	}
	n := uint64(0)
	f.Each(t, func(row []int32) bool {
		n++
		c.marked = slices.Clone(row)
		return n < wanted
	})
	if hits > 1 {
		env.Note("hit %s of %s (--hit N marks another)", index.Thousands(wanted), index.Thousands(hits))
	}
	return nil
}

// find returns the sample with this number or name. Bad samples have numbers too.
func find(in index.Source, wanted string) (*index.Tree, error) {
	wanted = cmp.Or(wanted, "1")
	number, _ := strconv.Atoi(wanted)
	t, form := new(index.Tree), ""
	for n := 1; ; n++ {
		err := in.Next(t)
		switch {
		case err == io.EOF && !command.IsOrdinal(wanted):
			return nil, index.Usagef("--sentence %s: samples are counted from 1, and none has this name", wanted)
		case err == io.EOF && form != "":
			return nil, fmt.Errorf("--sentence: no sample has the name %s%s", wanted, form)
		case err == io.EOF:
			return nil, fmt.Errorf("--sentence %s: no sample has this name or number (%s in all)", wanted, index.Plural(n-1, "sample"))
		case n == number || err == nil && t.Name == wanted:
			return t, err
		}
		form = cmp.Or(form, index.FormHint(wanted, []string{t.Name}))
		if err != nil && format.BadSample(err) == nil {
			return nil, err
		}
	}
}
