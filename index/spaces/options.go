package spaces

import (
	"fmt"
	"slices"
	"strings"
)

// limitOptions are the options that every space takes. They limit which of its fragments are stored.
var limitOptions = []Option{
	{Name: "min-support", Values: []string{"N"}, Help: "as --min-support, for this space"},
	{Name: "max-order", Values: []string{"R"}, Help: "as --max-order"},
	{Name: "closed", Values: []string{"true", "false"}, Help: "as --closed"},
}

// Options returns the options of a registered space, without limitOptions.
func Options(name string) []Option { return find(name).options }

// WithOption returns the names of the spaces that have the option called name.
func WithOption(name string) (names []string) {
	for _, r := range registry {
		if slices.ContainsFunc(r.options, func(o Option) bool { return o.Name == name }) {
			names = append(names, r.name)
		}
	}
	return names
}

// Example returns a value of an option of a space, if possible not the default. If the option takes any
// value, it returns a placeholder, such as N.
func Example(space, name string) string {
	for _, o := range Options(space) {
		if o.Name != name {
			continue
		}
		for _, v := range slices.Backward(o.Values) {
			if v != o.Default {
				return v
			}
		}
	}
	return ""
}

// Arguments returns the completions of `--space NAME:`. Each has one option and one of its values. If the
// option takes any value, the completion ends with the "=".
func Arguments(name string) (all []string) {
	for _, o := range slices.Concat(Options(name), limitOptions) {
		if isFree(o.Values) {
			all = append(all, name+":"+o.Name+"=")
			continue
		}
		for _, v := range o.Values {
			all = append(all, name+":"+o.Name+"="+v)
		}
	}
	return all
}

// isFree says whether an option takes any value: then values has only a placeholder, such as N.
func isFree(values []string) bool {
	return len(values) == 1 && values[0] == strings.ToUpper(values[0])
}

// Describe returns a help text: every space, then a line for each of its options, with values and default.
func Describe() string {
	var b strings.Builder
	for _, r := range registry {
		fmt.Fprintf(&b, "    %-7s %s\n", r.name, r.help)
		for _, o := range r.options {
			describe(&b, o)
		}
	}
	fmt.Fprintf(&b, "    %-7s %s\n", "(all)", "every space takes")
	for _, o := range limitOptions {
		describe(&b, o)
	}
	return b.String()
}

func describe(b *strings.Builder, o Option) {
	fmt.Fprintf(b, "    %-7s   %s=%s", "", o.Name, strings.Join(o.Values, "|"))
	if o.Default != "" {
		fmt.Fprintf(b, " (%s)", o.Default)
	}
	if o.Help != "" {
		b.WriteString(": " + o.Help)
	}
	b.WriteByte('\n')
}
