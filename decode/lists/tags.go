package lists

import (
	"fstore/decode/read"
	"fstore/index"
)

// listTags gives the trees of lists the tags that tags says, for a while. It is for one
// goroutine.
type listTags struct {
	tags read.Tags
	read.Tagger
	own []index.Token
}

// tokens has the tags that the trees of a list are given; nil: their own.
func (w *listTags) tokens(list *read.List) []index.Token {
	if w.tags != read.TagsMajority || list.Candidates[0].Kind != index.Dependency {
		return nil
	}
	return w.Majority(list.Candidates)
}

// while calls f while trees of a list have the tags that they are given.
func (w *listTags) while(list *read.List, trees []*index.Tree, f func()) {
	tokens := w.tokens(list)
	if tokens == nil {
		f()
		return
	}
	w.own = w.own[:0]
	for _, t := range trees {
		w.own = append(w.own, t.Tokens...)
		read.Apply(t, tokens)
	}
	f()
	own := w.own
	for _, t := range trees {
		own = own[copy(t.Tokens, own):]
	}
}

// withTags calls f for trees of a list while they have the tags that they are given, up to the
// first error.
func (w *listTags) withTags(list *read.List, trees []*index.Tree, f func(t *index.Tree) error) (err error) {
	w.while(list, trees, func() {
		for _, t := range trees {
			if err = f(t); err != nil {
				err = tooLarge(list, t, err)
				return
			}
		}
	})
	return err
}
