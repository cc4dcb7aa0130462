package main

import (
	"context"
	"errors"

	"fstore/bench/lists"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/treescore"
)

// baselines are systems that choose a tree without learning.
var baselines = []struct {
	name   string
	choose func(l *read.List, syms *index.Symbols) int
}{
	{"base", func(l *read.List, _ *index.Symbols) int { return first(l) }},
	{"vote", func(l *read.List, _ *index.Symbols) int {
		scores := make([]float64, len(l.Candidates))
		for i, t := range l.Candidates {
			scores[i] = t.Score
		}
		return treescore.Vote(l.Candidates, treescore.Votes(scores))
	}},
	{"oracle", func(l *read.List, syms *index.Symbols) int {
		x := treescore.New(treescore.Options{})
		x.SetGold(l.Gold, syms)
		counts := make([]treescore.Counts, len(l.Candidates))
		for i, t := range l.Candidates {
			counts[i] = x.Count(t, syms)
		}
		return treescore.Oracle(index.Dependency, counts)
	}},
}

// first returns the index of the first candidate with the highest score.
func first(l *read.List) (at int) {
	for i, t := range l.Candidates {
		if t.Score > l.Candidates[at].Score {
			at = i
		}
	}
	return at
}

// writeBaselines writes the trees that each baseline chooses from the test lists.
func writeBaselines(ctx context.Context, s *settings) (err error) {
	var files []*lists.TreeWriter
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
	}()
	for _, b := range baselines {
		f, err := lists.CreateTrees(s.trees(b.name))
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	return eachList(ctx, s, s.test, func(l *read.List, syms *index.Symbols) error {
		for i, b := range baselines {
			if err := files[i].Add(l.Candidates[b.choose(l, syms)], syms); err != nil {
				return err
			}
		}
		return nil
	})
}
