package concordance

import (
	"context"
	"unicode/utf8"

	"fstore/index"
	"fstore/mine/count"
	"fstore/mine/query"
	"fstore/store"
)

// mostExample is the maximum length of an example, in characters.
const mostExample = 60

// Example returns the words of the first occurrence of a stored fragment, cut to a short phrase.
func Example(ctx context.Context, t *query.Table, id uint32) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	c, err := t.Store().ByRank(t.Info.Number, id, nil)
	if err != nil {
		return "", err
	}
	ids, _, err := t.Samples(c)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	var tree index.Tree
	if err := t.Store().Sample(ids[0], &tree); err != nil {
		return "", err
	}
	found := t.Space.Locate(&tree, c, t.Symbols())
	if len(found) == 0 {
		return "", nil
	}
	return phrase(&tree, found[0], t.Symbols()), nil
}

// ConstructionExample is like Example, for a construction counted in the trees of a store.
func ConstructionExample(s *store.Store, k *count.Counts) (text string, err error) {
	ids, _, _ := k.Samples()
	if len(ids) == 0 {
		return "", nil
	}
	syms, err := s.Symbols()
	if err != nil {
		return "", err
	}
	var tree index.Tree
	if err := s.Sample(ids[0], &tree); err != nil {
		return "", err
	}
	k.Construction.Finder(syms).Each(&tree, func(row []int32) bool {
		text = phrase(&tree, row, syms)
		return false
	})
	return text, nil
}

// phrase returns the text from the first to the last of the nodes, at most mostExample characters.
func phrase(tree *index.Tree, nodes []int32, syms *index.Symbols) string {
	text := Surface(tree, syms)
	_, match, _ := text.Split(nodes)
	if utf8.RuneCountInString(match) > mostExample {
		match = string([]rune(match)[:mostExample-1]) + "…"
	}
	return match
}
