package stores

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/crossval"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// mostListed is the largest number of names that a citation lists. Of more names it gives only the number.
const mostListed = 12

// citation returns the paragraph of --cite.
func citation(s *store.Store) (string, error) {
	m := s.Meta()
	inputs, versions := citeInputs(m)
	treebank, err := citeTreebank(s, inputs)
	if err != nil {
		return "", err
	}
	text := []string{treebank}
	for i := range m.Spaces {
		text = append(text, citeSpace(&m.Spaces[i], versions))
	}
	for i := range m.Selections {
		info := &m.Selections[i]
		if crossval.OfFold(info.Settings) {
			continue
		}
		text = append(text, fmt.Sprintf("Selection %s, of space %s by %s%s: %s (vocabulary %016x).",
			info.Name, spaces.RecordID(m.Spaces[info.Space].ID), info.By, citeSettings(query.SettingsOf(info)), index.Plural(info.Features, "fragment"), info.VocabularyHash))
	}
	for i := range m.Models {
		info := &m.Models[i]
		if crossval.OfFold(info.Settings) {
			continue
		}
		over := ""
		if info.Kernel != "" {
			over = ", kernel " + spaces.RecordID(info.Kernel)
		}
		if info.Selection != "" {
			over += " over selection " + info.Selection
		}
		text = append(text, fmt.Sprintf("Model %s: %s%s%s.", info.Name, info.Learner, over, citeSettings(info.Settings)))
	}
	return strings.Join(text, " "), nil
}

// citeInputs returns the inputs whose samples are in the store, and the versions of fstore that read them.
func citeInputs(m *store.Meta) (inputs []string, program string) {
	names := map[string]bool{}
	for _, in := range m.Inputs {
		names[in.Name] = names[in.Name] || in.Samples > 0
	}
	var versions []string
	for _, e := range m.History {
		for _, in := range e.Inputs {
			if !names[in.Name] {
				continue // read for another purpose, or removed again
			}
			if text := fmt.Sprintf("%s (xxh3 %016x)", in.Name, in.Hash); !slices.Contains(inputs, text) {
				inputs = append(inputs, text)
			}
			if !slices.Contains(versions, e.Version) {
				versions = append(versions, e.Version)
			}
		}
	}
	if len(versions) == 0 {
		return inputs, "fstore"
	}
	return inputs, "fstore " + listed(versions, "version")
}

// citeTreebank returns a sentence about the samples, their labels and their inputs.
func citeTreebank(s *store.Store, inputs []string) (string, error) {
	m := s.Meta()
	text := fmt.Sprintf("The data are %s (%s)", index.Plural(m.Samples, m.Kind.String()+" sample"), index.Plural(m.Words, "word"))
	if m.Documents > 0 {
		text += " of " + index.Plural(m.Documents, "document")
	}
	labels, err := s.Labels()
	if err != nil {
		return "", err
	}
	var named []string
	for _, label := range labels {
		bm, err := s.LabelBitmap(label)
		if err != nil {
			return "", err
		}
		named = append(named, fmt.Sprintf("%s (%s)", label, index.Thousands(bm.GetCardinality())))
	}
	if len(named) > 0 {
		text += ", labelled " + listed(named, "label")
	}
	if len(inputs) > 0 {
		text += ", read from " + listed(inputs, "file")
	}
	return text + ".", nil
}

// listed joins texts with commas and "and". For more than mostListed texts it returns a count, as in "30
// files".
func listed(all []string, thing string) string {
	if len(all) > mostListed {
		return index.Plural(len(all), thing)
	}
	if len(all) == 1 {
		return all[0]
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " and " + all[last]
}

// citeSpace returns a sentence about the stored fragments of a space.
func citeSpace(info *store.SpaceInfo, program string) string {
	kind := ""
	if info.Closed {
		kind = "closed "
	}
	limit := ""
	if info.MaxOrder > 0 {
		limit = fmt.Sprintf(" and order %d at most", info.MaxOrder)
	}
	return fmt.Sprintf("With %s, every %sfragment of space %s%s that occurs in %s or more was counted: %s (vocabulary %016x); %s of %s occur in fewer.",
		program, kind, spaces.RecordID(info.ID), limit, index.Plural(info.MinSupport, "sample"), index.Plural(info.Features, "fragment"),
		info.VocabularyHash, index.Thousands(sum(info.Below)), index.Plural(sum(info.Candidates), "candidate"))
}

func sum(all []uint64) (n uint64) {
	for _, x := range all {
		n += x
	}
	return n
}

// citeSettings returns the settings of a selection or a model as text.
func citeSettings(settings map[string]string) string {
	settings = selection.ForPeople(settings)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		all = append(all, name+" "+settings[name])
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}
