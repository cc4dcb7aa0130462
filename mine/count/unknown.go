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

// Unknown says which names of a construction are in no tree, and which may be meant, a sentence
// each. It reads all trees where the symbols do not tell.
func (x *Trees) Unknown(ctx context.Context, c *Counts) (notes []string, err error) {
	p := c.Construction.Pattern
	if p == nil {
		return nil, nil
	}
	hits, _, _ := c.Total()
	u := &unknown{x: x}
	if err := u.look(ctx, p, hits == 0); err != nil {
		return nil, err
	}
	p.EachName(func(f pattern.Field, name string, prefix bool) {
		if u.has(f, name, prefix) {
			return
		}
		note := fmt.Sprintf("no tree has the %s %s", f, name)
		if prefix {
			note = fmt.Sprintf("no tree has a %s that begins with %s", f, name)
		}
		near := index.Nearest(name, u.names(f))
		switch {
		case len(near) > 0:
			note += fmt.Sprintf(": did you mean %s?", strings.Join(near, " or "))
		case f == pattern.Word && x.syms.Lookup(index.Labels, []byte(name)) != 0:
			note += fmt.Sprintf(": the label is (%s)", name)
		}
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	})
	return notes, nil
}

// errSeen ends the reading of trees: they have all names.
var errSeen = errors.New("all names were seen")

// unknown knows which names there are.
type unknown struct {
	x      *Trees
	tokens map[pattern.Field]map[uint32]bool // of dependency trees; nil where they were not read
}

// fields are those of tokens, apart from UPOS and the relation seldom looked for.
var fields = []pattern.Field{pattern.Form, pattern.Lemma, pattern.UPOS, pattern.XPOS, pattern.Feats, pattern.Misc, pattern.Relation}

// look reads the trees where it must: there are no hits, or a name is no symbol at all.
func (u *unknown) look(ctx context.Context, p *pattern.Pattern, must bool) error {
	if u.x.s.Meta().Kind != index.Dependency {
		return nil
	}
	type token struct {
		field pattern.Field
		id    uint32
	}
	missing := map[token]bool{} // names that no tree has had so far
	p.EachName(func(f pattern.Field, name string, prefix bool) {
		must = must || !u.has(f, name, prefix)
		missing[token{f, u.x.syms.Lookup(f.Class(), []byte(name))}] = true
	})
	if !must {
		return nil
	}
	tokens := map[pattern.Field]map[uint32]bool{}
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
				tokens[f][id] = true
				delete(missing, token{f, id})
			}
		}
		if len(missing) == 0 {
			return errSeen
		}
		return nil
	})
	u.tokens = tokens
	if errors.Is(err, errSeen) {
		return nil
	}
	return err
}

// has says whether there is a name.
func (u *unknown) has(f pattern.Field, name string, prefix bool) bool {
	if prefix {
		return slices.ContainsFunc(u.names(f), func(n string) bool { return strings.HasPrefix(n, name) })
	}
	id := u.x.syms.Lookup(f.Class(), []byte(name))
	return id != 0 && (u.tokens == nil || u.tokens[f][id])
}

// names are the names that there are.
func (u *unknown) names(f pattern.Field) (all []string) {
	c := f.Class()
	if u.tokens != nil {
		for _, id := range slices.Sorted(maps.Keys(u.tokens[f])) {
			all = append(all, u.x.syms.Text(c, id))
		}
		return all
	}
	for id := range uint32(u.x.syms.Len(c)) {
		all = append(all, string(u.x.syms.Bytes(c, id+1)))
	}
	return all
}
