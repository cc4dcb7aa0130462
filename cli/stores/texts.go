package stores

import "github.com/alecthomas/kong"

// Texts are help texts that are too long for the tag of a flag. The tag refers to a text as ${name}.
var Texts = kong.Vars{
	"build_tags_help": "With --gold: the tags, lemmas and features that the dependency trees of a list get. majority (the default): those that most of its candidates have, each counted as in the vote of predict. own: each tree keeps its own, by which gold trees may be known.",
}
