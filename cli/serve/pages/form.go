package pages

import "slices"

// mostOptions is how many labels a form lists.
const mostOptions = 200

// LabelOptions are the labels that forms list; of a store with more, one is typed.
func (v *View) LabelOptions() []string {
	if labels := v.Labels(); len(labels) <= mostOptions {
		return labels
	}
	return nil
}

// labelField is the field of a form for a label. It is a list of Options, or a text field if there are
// none. Any says what an empty field means; it is "" if the field may not be empty.
type labelField struct {
	ID, Name, Text, Any, Value string
	Options                    []string
}

// labelFieldOf returns the field with what the page's form has in it.
func labelFieldOf(v *View, id, name, text, any string) labelField {
	f := labelField{id, name, text, any, v.Get(name), v.LabelOptions()}
	if f.Options != nil && f.Value != "" && !slices.Contains(f.Options, f.Value) {
		f.Options = append(slices.Clone(f.Options), f.Value) // several labels, or an unknown one
	}
	return f
}
