package lists

import (
	"errors"

	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/index"
)

// listTags changes the tags of a list's trees during a call. It is for one goroutine.
type listTags struct {
	tags read.Tags
	read.Tagger
	own []index.Token
}

// tokens returns tokens with the new tags of a list's trees, or nil if the trees keep their own.
func (w *listTags) tokens(list *read.List) []index.Token {
	if w.tags != read.TagsMajority || list.Candidates[0].Kind != index.Dependency {
		return nil
	}
	return w.Majority(list.Candidates)
}

// callWithTags calls f while the trees of a list have the tags that w.tags asks for.
func (w *listTags) callWithTags(list *read.List, trees []*index.Tree, f func()) {
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

// withTags calls f for each tree, up to the first error. Meanwhile, the trees have the tags that w.tags
// selects.
func (w *listTags) withTags(list *read.List, trees []*index.Tree, f func(t *index.Tree) error) (err error) {
	w.callWithTags(list, trees, func() {
		for _, t := range trees {
			if err = f(t); err == nil {
				continue
			}
			if _, large := errors.AsType[*linearize.TreeError](err); large {
				err = read.BadTree(list.Place, t.Line, err)
			}
			return
		}
	})
	return err
}
