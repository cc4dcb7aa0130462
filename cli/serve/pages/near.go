package pages

import (
	"regexp"
	"slices"
	"strings"

	"fstore/cli/serve/ask"
)

const (
	// mostNear is the largest number of similar patterns offered for a pattern without hits.
	mostNear = 8
	// longestCounted is the largest length of a pattern, in bytes, for which similar patterns are offered.
	longestCounted = 500
)

// unknown matches a note of the command `count` about a name that no tree has.
var unknown = regexp.MustCompile(`no tree has the \w+ (\S+): did you mean (.+?)\?`)

// nearTo returns patterns similar to a pattern without hits. Each of the notes can suggest a name in place of
// an unknown one.
func nearTo(pattern string, notes []string) (all []string) {
	add := func(p string) {
		if p != pattern && !slices.Contains(all, p) && len(all) < mostNear {
			all = append(all, p)
		}
	}
	for _, note := range notes {
		m := unknown.FindStringSubmatch(note)
		if m == nil {
			continue
		}
		name, err := regexp.Compile(`(^|[ ()<>=|\[])` + regexp.QuoteMeta(m[1]) + `($|[ ()|\]\[])`)
		if err != nil {
			continue
		}
		for other := range strings.SplitSeq(m[2], " or ") {
			add(name.ReplaceAllString(pattern, "${1}"+strings.ReplaceAll(other, "$", "$$")+"${2}"))
		}
	}
	tokens := strings.Split(pattern, " ")
	for i, t := range tokens {
		name := strings.Trim(t, "()")
		if isArc(t) || name == "" || name == "_" || name == "..." {
			continue
		}
		open := slices.Clone(tokens)
		open[i] = strings.Replace(t, name, "_", 1)
		if label, _, ok := strings.Cut(name, "["); ok && label != "" {
			open[i] = strings.Replace(t, name, label, 1)
		}
		add(strings.Join(open, " "))
	}
	return all
}

// near returns the similar patterns that have hits, with their counts over all samples.
func (v *View) near(pattern string, notes []string) (rows []Row) {
	all := nearTo(pattern, notes)
	if len(all) == 0 || len(pattern) > longestCounted {
		return nil
	}
	l := ask.NewLine("count", v.Shelf).Flag("space", v.space())
	for _, p := range all {
		l.Arg(p)
	}
	v.add("near", l)
	for _, row := range v.Table("near").Rows {
		if row.Text("label") == "" && row.Number("hits") > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
