package lists

import (
	"cmp"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/rerank"
	"fstore/store"
)

// These are the terms of a candidate's score that do not come from its fragments:
//
//	score               the parser's score
//	score:NAME          another score, from the comment `# score:NAME = X`; a candidate without this
//	                    comment gets the lowest such score of its list
//	rank                minus the logarithm of the candidate's place in the list
//	vote:heads          how many arcs or brackets the candidate shares with a tree of the list, on
//	                    average
//	vote:relations      the same, with relations or labels compared too
//	source:NAME:heads   how many of the candidate's arcs are in the tree of the parser NAME. The comment
//	                    `# source = NAME NAME` says which parsers have returned a tree. A parser
//	                    with several trees in the list is not used.
//	source:NAME:relations  the same, with relations compared too
const (
	rankTerm   = "rank"
	voteTerm   = "vote"
	sourceTerm = "source"
)

// kinds are the two ways to compare trees: without labels, and with labels.
var kinds = []struct {
	name     string
	labelled bool
}{{":heads", false}, {":relations", true}}

// sharpness has the temperatures to try for the vote. Their unit is the mean difference between the highest
// and the lowest score of a list.
var sharpness = []float64{0.05, 0.1, 0.2, 0.4, 0.8, 1.6}

// A source gets terms only if enough lists have exactly one tree of this source: at least sourceLists lists,
// and at least the share sourceShare of all lists. At most mostSources sources get terms.
const (
	sourceShare = 0.05
	sourceLists = 10
	mostSources = 100
)

// besides computes the terms of a score that do not come from fragments. It is for one goroutine.
type besides struct {
	syms         *index.Symbols
	temperatures []float64 // temperatures of the vote, one for each Column.Choice
	parts        treescore.Parts
	scores       []float64
	chances      []float64
	values       []float64
	sources      map[string]int // source → its candidate in the list, or several
	names        []string
	others       map[string][]float64
}

// several is the value in besides.sources for a source that has more than one tree in the list.
const several = -1

// otherScore splits a comment `# score:NAME = X` into the name and the score.
func otherScore(key, value string) (name string, x float64, ok bool) {
	if name, ok = strings.CutPrefix(key, rerank.ScoreTerm+":"); !ok || name == "" {
		return "", 0, false
	}
	x, ok = format.Score([]byte(value))
	return name, x, ok
}

// prepare collects the sources of a list, and the scores in its comments `# score:NAME = X`.
func (b *besides) prepare(list *read.List) {
	if b.sources == nil {
		b.sources, b.others = map[string]int{}, map[string][]float64{}
	}
	clear(b.sources)
	clear(b.others)
	b.names = b.names[:0]
	n := len(list.Candidates)
	for i, t := range list.Candidates {
		for _, c := range t.Comments {
			key, value, _ := format.ParseComment(c)
			if key == sourceTerm {
				for x := range strings.FieldsSeq(value) {
					if other, twice := b.sources[x]; twice && other != i {
						b.sources[x] = several
					} else {
						b.sources[x] = i
						b.names = append(b.names, x)
					}
				}
			}
			name, x, ok := otherScore(key, value)
			if !ok {
				continue
			}
			if b.others[name] == nil {
				b.others[name] = slices.Repeat([]float64{math.NaN()}, n)
			}
			b.others[name][i] = x
		}
	}
	for _, all := range b.others {
		least := math.Inf(1)
		for _, x := range all {
			if x < least { // false for NaN, which is a missing score
				least = x
			}
		}
		for i, x := range all {
			if math.IsNaN(x) {
				all[i] = least
			}
		}
	}
}

// wantedTerms maps each wanted term to the index that the method `each` gives to f.
type wantedTerms map[rerank.Column]int

// each calls f for each wanted term of the list, with a value for each candidate. The values are valid during
// the call.
func (b *besides) each(list *read.List, wanted wantedTerms, f func(at int, values []float64)) {
	b.prepare(list)
	n := len(list.Candidates)
	b.scores, b.values, b.chances = b.scores[:0], make([]float64, n), make([]float64, n)
	for i, t := range list.Candidates {
		b.scores = append(b.scores, t.Score)
		b.values[i] = -math.Log(float64(i + 1))
	}
	give := func(term string, values []float64) {
		if at, ok := wanted[rerank.Column{Name: term}]; ok {
			f(at, values)
		}
	}
	give(rerank.ScoreTerm, b.scores)
	give(rankTerm, b.values)
	for _, name := range slices.Sorted(maps.Keys(b.others)) { // sorted, so that sums are the same on each run
		give(rerank.ScoreTerm+":"+name, b.others[name])
	}
	if n == 1 {
		return // terms that compare trees have no value
	}
	isSet := false
	expect := func(term string, choice int, labelled bool, chances func()) {
		at, ok := wanted[rerank.Column{Name: term, Choice: choice}]
		if !ok {
			return
		}
		if !isSet {
			b.parts.Set(list.Candidates, b.syms)
			isSet = true
		}
		chances()
		b.parts.Expected(b.values, b.chances, labelled)
		f(at, b.values)
	}
	for _, kind := range kinds {
		for choice, t := range b.temperatures {
			expect(voteTerm+kind.name, choice+1, kind.labelled, func() { rerank.Chances(b.chances, b.scores, t) })
		}
		for _, name := range b.names {
			if i := b.sources[name]; i != several {
				expect(sourceTerm+":"+name+kind.name, 0, kind.labelled, func() {
					clear(b.chances)
					b.chances[i] = 1
				})
			}
		}
	}
}

