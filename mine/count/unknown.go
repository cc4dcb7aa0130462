package count

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/pattern"
)

// Unknown returns notes for each construction: which of its names no tree has, and which names are similar. A
// construction without hits can get the note pattern.AnyWordHint instead.
func (x *Trees) Unknown(ctx context.Context, all []*Construction, hasHits []bool) (notes [][]string, err error) {
	u := &unknown{x: x}
	notes = make([][]string, len(all))
	var open []int // the constructions that can have an unknown name
	for i, c := range all {
		if c.Pattern != nil && (!hasHits[i] || u.lacks(c.Pattern)) {
			open = append(open, i)
		}
	}
	if err := u.look(ctx, all, open); err != nil {
		return nil, err
	}
	for _, i := range open {
		p := all[i].Pattern
		p.EachName(func(n pattern.Name) {
			if note := u.note(n); note != "" && !slices.Contains(notes[i], note) {
				notes[i] = append(notes[i], note)
			}
		})
		if !hasHits[i] && p.HasAnyWord() && len(notes[i]) == 0 {
			notes[i] = append(notes[i], pattern.AnyWordHint)
		}
	}
	return notes, nil
}

// lacks reports whether p has a name that is not a symbol of the store.
func (u *unknown) lacks(p *pattern.Pattern) (lacks bool) {
	p.EachName(func(n pattern.Name) { lacks = lacks || !u.has(n) })
	return lacks
}

// note says that no tree has the name n, and suggests similar names. It returns "" if a tree has n.
func (u *unknown) note(n pattern.Name) string {
	if u.has(n) {
		return ""
	}
	note := fmt.Sprintf("no tree has the %s %s", n.Field, n.Text)
	switch {
	case n.Item:
		note = fmt.Sprintf("no tree has the item %s in %s", n.Text, n.Field)
	case n.Prefix:
		note = fmt.Sprintf("no tree has a %s that begins with %s", n.Field, n.Text)
	}
	if n.Fold {
		note += ", in any case"
	}
	note += index.QuoteHint(n.Text)
	if form := index.FormHint(n.Text, u.names(n)); form != "" {
		return note + form
	}
	near := index.DidYouMean(n.Text, u.names(n))
	switch {
	case near != "":
		note += near
	case n.Field == pattern.Word && u.x.syms.Lookup(index.Labels, []byte(n.Text)) != 0:
		note += fmt.Sprintf(": the label is (%s)", n.Text)
	case n.Field == pattern.Relation && u.ofRoots[u.x.syms.Lookup(index.Words, []byte(n.Text))]:
		note += " between two words: it is that of words without a head"
	}
	return note
}

// errSeen stops the reading of trees when all names were found.
var errSeen = errors.New("all names were seen")

// unknown finds out which names the trees have.
type unknown struct {
	x      *Trees
	tokens map[pattern.Field]map[uint32]bool // names in dependency trees, by field; nil if the trees were not read
	// ofRoots has the relations of words without a head. `tokens` lacks the relations of these words.
	ofRoots map[uint32]bool
}

// fields are the fields of tokens that look() reads.
var fields = []pattern.Field{pattern.Form, pattern.Lemma, pattern.UPOS, pattern.XPOS, pattern.Feats, pattern.Misc, pattern.Relation}

// look reads dependency trees until it has seen every name in the constructions with the given indexes.
func (u *unknown) look(ctx context.Context, all []*Construction, open []int) error {
	if u.x.s.Meta().Kind != index.Dependency || len(open) == 0 {
		return nil
	}
	type token struct {
		field pattern.Field
		id    uint32
	}
	missing := map[token]bool{} // the names that were in no tree so far
	for _, i := range open {
		all[i].Pattern.EachName(func(n pattern.Name) {
			missing[token{n.Field, u.x.syms.Lookup(n.Field.Class(), []byte(n.Text))}] = true
		})
	}
	tokens, ofRoots := map[pattern.Field]map[uint32]bool{}, map[uint32]bool{}
	for _, f := range fields {
		tokens[f] = map[uint32]bool{}
	}
	err := u.x.s.Samples(0, u.x.s.Meta().Samples, func(id uint32, t *index.Tree) error {
		if id%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range t.Tokens {
			for _, f := range fields {
				id := f.Of(&t.Tokens[i])
				if f == pattern.Relation && t.Tokens[i].Head == 0 {
					ofRoots[id] = true
					continue
				}
				tokens[f][id] = true
				delete(missing, token{f, id})
			}
		}
		if len(missing) == 0 {
			return errSeen
		}
		return nil
	})
	u.tokens, u.ofRoots = tokens, ofRoots
	if errors.Is(err, errSeen) {
		return nil
	}
	return err
}

// has reports whether the trees have a name.
func (u *unknown) has(n pattern.Name) bool {
	if n.Prefix || n.Fold || n.Item {
		return slices.ContainsFunc(u.names(n), n.Is)
	}
	id := u.x.syms.Lookup(n.Field.Class(), []byte(n.Text))
	return id != 0 && (u.tokens == nil || u.tokens[n.Field][id])
}

// names returns all values of the name's field. For an item of a list, such as a feature, it returns all
// items.
func (u *unknown) names(n pattern.Name) (all []string) {
	c := n.Field.Class()
	if u.tokens != nil {
		for _, id := range slices.Sorted(maps.Keys(u.tokens[n.Field])) {
			all = append(all, u.x.syms.Text(c, id))
		}
	} else {
		for id := range uint32(u.x.syms.Len(c)) {
			all = append(all, string(u.x.syms.Bytes(c, id+1)))
		}
	}
	if n.Item {
		all = strings.Split(strings.Join(all, "|"), "|")
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all
}
