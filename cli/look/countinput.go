package look

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"fstore/cli/command"
	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/pattern"
	"fstore/mine/count"
	"fstore/store"
)

// constructions parses the patterns in texts and in a file. The name of a pattern is its text, unless the
// file gives another name.
func constructions(ctx context.Context, env *command.Env, x *count.Trees, texts []string, file string, flags *command.TextFlags) (all []*count.Construction, names []string, err error) {
	add := func(name, text string) error {
		flags.Normalize(&name, &text)
		k, err := x.Parse(text)
		all, names = append(all, k), append(names, name)
		return err
	}
	for _, text := range texts {
		if err := add(text, text); err != nil {
			return nil, nil, err
		}
	}
	if file != "" {
		if err := eachPattern(ctx, file, env.Stdin, add); err != nil {
			return nil, nil, err
		}
	}
	if len(all) == 0 {
		return nil, nil, index.Usagef("no pattern: write one as in '(NP (DT the) (NN))' or 'VERB >obj NOUN', or name a file with --patterns")
	}
	return all, names, nil
}

// longestPattern is the largest length of a line in a file of patterns, in bytes.
const longestPattern = 1 << 20

// eachPattern calls f for each pattern in a file. A line has a pattern, or a name, a tab and a pattern.
func eachPattern(ctx context.Context, file string, stdin io.Reader, f func(name, text string) error) error {
	in, err := read.OpenFile(ctx, file, stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	found := false
	err = format.EachLine(in, in.Name, longestPattern, func(line []byte) error {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		found = true
		name, own, isNamed := strings.Cut(string(line), "\t")
		if !isNamed {
			own = name
		}
		err := f(name, own)
		if wrong, ok := errors.AsType[*pattern.Error](err); ok {
			err = &format.LineError{Msg: wrong.Error()}
		}
		return err
	})
	if err == nil && !found {
		err = &index.InputError{File: in.Name, Msg: "no patterns: expected a line a pattern, or its name, a tab, and the pattern"}
	}
	return err
}

// noteCounted calls noteNames for constructions that were counted.
func noteCounted(ctx context.Context, env *command.Env, x *count.Trees, names []string, counts []*count.Counts) error {
	all, found := make([]*count.Construction, len(counts)), make([]bool, len(counts))
	for i, k := range counts {
		all[i], found[i] = k.Construction, k.Match > 0
	}
	return noteNames(ctx, env, x, names, all, found)
}

// noteNames warns of names that no sample has, and of patterns that can also be read as fragments. It also
// notes which patterns tell left from right.
func noteNames(ctx context.Context, env *command.Env, x *count.Trees, names []string, all []*count.Construction, found []bool) error {
	notes, err := x.Unknown(ctx, all, found)
	if err != nil {
		return err
	}
	var sided []string
	for i, k := range all {
		for _, note := range notes[i] {
			env.Warn("%s: %s", names[i], note)
		}
		elsewhere, err := x.Elsewhere(k)
		if err != nil {
			return err
		}
		for _, space := range elsewhere {
			env.Warn("%s is counted as a pattern; it is also a fragment of the space %s, which matches in another way (--space %s counts that; --no-fragments: as a pattern, without this warning)", names[i], space, space)
		}
		if k.Pattern == nil {
			env.Note("%s is a fragment of the space %s, and counted as it matches there (--no-fragments: as a pattern)", names[i], k.Space.ID())
		}
		if x.ReadsSides(k) {
			sided = append(sided, names[i])
		}
	}
	noteSides(env, x, sided)
	return nil
}

// patternRows are constructions given by patterns, which the command `contrast` compares in place of
// fragments.
type patternRows struct {
	x      *count.Trees
	all    []*count.Construction
	names  []string
	counts []*count.Counts
}

// mostKeys is the largest number of keys of comments in an error message.
const mostKeys = 20

// grouping returns how --by divides the samples into groups. After the last sample, call check: it returns an
// error if no sample has the comment that --by names.
func (c *CountCommand) grouping(s *store.Store) (by count.By, check func() error) {
	check = func() error { return nil }
	key, isComment := strings.CutPrefix(c.By, "comment:")
	switch {
	case c.By == "document":
		by.Keys = func(_ uint32, t *index.Tree) []string { return []string{t.Document} }
	case isComment:
		known, found := map[string]bool{}, false
		inputOf, last := s.Meta().InputNames(), ""
		var held format.Held
		by.Whole = true
		by.Keys = func(id uint32, t *index.Tree) []string {
			if name := inputOf(id); name != last {
				held = format.Held{}
				last = name
			}
			held.Next(t.Comments)
			for _, line := range t.Comments {
				if len(known) < 1000 {
					k, _, _ := format.ParseComment(line)
					known[k] = true
				}
			}
			values := held.Comment(key)
			if found = found || len(values) > 0; len(values) == 0 {
				return []string{""}
			}
			return values
		}
		check = func() error {
			if found {
				return nil
			}
			keys := slices.Sorted(maps.Keys(known))
			if near := index.Nearest(key, keys); len(near) > 0 {
				return index.Usagef("--by comment:%s: no sample has this comment; did you mean %s?", key, strings.Join(near, " or "))
			}
			return index.Usagef("--by comment:%s: no sample has this comment (keys: %s)", key, strings.Join(keys[:min(len(keys), mostKeys)], ", "))
		}
	}
	return by, check
}

// CountCommand is the command `count`. It counts constructions in the trees.
type CountCommand struct {
	Store    string   `arg:"" predictor:"store" help:"The store."`
	Patterns []string `arg:"" optional:"" name:"pattern" help:"Patterns, or fragments as query prints them."`

	PatternsFile        string `name:"patterns" placeholder:"FILE" predictor:"file" help:"More patterns: a line a pattern, or its name, a tab, and the pattern."`
	Space               string `predictor:"space" placeholder:"NAME" help:"The space whose fragments patterns may be, where the store has several."`
	By                  string `default:"label" placeholder:"KEY" help:"A row for each label and for all (label), for each document, for each value of a comment (comment:KEY), or for the words in each node of the pattern (form, lemma)."`
	Fragments           bool   `default:"true" negatable:"" help:"Read a text that is a fragment of the space as its space does. --no-fragments reads all as patterns of the trees."`
	Explain             bool   `help:"Say which stored fragments bound where hits can be, and how many trees were read."`
	Limit               int    `placeholder:"N" help:"Rows to print; 0, the default, is all."`
	Workers             int    `placeholder:"N" help:"Goroutines (default: one a core)."`
	command.TextFlags   `embed:""`
	command.OutputFlags `embed:"" group:"Output:" set:"formats=${tables}, or with --by document svg: a dot a document, a row a label."`

	names []string // the name of each construction
}
