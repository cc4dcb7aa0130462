package main

import (
	"context"
	"math/rand/v2"
	"slices"

	"fstore/bench/pcfg"
	"fstore/index"
	"fstore/index/treescore"
)

// The paper's numbers (§4). The shares divide the sentences. A list has at most bestTrees trees, and a
// training list at most learnedTrees of them, drawn at random.
const (
	trainShare   = 800
	devShare     = 200
	testShare    = 336
	bestTrees    = 100
	learnedTrees = 20
)

// candidate is a tree with its counts of correct brackets or tags.
type candidate struct {
	pcfg.Parse
	counts treescore.Counts
}

// sentenceList holds the candidates of a sentence, the most probable first.
type sentenceList struct {
	gold       candidate
	candidates []candidate
}

// lists has the K-best lists of one split of the treebank, and the builder that makes their trees for the
// kernels.
type lists struct {
	*index.Builder
	train, dev, test []sentenceList
}

// split is a division of the treebank, parsed with the grammar of its training sentences.
type split struct {
	trees, tags lists // for rerankers of trees, and for rerankers of tags
	failed      int   // number of sentences without a tree in the grammar
}

// bounds returns the indexes at which the training part and the development part of n trees end.
func bounds(n int) (train, dev int) {
	const all = trainShare + devShare + testShare
	return n * trainShare / all, n * (trainShare + devShare) / all
}

// newSplit divides trees at random and parses them.
func newSplit(ctx context.Context, trees []*pcfg.Tree, seed, number uint64) (*split, error) {
	r := rand.New(rand.NewPCG(seed, number))
	trees = slices.Clone(trees)
	r.Shuffle(len(trees), func(a, b int) { trees[a], trees[b] = trees[b], trees[a] })
	train, dev := bounds(len(trees))
	b := &index.Builder{Symbols: index.NewSymbols()}
	s := &split{trees: lists{Builder: b}, tags: lists{Builder: b}}
	p := pcfg.NewParser(pcfg.New(trees[:train]))
	for i, t := range trees {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parses, found := p.Parse(words(t), bestTrees)
		if !found {
			s.failed++
		}
		if i < train && len(parses) > learnedTrees {
			some := r.Perm(len(parses))[:learnedTrees]
			slices.Sort(some)
			for k, at := range some {
				parses[k] = parses[at]
			}
			parses = parses[:learnedTrees]
		}
		s.trees.add(ofTrees(b, t, parses), i < train, i < dev)
		s.tags.add(ofTags(t, parses), i < train, i < dev)
	}
	return s, nil
}

// add adds a list to the training, development or test lists.
func (l *lists) add(x sentenceList, train, dev bool) {
	switch {
	case train:
		l.train = append(l.train, x)
	case dev:
		l.dev = append(l.dev, x)
	default:
		l.test = append(l.test, x)
	}
}

// ofTrees returns the candidates and the gold tree of a sentence, with their counts of brackets.
func ofTrees(b *index.Builder, gold *pcfg.Tree, parses []pcfg.Parse) (x sentenceList) {
	score := treescore.New(treescore.Options{})
	score.SetGold(indexed(b, gold), b.Symbols)
	count := func(p pcfg.Parse) candidate {
		return candidate{Parse: p, counts: score.Count(indexed(b, p.Tree), b.Symbols)}
	}
	x.gold = count(pcfg.Parse{Tree: gold})
	for _, p := range parses {
		x.candidates = append(x.candidates, count(p))
	}
	return x
}

// ofTags is like ofTrees, but counts right tags, not brackets. Each sequence of tags is a candidate only
// once, with its most probable tree.
func ofTags(gold *pcfg.Tree, parses []pcfg.Parse) (x sentenceList) {
	right := tags(gold)
	count := func(p pcfg.Parse, all []string) candidate {
		c := candidate{Parse: p, counts: treescore.Counts{Gold: uint64(len(right)), Predicted: uint64(len(right))}}
		for k, tag := range all {
			if tag == right[k] {
				c.counts.Labelled++
			}
		}
		c.counts.Unlabelled = c.counts.Labelled
		return c
	}
	x.gold = count(pcfg.Parse{Tree: gold}, right)
	var seen [][]string
	for _, p := range parses {
		if t := tags(p.Tree); !slices.ContainsFunc(seen, func(o []string) bool { return slices.Equal(o, t) }) {
			seen = append(seen, t)
			x.candidates = append(x.candidates, count(p, t))
		}
	}
	return x
}

// base returns the summed counts of the most probable trees, and of the candidates nearest to gold.
func base(all []sentenceList) (first, oracle treescore.Counts) {
	for i := range all {
		var counts []treescore.Counts
		for _, c := range all[i].candidates {
			counts = append(counts, c.counts)
		}
		first.Add(counts[0])
		oracle.Add(counts[treescore.Oracle(index.Constituency, counts)])
	}
	return first, oracle
}