// columnsOf chooses columns for the lists of a store, and the temperatures of the vote.
func columnsOf(s *store.Store) (columns []rerank.Column, temperatures []float64, err error) {
	src, _, err := StoredLists(s)
	if err != nil {
		return nil, nil, err
	}
	var list read.List
	var b besides
	lists, spread := 0, 0.0
	sources, others := map[string]int{}, map[string]bool{}
	for {
		err := src.NextList(&list)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if list.Gold == nil || len(list.Candidates) == 1 {
			src.Release()
			continue
		}
		lists++
		byScore := func(a, b *index.Tree) int { return cmp.Compare(a.Score, b.Score) }
		spread += slices.MaxFunc(list.Candidates, byScore).Score - slices.MinFunc(list.Candidates, byScore).Score
		b.prepare(&list)
		for name := range b.others {
			others[name] = true
		}
		for name, i := range b.sources {
			if i != several && (sources[name] > 0 || len(sources) < 100*mostSources) {
				sources[name]++
			}
		}
		src.Release()
	}
	columns = append(columns, rerank.Column{Name: rerank.ScoreTerm, Set: rerank.ScoreTerm})
	for _, name := range slices.Sorted(maps.Keys(others)) {
		columns = append(columns, rerank.Column{Name: rerank.ScoreTerm + ":" + name, Set: "scores"})
	}
	for _, name := range mostFrequent(sources, max(sourceLists, int(sourceShare*float64(lists)))) {
		for _, kind := range kinds {
			columns = append(columns, rerank.Column{Name: sourceTerm + ":" + name + kind.name, Set: sourceTerm})
		}
	}
	temperatures = []float64{1} // all trees get the same chance
	if spread > 0 {
		temperatures = nil
		for _, share := range sharpness {
			temperatures = append(temperatures, share*spread/float64(lists))
		}
	}
	for choice := range temperatures {
		for _, kind := range kinds {
			columns = append(columns, rerank.Column{Name: voteTerm + kind.name, Set: voteTerm, Choice: choice + 1})
		}
	}
	return append(columns, rerank.Column{Name: rankTerm, Set: rankTerm}), temperatures, nil
}

// mostFrequent returns at most mostSources names with a count of at least minimum, sorted by name.
func mostFrequent(count map[string]int, minimum int) (names []string) {
	for name, n := range count {
		if n >= minimum {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	names = names[:min(len(names), mostSources)]
	slices.Sort(names)
	return names
}

// rows returns the values of the columns, indexed by candidate and column.
func (b *besides) rows(list *read.List, columns wantedTerms) [][]float64 {
	n := len(list.Candidates)
	all := make([]float64, n*len(columns))
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = all[i*len(columns) : (i+1)*len(columns)]
	}
	b.each(list, columns, func(c int, values []float64) {
		for i, x := range values {
			rows[i][c] = x
		}
	})
	return rows
}

// weigher adds up those terms of a model that do not come from fragments. It is for one goroutine.
type weigher struct {
	besides
	terms  []rerank.Term
	places wantedTerms // term → its index in terms
	part   []int       // index of a term → index of its part in byPart
	byPart [][]float64 // the values of the last list, indexed by part and candidate
}

func newWeigher(b *rerank.Beside, syms *index.Symbols) *weigher {
	parts := b.Parts()
	w := &weigher{besides: besides{syms: syms}, terms: b.Terms, places: wantedTerms{}, byPart: make([][]float64, len(parts))}
	if b.Temperature != 0 {
		w.temperatures = []float64{b.Temperature}
	}
	for i := range b.Terms {
		c := rerank.Column{Name: b.Terms[i].Name}
		part := b.Terms[i].Part()
		if part == voteTerm {
			c.Choice = 1
		}
		w.places[c], w.part = i, append(w.part, slices.Index(parts, part))
	}
	return w
}

// weigh sets `byPart` to the parts of each candidate's score. If onTerm is not nil, weigh calls it for each
// term.
func (w *weigher) weigh(list *read.List, onTerm func(term string, adds []float64)) {
	n := len(list.Candidates)
	for i := range w.byPart {
		w.byPart[i] = append(w.byPart[i][:0], make([]float64, n)...)
	}
	adds := make([]float64, n)
	w.each(list, w.places, func(at int, values []float64) {
		for i, x := range values {
			adds[i] = float64(w.terms[at].Weight * x)
			w.byPart[w.part[at]][i] += adds[i]
		}
		if onTerm != nil {
			onTerm(w.terms[at].Name, adds)
		}
	})
}
