package brute

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"fstore/index"
)

// offsets replaces the plus signs of offsets, because plus signs also join fields.
var offsets = strings.NewReplacer("+1.", "~1.", "+2.", "~2.")

// arcFeatures returns the features of the arc to token m, as text.
func arcFeatures(templates []string, t *index.Tree, s *index.Symbols, m int) (all []string) {
	for _, template := range templates {
		parts := []string{""}
		for field := range strings.SplitSeq(offsets.Replace(template), "+") {
			field = strings.ReplaceAll(field, "~", "+")
			field, values := arcValues(field, t, s, m)
			var next []string
			for _, p := range parts {
				for _, v := range values {
					if p != "" {
						next = append(next, p+"+"+field+"="+v)
					} else {
						next = append(next, field+"="+v)
					}
				}
			}
			parts = next
		}
		all = append(all, parts...)
	}
	return all
}

// arcValues returns the values of a field for the arc to token m, and the field's name as features print it.
func arcValues(field string, t *index.Tree, s *index.Symbols, m int) (name string, values []string) {
	h := int(t.Tokens[m].Head) - 1
	switch field {
	case "dir":
		values = []string{map[bool]string{true: "left", false: "right"}[m < h]}
	case "dist":
		d := max(h-m, m-h)
		switch {
		case d >= 16:
			values = []string{"16-"}
		case d >= 11:
			values = []string{"11-15"}
		default:
			values = []string{fmt.Sprint(d)}
		}
	case "between":
		for b := min(h, m) + 1; b < max(h, m); b++ {
			if tag := arcWord(s, t.Tokens[b].UPOS); !slices.Contains(values, tag) {
				values = append(values, tag)
			}
		}
	default:
		if field == "rel" {
			field = "m.rel"
		}
		place, column, _ := strings.Cut(field, ".")
		at := map[byte]int{'h': h, 'm': m}[place[0]]
		if len(place) > 1 {
			k := 0
			fmt.Sscanf(place[1:], "%d", &k)
			at += k
		}
		if at < 0 || at >= len(t.Tokens) {
			values = []string{"^"}
			break
		}
		k := &t.Tokens[at]
		if key, ok := strings.CutPrefix(column, "misc["); ok {
			values = []string{"_"}
			for item := range strings.SplitSeq(s.Text(index.Words, k.Misc), "|") {
				if v, ok := strings.CutPrefix(item, strings.TrimSuffix(key, "]")+"="); ok {
					values = []string{escapes.Replace(v)}
				}
			}
			break
		}
		values = []string{arcWord(s, map[string]uint32{
			"form": k.Form, "lemma": k.Lemma, "upos": k.UPOS, "xpos": k.XPOS, "feats": k.Feats, "rel": k.Rel, "deps": k.Deps,
		}[column])}
		if field == "m.rel" {
			field = "rel"
		}
	}
	return field, values
}

var escapes = strings.NewReplacer("^", `\x5E`, "<", `\x3C`, "+", `\x2B`)

// arcWord returns a word as fragments print it.
func arcWord(s *index.Symbols, id uint32) string {
	return escapes.Replace(s.Text(index.Words, id))
}

// ArcOptions are the options of the space `dep`.
type ArcOptions struct {
	Siblings  string // adjacent, side or any
	MaxSpan   int    // 0: any
	Ordered   bool
	RootArcs  bool
	Templates []string // in canonical form
	Words     string   // form or lemma: the word that a node can carry; "" for no words
}

// ArcSet is a set of arcs of a tree, with one feature for each arc.
type ArcSet struct {
	// Key identifies the fragment by nested brackets of features and words.
	Key    string
	Order  int
	Root   int // a token; -1 is the artificial root
	Tokens []int32
}

// ArcSets lists the occurrences in t of every fragment of the space `dep`. It tries every set of arcs.
func ArcSets(o ArcOptions, t *index.Tree, s *index.Symbols) (all []ArcSet) {
	var arcs []int
	for m := range t.Tokens {
		if t.Tokens[m].Head > 0 || o.RootArcs {
			arcs = append(arcs, m)
		}
	}
	for set := 1; set < 1<<len(arcs); set++ {
		kids := map[int][]int{}
		var root []int
		for i, m := range arcs {
			if set>>i&1 == 1 {
				h := int(t.Tokens[m].Head) - 1
				kids[h] = append(kids[h], m)
			}
		}
		for h := range kids {
			if h < 0 || !slices.Contains(kids[int(t.Tokens[h].Head)-1], h) {
				root = append(root, h)
			}
		}
		if len(root) != 1 || !legal(o, t, kids) {
			continue
		}
		tokens := []int32{}
		if root[0] >= 0 {
			tokens = append(tokens, int32(root[0]))
		}
		n := 0
		for _, ms := range kids {
			for _, m := range ms {
				tokens = append(tokens, int32(m))
				n++
			}
		}
		slices.Sort(tokens)
		for _, k := range keys(o, t, s, kids, root[0]) {
			all = append(all, ArcSet{k.text, n + k.words, root[0], tokens})
		}
	}
	sort.SliceStable(all, func(i, k int) bool { return all[i].Root < all[k].Root })
	return all
}

// legal says whether the options Siblings and MaxSpan allow the chosen dependents of each head.
func legal(o ArcOptions, t *index.Tree, kids map[int][]int) bool {
	for h, chosen := range kids {
		var left, right string // the dependents on each side: 1 for a chosen one, 0 for another
		for m := range t.Tokens {
			if int(t.Tokens[m].Head)-1 != h {
				continue
			}
			mark := map[bool]string{true: "1", false: "0"}[slices.Contains(chosen, m)]
			if m < h {
				left += mark
			} else {
				right += mark
			}
		}
		if o.MaxSpan > 0 && len(strings.Trim(left+right, "0")) > o.MaxSpan {
			return false
		}
		runs := []string{left + right}
		switch o.Siblings {
		case "any":
			runs = nil
		case "side":
			runs = []string{left, right}
		}
		for _, run := range runs {
			if strings.Contains(strings.Trim(run, "0"), "0") {
				return false
			}
		}
	}
	return true
}

// key is a fragment as text, with the number of its words.
type key struct {
	text  string
	words int
}

// keys returns the keys of all fragments with root h and the arcs in kids: one for each choice of features
// and words.
func keys(o ArcOptions, t *index.Tree, s *index.Symbols, kids map[int][]int, h int) []key {
	lists := [][]key{nil}
	for _, m := range kids[h] {
		var here []key
		for _, f := range arcFeatures(o.Templates, t, s, m) {
			if o.Siblings == "side" {
				f = map[bool]string{true: "<", false: ">"}[m < h] + f
			}
			for _, below := range keys(o, t, s, kids, m) {
				here = append(here, key{f + below.text, below.words})
			}
		}
		var next [][]key
		for _, l := range lists {
			for _, k := range here {
				next = append(next, append(slices.Clone(l), k))
			}
		}
		lists = next
	}
	var all []key
	for _, l := range lists {
		var texts []string
		words := 0
		for _, k := range l {
			texts = append(texts, k.text)
			words += k.words
		}
		if !o.Ordered {
			slices.Sort(texts)
		}
		text := strings.Join(texts, " ") + ")"
		all = append(all, key{"(" + text, words})
		if o.Words != "" && h >= 0 {
			all = append(all, key{"(/" + arcWord(s, column(&t.Tokens[h], o.Words)) + " " + text, words + 1})
		}
	}
	return all
}
