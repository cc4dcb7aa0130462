package spaces

import (
	"cmp"
	"slices"
	"strings"

	"fstore/index"
)

// A space has two names. Its ID leaves out the options that are as the defaults are now:
// it is what people type and read. RecordID has every option: it is what stores, models
// and files hold, as defaults may change.

// fullNamed is implemented by spaces whose defaults are not those of their Options alone.
type fullNamed interface{ FullID() string }

// renamed is implemented by spaces whose defaults have changed.
type renamed interface{ FirstID() string }

// before are the options that the first version left out of the names it recorded, where
// the defaults have changed since.
var before = map[string]string{"dep": "siblings=adjacent,max-span=0,template=rel+h.upos+m.upos"}

// RecordID returns the name with every option of the space with this ID. What is no ID
// stays as it is.
func RecordID(id string) string {
	r, err := Parse(id)
	if err != nil {
		return id
	}
	if s, ok := r.Space.(fullNamed); ok {
		return s.FullID()
	}
	name, text, _ := strings.Cut(id, ":")
	var defaults []string
	for _, o := range Options(name) {
		if o.Default != "" {
			defaults = append(defaults, o.Name+"="+o.Default)
		}
	}
	return withOptions(name, complete(splitOptions(text), defaults))
}

// ParseRecorded reads a name that RecordID or an earlier version has made.
func ParseRecorded(recorded string) (Request, error) {
	name, text, _ := strings.Cut(recorded, ":")
	return Parse(withOptions(name, complete(splitOptions(text), splitOptions(before[name]))))
}

// Recorded is the ID of the space with a recorded name. What is no name stays as it is.
func Recorded(recorded string) string {
	r, err := ParseRecorded(recorded)
	if err != nil {
		return recorded
	}
	return r.Space.ID()
}

// FirstID is the ID that the space would have, were the defaults those of the first
// version: vocabulary hashes are made of it.
func FirstID(s index.Space) string {
	if f, ok := s.(renamed); ok {
		return f.FirstID()
	}
	return s.ID()
}

// Named returns those of some IDs that an argument may mean: the one that it is, or else
// all with its name and each option that it gives.
func Named(arg string, ids []string) (all []string) {
	r, err := Parse(arg)
	if err != nil {
		return nil
	}
	if id := r.Space.ID(); slices.Contains(ids, id) {
		return []string{id}
	}
	name, text, _ := strings.Cut(arg, ":")
	for _, id := range ids {
		other, options, _ := strings.Cut(RecordID(id), ":")
		r, err := Parse(withOptions(name, complete(splitOptions(text), splitOptions(options))))
		if other == name && err == nil && r.Space.ID() == id {
			all = append(all, id)
		}
	}
	return all
}

// splitOptions splits the options behind a space's name.
func splitOptions(text string) []string {
	return slices.DeleteFunc(strings.Split(text, ","), func(o string) bool { return o == "" })
}

// optionName is the name of an option; templates chooses what template does.
func optionName(option string) string {
	name, _, _ := strings.Cut(option, "=")
	name = strings.TrimSpace(name)
	if name == "templates" {
		return "template"
	}
	return name
}

// complete adds those of some options whose names are not there.
func complete(options, more []string) []string {
	given := map[string]bool{}
	for _, o := range options {
		given[optionName(o)] = true
	}
	for _, o := range more {
		if !given[optionName(o)] {
			options = append(options, o)
		}
	}
	return options
}

// withOptions is a space's name with options, by their names.
func withOptions(name string, options []string) string {
	if len(options) == 0 {
		return name
	}
	slices.SortStableFunc(options, func(a, b string) int { return cmp.Compare(optionName(a), optionName(b)) })
	return name + ":" + strings.Join(options, ",")
}
