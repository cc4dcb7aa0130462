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
	"fstore/store"
)

// groups has the groups of samples that get a row: all samples and each label, or the keys of By.Keys.
type groups struct {
	names []string // the names of the groups; with labels, names[0] stands for all samples
	words []uint64
	of    []uint32 // by sample: the index of its groups in sets; nil: all samples have sets[0]
	sets  [][]uint32

	document []uint32            // document of each sample, from 1; nil if the store has no documents
	docWords []map[uint32]uint64 // words, by group and document
}

// groupsOf returns the groups of a sample, as indexes in names.
func (g *groups) groupsOf(id uint32) []uint32 {
	if g.of == nil {
		return g.sets[0]
	}
	return g.sets[g.of[id]]
}

// By says which groups of samples get a row.
type By struct {
	// Keys returns the groups of a sample, and is called for every sample in order. If Keys is nil, the
	// groups are the labels and the group of all samples. Set Whole to true if Keys needs the whole tree.
	Keys  func(id uint32, t *index.Tree) []string
	Whole bool
}

const lookEvery = 1 << 12

// group sorts the samples into groups, and counts the words of the groups.
func (x *Trees) group(ctx context.Context, by By, progress index.Progress) (*groups, error) {
	m := x.s.Meta()
	if by.Keys == nil && m.Labels == 0 && m.Documents == 0 {
		return &groups{names: []string{""}, words: []uint64{m.Words}, sets: [][]uint32{{0}}}, nil
	}
	h, err := query.HeadsOf(ctx, x.s, progress)
	if err != nil {
		return nil, err
	}
	g := &groups{of: make([]uint32, m.Samples), document: h.Document}
	r := &grouping{g: g, words: h.Words, numbers: map[string]uint32{}, joined: map[string]uint32{}}
	if by.Keys == nil {
		r.addLabels(h)
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

type grouping struct {
	g       *groups
	words   []uint32          // words of each sample
	numbers map[string]uint32 // number of each group
	joined  map[string]uint32 // index in sets, by the joined keys
}

// addLabels puts all samples into groups by label. The first group has all samples, and the labels follow in
// byte order.
func (r *grouping) addLabels(h *query.Heads) {
	var names []string
	keys := make([][]string, max(1, len(h.Labels)))
	for i := range keys {
		keys[i] = []string{""}
		if h.Labels != nil {
			index.SplitLabels(h.Labels[i], func(label string) { keys[i] = append(keys[i], label) })
		}
		names = append(names, keys[i]...)
	}
	slices.Sort(names)
	for _, name := range names {
		r.number(name)
	}
	for id := range r.g.of {
		if h.Label == nil {
			r.add(uint32(id), "", keys[0])
		} else {
			r.add(uint32(id), h.Labels[h.Label[id]], keys[h.Label[id]])
		}
	}
}

// add adds a sample to the groups with the names in keys. The text `joined` must differ for different keys.
func (r *grouping) add(id uint32, joined string, keys []string) {
	g := r.g
	set, ok := r.joined[joined]
	if !ok {
		var all []uint32
		for _, k := range keys {
			if n := r.number(k); !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
		set = uint32(len(g.sets))
		g.sets = append(g.sets, all)
		r.joined[strings.Clone(joined)] = set
	}
	g.of[id] = set
	words := uint64(r.words[id])
	for _, k := range g.sets[set] {
		g.words[k] += words
		if g.document != nil && g.document[id] != 0 {
			g.docWords[k][g.document[id]] += words
		}
	}
}

// number returns the index of a group in g.names. If the group is new, number adds it.
func (r *grouping) number(name string) uint32 {
	n, ok := r.numbers[name]
	if !ok {
		g := r.g
		name, n = strings.Clone(name), uint32(len(g.names))
		r.numbers[name] = n
		g.names, g.words, g.docWords = append(g.names, name), append(g.words, 0), append(g.docWords, map[uint32]uint64{})
	}
	return n
}

// LabelSize is the size of the samples with a label.
type LabelSize struct{ Words, Documents uint64 }

// LabelSizes returns the number of words and of documents of each label: 0 if no sample has the label.
func LabelSizes(ctx context.Context, s *store.Store, labels []string) ([]LabelSize, error) {
	g, err := (&Trees{s: s}).group(ctx, By{}, index.NoProgress{})
	if err != nil {
		return nil, err
	}
	sizes := make([]LabelSize, len(labels))
	for i, label := range labels {
		if k, ok := slices.BinarySearch(g.names, label); ok {
			sizes[i] = LabelSize{g.words[k], uint64(len(g.docWords[k]))}
		}
	}
	return sizes, nil
}

// Row is how often a construction occurs in one group.
type Row struct {
	Group                     string // a label, "" for all samples; or the value of another key
	Hits, Places              uint64
	Samples, Documents, Words uint64
	DP, DPNorm                float64 // over the documents of the group; NaN if it has no documents
}

// Permillion returns the hits per million words, or NaN if there are no words.
func (r *Row) Permillion() float64 { return permillion(r.Hits, r.Words) }

// PlacesPermillion returns the places per million words, or NaN if there are no words.
func (r *Row) PlacesPermillion() float64 { return permillion(r.Places, r.Words) }

func permillion(n, words uint64) float64 {
	if words == 0 {
		return math.NaN()
	}
	return 1e6 * float64(n) / float64(words)
}

type sampleHits struct {
	id     uint32
	hits   uint64
	places uint32
}

// rows adds up the hits of a construction in each group.
func (g *groups) rows(found []sampleHits) []Row {
	rows := make([]Row, len(g.names))
	docs := make([]map[uint32]uint64, len(rows))
	for i := range rows {
		rows[i].Group, rows[i].Words = g.names[i], g.words[i]
	}
	for _, f := range found {
		for _, k := range g.groupsOf(f.id) {
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

// dispersion says how hits are spread over documents. The keys of both maps are documents.
func dispersion(hits, words map[uint32]uint64) association.Dispersion {
	d := association.Dispersion{Smallest: math.Inf(1)}
	for document, n := range words {
		d.Words += float64(n)
		d.Smallest = min(d.Smallest, float64(n))
		d.Hits += float64(hits[document])
	}
	for _, document := range slices.Sorted(maps.Keys(hits)) { // in a fixed order, because sums of floats depend on it
		d.Add(float64(words[document]), float64(hits[document]))
	}
	return d
}
