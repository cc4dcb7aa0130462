package concordance

import (
	"context"
	"unicode/utf8"

	"fstore/index"
	"fstore/mine/query"
)

// mostExample is how long an example is, in characters.
const mostExample = 60

// Example returns the words of the first occurrence of the stored fragment with this feature id, cut
// to a short phrase.
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
	text := Surface(&tree, t.Symbols())
	_, match, _ := text.Split(found[0])
	if utf8.RuneCountInString(match) > mostExample {
		match = string([]rune(match)[:mostExample-1]) + "…"
	}
	return match, nil
}
