package spaces

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Spaces accept what is described: every listed value, and the default, which changes nothing. They refuse
// all other options.
func TestOptions(t *testing.T) {
	takes := regexp.MustCompile(`has no option`)
	var all []string
	for _, name := range Names() {
		for _, o := range Options(name) {
			all = append(all, o.Name)
		}
	}
	for _, name := range Names() {
		plain, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range Options(name) {
			if o.Default != "" {
				if r, err := Parse(name + ":" + o.Name + "=" + o.Default); err != nil || r.Space.ID() != plain.Space.ID() {
					t.Errorf("%s: the default of %s: %v", name, o.Name, err)
				}
			}
			for _, v := range o.Values {
				arg := name + ":" + o.Name + "=" + v
				if o.Name == "ordered" {
					arg += ",siblings=any"
				}
				if _, err := Parse(arg); err != nil && !isFree(o.Values) {
					t.Errorf("%s: %v", arg, err)
				}
			}
		}
		for _, option := range all {
			known := slices.Contains(WithOption(option), name)
			if _, err := Parse(name + ":" + option + "=?"); err == nil || known == takes.MatchString(err.Error()) {
				t.Errorf("%s: option %s, described %v: %v", name, option, known, err)
			}
		}
		for _, arg := range Arguments(name) {
			if !strings.HasPrefix(arg, name+":") || !strings.Contains(Describe(), "\n    "+name+" ") && name != Names()[0] {
				t.Errorf("%s: %s", name, arg)
			}
		}
	}
}
