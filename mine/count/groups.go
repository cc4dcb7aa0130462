package count

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/query"
)

// groups are what the samples are counted by: all of them, and each label, or the values of
// another key.
type groups struct {
	names []string // names[0] is all samples, where they are counted by labels
	words []uint64
	// of tells the groups of each sample: sets[of[id]]; nil: all samples are in group 0 only.
	of   []uint32
	sets [][]uint32

	document []uint32            // of each sample, from 1; nil where none is known
	docWords []map[uint32]uint64 // by group and document
}

// set returns the groups of a sample.
func (g *groups) set(id uint32) []uint32 {
	if g.of == nil {
		return g.sets[0]
	}
	return g.sets[g.of[id]]
}

// By is what there is a row for.
type By struct {
	// Keys gives the values that a sample counts for; nil is its labels, and all. It is called for
	// every sample in order, with the whole tree where Whole is set.
	Keys  func(id uint32, t *index.Tree) []string
	Whole bool
}

const lookEvery = 1 << 12

// group sorts the samples into groups, and measures these.
func (x *Trees) group(ctx context.Context, by By, progress index.Progress) (*groups, error) {
	m := x.s.Meta()
	g := &groups{}
	if by.Keys == nil {
		g.names = []string{""}
		g.sets = [][]uint32{{0}}
		if m.Labels == 0 && m.Documents == 0 {
			g.words = []uint64{m.Words}
			return g, nil
		}
		g.words, g.docWords = []uint64{0}, []map[uint32]uint64{{}}
	}
	h, err := query.HeadsOf(ctx, x.s, progress)
	if err != nil {
		return nil, err
	}
	r := &grouping{g: g, by: by, words: h.Words, numbers: map[string]uint32{}, joined: map[string]uint32{}}
	g.of, g.document = make([]uint32, m.Samples), h.Document
	if by.Keys == nil {
		r.numbers[""] = 0
		for id := range m.Samples {
			label := ""
			if h.Label != nil {
				label = h.Labels[h.Label[id]]
			}
			r.add(id, label, nil)
		}
		r.sort()
		return g, nil
	}
	progress.Step("measure", "samples", int64(m.Samples))
	each := func(id uint32, t *index.Tree) error {
		if (id+1)%lookEvery == 0 {
			progress.Add(lookEvery)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		keys := by.Keys(id, t)
		r.add(id, strings.Join(keys, "\x00"), keys)
		return nil
	}
	if by.Whole {
		return g, x.s.Samples(0, m.Samples, each)
	}
	return g, x.s.SampleHeads(0, m.Samples, each)
}

// grouping makes groups.
type grouping struct {
	g       *groups
	by      By
	words   []uint32          // of each sample
	numbers map[string]uint32 // of groups
	joined  map[string]uint32 // of sets
}

// add adds a sample: key is its labels, or all of keys.
func (r *grouping) add(id uint32, key string, keys []string) {
	g := r.g
	words := uint64(r.words[id])
	set, ok := r.joined[key]
	if !ok {
		key = strings.Clone(key)
		set = uint32(len(g.sets))
		if r.by.Keys == nil {
			all := []uint32{0}
			index.SplitLabels(key, func(label string) { all = append(all, r.number(label)) })
			g.sets = append(g.sets, all)
		} else {
			var all []uint32
			for _, k := range keys {
				if n := r.number(strings.Clone(k)); !slices.Contains(all, n) {
					all = append(all, n)
				}
			}
			g.sets = append(g.sets, all)
		}
		r.joined[key] = set
	}
	g.of[id] = set
	for _, k := range g.sets[set] {
		for int(k) >= len(g.words) {
			g.words, g.docWords = append(g.words, 0), append(g.docWords, map[uint32]uint64{})
		}
		g.words[k] += words
		if g.document != nil && g.document[id] != 0 {
			g.docWords[k][g.document[id]] += words
		}
	}
}

// number returns the number of a group.
func (r *grouping) number(name string) uint32 {
	n, ok := r.numbers[name]
	if !ok {
		n = uint32(len(r.g.names))
		r.numbers[name] = n
		r.g.names = append(r.g.names, name)
	}
	return n
}

// sort puts labels in byte order, behind all samples.
func (r *grouping) sort() {
	g := r.g
	order := make([]uint32, len(g.names))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(g.names[a], g.names[b]) })
	place := make([]uint32, len(order))
	names, words, docWords := make([]string, len(order)), make([]uint64, len(order)), make([]map[uint32]uint64, len(order))
	for to, from := range order {
		place[from] = uint32(to)
		names[to], words[to], docWords[to] = g.names[from], g.words[from], g.docWords[from]
	}
	g.names, g.words, g.docWords = names, words, docWords
	for _, set := range g.sets {
		for i := range set {
			set[i] = place[set[i]]
		}
	}
}

// Row is how often a construction occurs in one group.
type Row struct {
	Group                     string // a label, "" for all samples; or the value of another key
	Hits, Places              uint64
	Samples, Documents, Words uint64
	DP, DPNorm                float64 // NaN where there is none, see Count
}

// Permillion is how many hits there are in a million words, NaN without words.
func (r *Row) Permillion() float64 { return permillion(r.Hits, r.Words) }

// PlacesPermillion is Permillion of places.
func (r *Row) PlacesPermillion() float64 { return permillion(r.Places, r.Words) }

func permillion(n, words uint64) float64 {
	if words == 0 {
		return math.NaN()
	}
	return 1e6 * float64(n) / float64(words)
}

// sampleHits are the hits in a sample.
type sampleHits struct {
	id     uint32
	hits   uint64
	places uint32
}

// rows adds up the hits of a construction.
func (g *groups) rows(found []sampleHits) []Row {
	rows := make([]Row, len(g.names))
	docs := make([]map[uint32]uint64, len(rows))
	for i := range rows {
		rows[i].Group, rows[i].Words = g.names[i], g.words[i]
	}
	for _, f := range found {
		for _, k := range g.set(f.id) {
			r := &rows[k]
			r.Hits += f.hits
			r.Places += uint64(f.places)
			r.Samples++
			if g.document != nil && g.document[f.id] != 0 {
				if docs[k] == nil {
					docs[k] = map[uint32]uint64{}
				}
				docs[k][g.document[f.id]] += f.hits
			}
		}
	}
	for i := range rows {
		rows[i].Documents = uint64(len(docs[i]))
		rows[i].DP, rows[i].DPNorm = math.NaN(), math.NaN()
		if g.document != nil {
			d := dispersion(docs[i], g.docWords[i])
			rows[i].DP, rows[i].DPNorm = d.DP(), d.DPNorm()
		}
	}
	return rows
}

// dispersion is how hits are spread over documents of so many words.
func dispersion(hits, words map[uint32]uint64) association.Dispersion {
	d := association.Dispersion{Smallest: math.Inf(1)}
	for document, n := range words {
		d.Words += float64(n)
		d.Smallest = min(d.Smallest, float64(n))
		d.Hits += float64(hits[document])
	}
	for _, document := range slices.Sorted(maps.Keys(hits)) { // sums of floats depend on their order
		d.Add(float64(words[document]), float64(hits[document]))
	}
	return d
}
