package stores

import "github.com/alecthomas/kong"

// Texts are the texts of help that are too long for the tag of a flag, by the name that the tag has.
var Texts = kong.Vars{
	"build_tags_help": "With --gold: the tags, lemmas and features of dependency trees: majority, those that most candidates of the list have, each counted as in the vote of predict (the default), or own, each tree's: gold trees may be known by theirs.",
}
