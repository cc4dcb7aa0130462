package command

import "github.com/alecthomas/kong"

// Texts are help texts that are too long for the tag of a flag. The tag refers to a text as ${name}.
var Texts = kong.Vars{
	"punct_help": "The words that do not count, by the gold tree: upos (tagged PUNCT; the default for dependencies), unicode (nothing but punctuation characters, as CoNLL-X has it), ptb (the tags that evalb leaves out; the default for constituency trees), or keep (all count, as CoNLL 2018 has it).",
}
