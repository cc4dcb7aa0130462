package maintain

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/query"
	"fstore/store"
)

// RemoveOptions say which samples Remove takes out: the samples that match at least one of the fields.
type RemoveOptions struct {
	builder.RebuildOptions
	Samples []string // names of samples
	Labels  []string // samples that have at least one of these labels
	// Inputs are names of inputs, as in the command that built the store. The part after the last slash is
	// enough.
	Inputs []string
}

// Remove takes samples out of the store in dir, in one step. The other samples get new ids in the same order.
// Symbols keep their ids, so codes and their order stay the same. Selections keep their fragments and
// statistics, and models do not change.
//
// Remove returns an *index.UsageError if the store has no such sample, label or input, or if no sample or
// every sample would be removed.
func Remove(ctx context.Context, dir string, o RemoveOptions) (decided string, err error) {
	begin := func(r *builder.Rebuilding) (err error) {
		if r.Old, err = r.W.Old(); err != nil {
			return err
		}
		r.Without, err = samplesToRemove(r.Old, &o)
		switch {
		case err != nil:
			return err
		case r.Without.IsEmpty():
			return index.Usagef("nothing to remove: name samples, labels or inputs")
		case r.Without.GetCardinality() == uint64(r.Old.Meta().Samples):
			return index.Usagef("that is every sample: a store has one at least")
		}
		return nil
	}
	return builder.Rebuild(ctx, dir, o.RebuildOptions, begin, carryOver, func(r *builder.Rebuilding) string {
		return fmt.Sprintf("%s removed, %d left", index.Plural(r.Without.GetCardinality(), "sample"), r.Meta.Samples)
	})
}

func samplesToRemove(s *store.Store, o *RemoveOptions) (*roaring.Bitmap, error) {
	out := roaring.New()
	labels, err := s.Labels()
	if err != nil {
		return nil, err
	}
	for _, label := range o.Labels {
		label, err := query.FindLabel(label, labels)
		if err != nil {
			return nil, err
		}
		bm, err := s.LabelBitmap(label)
		if err != nil {
			return nil, err
		}
		out.Or(bm)
	}
	for _, input := range o.Inputs {
		if err := addInput(out, s.Meta(), input); err != nil {
			return nil, err
		}
	}
	wanted, form := map[string]bool{}, map[string]string{} // whether a sample has this name, and a hint at a similar name
	for _, name := range o.Samples {
		wanted[name] = false
	}
	err = s.SampleHeads(0, s.Meta().Samples, func(id uint32, t *index.Tree) error {
		if _, ok := wanted[t.Name]; ok {
			out.Add(id)
			wanted[t.Name] = true
			return nil
		}
		for _, name := range o.Samples {
			form[name] = cmp.Or(form[name], index.FormHint(name, []string{t.Name}))
		}
		return nil
	})
	for _, name := range o.Samples {
		if err == nil && !wanted[name] {
			err = index.Usagef("no sample is named %q%s", name, form[name])
		}
	}
	return out, err
}

// addInput adds the samples of all inputs with this name.
func addInput(out *roaring.Bitmap, m *store.Meta, name string) error {
	first, found := uint64(0), false
	var names []string
	for _, in := range m.Inputs {
		if in.Name == name || in.Name != "" && filepath.Base(in.Name) == name {
			out.AddRange(first, first+uint64(in.Samples))
			found = true
		}
		first += uint64(in.Samples)
		if in.Name != "" && !slices.Contains(names, in.Name) {
			names = append(names, in.Name)
		}
	}
	switch {
	case found:
		return nil
	case len(names) == 0:
		return index.Usagef("no sample is from %s: the store was built when inputs were not recorded", name)
	case len(names) <= 12:
		return index.Usagef("no sample is from %s: they are from %s", name, strings.Join(names, ", "))
	}
	return index.Usagef("no sample is from %s: there are %d inputs (fstore info --history lists them)", name, len(names))
}
