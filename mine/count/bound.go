package count

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/store"
	"fstore/store/posting"
)

// Bound is the set of samples that can have hits of a construction.
type Bound struct {
	Samples *roaring.Bitmap // nil: all samples
	By      []BoundBy       // the fragments that limit the samples, the rarest first
}

// BoundBy is a fragment that every sample with a hit contains. If Text names several fragments, each such
// sample contains at least one of them.
type BoundBy struct {
	Space   string
	Text    string
	Support uint64 // number of samples with the fragment
}

// String names the fragments that limit the samples, or says that no fragment limits them.
func (b *Bound) String() string {
	if b.Samples == nil {
		return "no stored fragment bounds it"
	}
	var all []string
	for _, by := range b.By {
		all = append(all, fmt.Sprintf("%s (%s)", by.Text, index.Plural(by.Support, "sample")))
	}
	return "bound by " + strings.Join(all, ", ")
}

const (
	mostLists = 6   // largest number of lists that are intersected
	mostNamed = 3   // largest number of texts that are named for one bound
	smallSet  = 8   // if the set is no larger, no further list is used, because it would save little
	atMost    = 0.7 // a list with a larger share of all samples is not used, because it excludes too few
)

// Bound finds the stored fragments that every hit of a construction contains, and intersects their samples.
func (x *Trees) Bound(c *Construction) (*Bound, error) {
	l := &lists{x: x}
	var err error
	if c.Pattern == nil {
		err = l.ofFragment(c)
	} else {
		for _, s := range x.spaces {
			im, ok := s.implied()
			if !ok {
				continue
			}
			for _, p := range c.Pattern.Parts(im, x.syms) {
				if err := l.addPart(s, p.Texts, p.Nodes); err != nil {
					return nil, err
				}
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return l.intersect()
}

// lists has the posting lists that limit which samples can have a construction.
type lists struct {
	x   *Trees
	all []boundList
}

// boundList is the union of some posting lists. Only its samples can have hits.
type boundList struct {
	BoundBy
	nodes []int // the nodes of the pattern that the limit covers; nil: all nodes
	lists [][]byte
}

// ofFragment adds the posting list of a fragment. If the list is not known or can lack samples, ofFragment
// adds the lists of the fragment's parts instead.
func (l *lists) ofFragment(c *Construction) error {
	if _, ok := c.Space.(index.Spanned); !ok || c.in.info.WideHeads == 0 {
		done, err := l.addCode(c.in, c.Fragment, c.Text)
		if done || err != nil {
			return err
		}
	}
	for _, part := range c.Space.Parts(nil, c.Fragment, l.x.syms) {
		text := string(c.Space.AppendText(nil, part, l.x.syms))
		if c.in.info.WideHeads > 0 && part.Len() > 1 {
			continue
		}
		if _, err := l.addCode(c.in, part, text); err != nil {
			return err
		}
	}
	return nil
}

// addCode adds the posting list of one fragment. It returns false if the list is not known (see get).
func (l *lists) addCode(s *spaceIn, c index.Code, text string) (bool, error) {
	list, known, err := l.get(s, c)
	if err != nil || !known {
		return false, err
	}
	return true, l.addLimit(s, boundList{BoundBy: BoundBy{Text: text}, lists: [][]byte{list}})
}

// get returns the posting list of a fragment, and whether the list is known. A known list is nil if no tree
// has the fragment.
func (l *lists) get(s *spaceIn, c index.Code) (list []byte, known bool, err error) {
	list, err = l.x.s.Get(s.info.Number, c)
	if errors.Is(err, store.ErrNotFound) {
		return nil, s.has(c.Len()), nil
	}
	return list, err == nil, err
}

// addPart adds a limit: a hit needs one of the fragments in `texts`. It adds nothing if a posting list is not
// known.
func (l *lists) addPart(s *spaceIn, texts []string, nodes []int) error {
	b := boundList{nodes: nodes}
	b.Text = strings.Join(texts[:min(len(texts), mostNamed)], " or ")
	if len(texts) > mostNamed {
		b.Text += " or …"
	}
	for _, text := range texts {
		c, err := s.ParseText(text, l.x.syms)
		if errors.Is(err, index.ErrAbsent) {
			continue
		}
		if err != nil {
			return nil // the text is no fragment of this space
		}
		list, known, err := l.get(s, c)
		if err != nil || !known {
			return err
		}
		b.lists = append(b.lists, list)
	}
	return l.addLimit(s, b)
}

// addLimit adds a limit: every hit has one of the fragments in b. It sets b.Support to the sum of the
// fragments' supports.
func (l *lists) addLimit(s *spaceIn, b boundList) error {
	b.Space = s.info.ID
	b.lists = slices.DeleteFunc(b.lists, func(list []byte) bool { return list == nil })
	for _, list := range b.lists {
		support, _, err := posting.Header(list)
		if err != nil {
			return l.x.damaged(err)
		}
		b.Support += uint64(support)
	}
	l.all = append(l.all, b)
	return nil
}

// damaged returns the error for a posting list that cannot be read.
func (x *Trees) damaged(err error) error {
	return &store.Error{Dir: x.s.Dir(), Kind: store.ErrDamaged, Detail: "posting list", Err: err}
}

// intersect intersects the limits, the rarest first. It skips limits that are unlikely to exclude many more
// samples.
func (l *lists) intersect() (*Bound, error) {
	slices.SortStableFunc(l.all, func(a, b boundList) int {
		return cmp.Or(cmp.Compare(a.Support, b.Support), cmp.Compare(len(b.nodes), len(a.nodes)))
	})
	b := &Bound{}
	samples := l.x.s.Meta().Samples
	var used []boundList
	for _, list := range l.all {
		switch {
		case len(used) == mostLists || float64(list.Support) > atMost*float64(samples) && len(l.all) > 1:
			continue
		case b.Samples != nil && b.Samples.GetCardinality() <= smallSet:
			continue
		case slices.ContainsFunc(used, func(u boundList) bool {
			return u.Space == list.Space && list.nodes != nil && isSubset(list.nodes, u.nodes)
		}):
			continue
		}
		set := roaring.New()
		for _, p := range list.lists {
			bm, err := posting.Bitmap(p, samples)
			if err != nil {
				return nil, l.x.damaged(err)
			}
			set.Or(bm)
		}
		list.Support = set.GetCardinality()
		used, b.By = append(used, list), append(b.By, list.BoundBy)
		if b.Samples == nil {
			b.Samples = set
		} else {
			b.Samples.And(set)
		}
	}
	return b, nil
}

func isSubset(a, b []int) bool {
	return !slices.ContainsFunc(a, func(x int) bool { return !slices.Contains(b, x) })
}
