package dep

import "fstore/index/internal/option"

// Options describes what New reads.
var Options = append([]option.Doc{
	{Name: "siblings", Values: ruleNames[:], Default: ruleNames[defaultRule], Help: "which children of a head a fragment may have: neighbours, neighbours on one side of it, or any"},
	{Name: "max-span", Values: []string{"N"}, Help: "the dependents that a fragment has of one head lie among N neighbouring ones, which only a head with more feels; 0 is no limit (20 with siblings=any, else 0)"},
	{Name: "ordered", Values: []string{"true", "false"}, Default: "true", Help: "false ignores the order of children, under siblings=any"},
}, arcOptions(defaultTemplate)...)

// ArcOptions are those that NewArcFeatures reads.
var ArcOptions = arcOptions(firstTemplate)

// arcOptions are those that choose the basic features of arcs.
func arcOptions(template string) []option.Doc {
	return []option.Doc{
		{Name: "template", Values: []string{"FIELD+FIELD…"}, Default: template, Help: "repeatable; a FIELD is rel, dir, dist (bucketed), between (each UPOS in between), or h or m (head, modifier) with an offset from -2 to +2 and form, lemma, upos, xpos, feats, rel, deps or misc[KEY], a value of MISC: h.upos, m-1.form"},
		{Name: "templates", Values: setNames(), Help: "repeatable; a set of templates: Table 1 of Qian & Liu 2015, each alone, with direction, and with direction and length; bare without these"},
		{Name: "root-arcs", Values: []string{"true", "false"}, Default: "false", Help: "arcs from the artificial root are arcs like others"},
	}
}
