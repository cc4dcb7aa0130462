package spaces

import (
	"cmp"
	"slices"
	"strings"

	"fstore/index"
)

// A space has two names. People type and read its ID, which leaves out the options with today's default
// values. Stores, models and files use its record ID, which has every option, because defaults may change.

// fullNamed is implemented by spaces with defaults that their Options do not list.
type fullNamed interface{ FullID() string }

// renamed is implemented by spaces whose defaults have changed since the first version.
type renamed interface{ FirstID() string }

// firstDefaults has the old defaults of options whose defaults have changed since the first version, by
// space. The first version did not record options with these values.
var firstDefaults = map[string]string{"dep": "siblings=adjacent,max-span=0,template=rel+h.upos+m.upos"}

// RecordID returns the ID of a space with all its options, as stores record it. It returns any other text
// unchanged.
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

// ParseRecorded reads a name that RecordID or an earlier version made.
func ParseRecorded(recorded string) (Request, error) {
	name, text, _ := strings.Cut(recorded, ":")
	return Parse(withOptions(name, complete(splitOptions(text), splitOptions(firstDefaults[name]))))
}

// Recorded returns the ID of the space with this recorded name. If ParseRecorded fails, it returns the name
// unchanged.
func Recorded(recorded string) string {
	r, err := ParseRecorded(recorded)
	if err != nil {
		return recorded
	}
	return r.Space.ID()
}

// FirstID returns the ID of the space under the defaults of the first version, for vocabulary hashes.
func FirstID(s index.Space) string {
	if f, ok := s.(renamed); ok {
		return f.FirstID()
	}
	return s.ID()
}

// Named returns the `ids` that an argument names: only the exact ID if `ids` has it, else every ID of the
// same space with all given options.
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

// splitOptions splits the text behind the colon of a space's ID into options.
func splitOptions(text string) []string {
	return slices.DeleteFunc(strings.Split(text, ","), func(o string) bool { return o == "" })
}

// optionName returns the name of an option, but "template" for the option "templates".
func optionName(option string) string {
	name, _, _ := strings.Cut(option, "=")
	name = strings.TrimSpace(name)
	if name == "templates" {
		return "template"
	}
	return name
}

// complete appends to options the defaults of those options that are not given.
func complete(options, defaults []string) []string {
	given := map[string]bool{}
	for _, o := range options {
		given[optionName(o)] = true
	}
	for _, o := range defaults {
		if !given[optionName(o)] {
			options = append(options, o)
		}
	}
	return options
}

// withOptions returns a space's name and options as an ID, and sorts the options by name.
func withOptions(name string, options []string) string {
	if len(options) == 0 {
		return name
	}
	slices.SortStableFunc(options, func(a, b string) int { return cmp.Compare(optionName(a), optionName(b)) })
	return name + ":" + strings.Join(options, ",")
}
