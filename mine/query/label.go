package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/index"
	"fstore/store"
	"fstore/store/posting"
)

// unknownLabel returns the error for a label that no sample has. It names similar labels. If no label is
// similar, it names all labels, unless they are many.
func unknownLabel(label string, labels []string) error {
	text := "the store has no label " + label
	if label == "" {
		text = "an empty label"
	}
	few := nearest(label, labels)
	switch form := index.FormHint(label, labels); {
	case form != "":
		return index.Usagef("%s%s", text, form)
	case len(few) > 0:
		return index.Usagef("%s: did you mean %s?", text, strings.Join(few, " or "))
	case len(labels) == 0:
		return index.Usagef("%s: it has none", text)
	case len(labels) <= maxListed:
		return index.Usagef("%s: it has %s", text, strings.Join(labels, ", "))
	}
	return index.Usagef("%s: it has %d others (fstore info lists them)", text, len(labels))
}

const maxListed = 12 // how many labels a message names

// FindLabel returns the label of the store that label means, see index.FindLabel. A label that no sample has
// is a usage error.
func (t *Table) FindLabel(label string) (string, error) { return FindLabel(label, t.Labels) }

// FindLabel does what Table.FindLabel does, with the given labels of a store.
func FindLabel(label string, labels []string) (string, error) {
	found, ok := index.FindLabel(label, labels)
	if !ok {
		return "", unknownLabel(label, labels)
	}
	return found, nil
}

// FindUnion returns the labels that text names. The text is one label, or several labels separated by commas;
// no label contains a comma. FindLabel finds each label. The result has each label once.
func (t *Table) FindUnion(text string) (labels []string, err error) {
	for part := range strings.SplitSeq(text, ",") {
		label, err := t.FindLabel(part)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels, nil
}

// nearest returns labels that are similar to an unknown label. If the label is a number, it returns no
// labels, because a number that differs in one digit is another class.
func nearest(label string, labels []string) []string {
	if _, err := strconv.ParseFloat(label, 64); err == nil {
		return nil
	}
	return index.Nearest(label, labels)
}

// EachOf calls f for the samples with a label, ascending.
func (t *Table) EachOf(label string, f func(id uint32)) error {
	bm, err := t.s.LabelBitmap(label)
	if err != nil {
		return err
	}
	n := t.s.Meta().Samples
	for it := bm.Iterator(); it.HasNext(); {
		id := it.Next()
		if id >= n {
			return &store.Error{Dir: t.s.Dir(), Kind: store.ErrDamaged, Detail: fmt.Sprintf("label %q names sample %d of %d", label, id, n)}
		}
		f(id)
	}
	return nil
}

// loadLabels reads the labels of all samples, once.
func (t *Table) loadLabels() error {
	if t.labelOf != nil {
		return nil
	}
	of := make([]int32, t.s.Meta().Samples)
	t.more = map[uint32][]int32{}
	for k, label := range t.Labels {
		err := t.EachOf(label, func(id uint32) {
			if of[id] == 0 {
				of[id] = int32(k + 1)
			} else {
				t.more[id] = append(t.more[id], int32(k))
			}
		})
		if err != nil {
			return err
		}
	}
	t.labelOf = of
	return nil
}

// CountLabels sets ByLabel of the row that Each has just given.
func (t *Table) CountLabels(r *Row) (err error) {
	if len(t.Labels) == 0 {
		return nil
	}
	if err := t.loadLabels(); err != nil {
		return err
	}
	r.ByLabel = append(r.ByLabel[:0], make([]uint32, len(t.Labels))...)
	if t.ids, err = posting.IDs(r.posting, t.s.Meta().Samples, t.ids[:0]); err != nil {
		return t.damaged(err)
	}
	for _, id := range t.ids {
		k := t.labelOf[id]
		if k == 0 {
			continue
		}
		r.ByLabel[k-1]++
		if len(t.more) > 0 {
			for _, k := range t.more[id] {
				r.ByLabel[k]++
			}
		}
	}
	return nil
}
