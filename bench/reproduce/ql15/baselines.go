package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"fstore/decode"
	"fstore/decode/conllu"
	"fstore/index"
	"fstore/mine/treescore"
)

// choices take a tree of a list without learning.
var choices = []struct {
	name   string
	choose func(l *decode.List, syms *index.Symbols) int
}{
	{"base", func(l *decode.List, _ *index.Symbols) int { return first(l) }},
	{"vote", func(l *decode.List, _ *index.Symbols) int {
		scores := make([]float64, len(l.Candidates))
		for i, t := range l.Candidates {
			scores[i] = t.Score
		}
		return treescore.Vote(l.Candidates, treescore.Votes(scores))
	}},
	{"oracle", func(l *decode.List, syms *index.Symbols) int {
		x := treescore.New(treescore.Options{})
		x.SetGold(l.Gold, syms)
		counts := make([]treescore.Counts, len(l.Candidates))
		for i, t := range l.Candidates {
			counts[i] = x.Count(t, syms)
		}
		return treescore.Oracle(index.Dependency, counts)
	}},
}

// first is the candidate with the highest score, of equals the first.
func first(l *decode.List) (at int) {
	for i, t := range l.Candidates {
		if t.Score > l.Candidates[at].Score {
			at = i
		}
	}
	return at
}

// baselines writes what each of the choices takes of the test lists.
func baselines(ctx context.Context, s *settings) (table []row, err error) {
	for _, c := range choices {
		if err := choose(ctx, s, s.trees(c.name), c.choose); err != nil {
			return nil, err
		}
		table = append(table, row{name: c.name})
	}
	return table, nil
}

func choose(ctx context.Context, s *settings, file string, f func(*decode.List, *index.Symbols) int) (err error) {
	kbest, gold := s.lists(s.test)
	syms := index.NewSymbols()
	in, err := decode.OpenLists([]string{kbest}, decode.InputOptions{Symbols: syms, Gold: gold, Context: ctx})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	w := bufio.NewWriter(out)
	var l decode.List
	var text []byte
	for {
		err := in.NextList(&l)
		if err == io.EOF {
			return w.Flush()
		}
		if err != nil {
			return err
		}
		if text, err = conllu.Append(text[:0], l.Candidates[f(&l, syms)], syms); err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
}
