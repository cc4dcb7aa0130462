package mining

import "github.com/alecthomas/kong"

// Texts are help texts that are too long for the tag of a flag. The tag refers to a text as ${name}.
var Texts = kong.Vars{
	"pretrain_help":    "Start from the errors of a model that has learned from the lists. orders: averaged perceptrons over the stored fragments of the space (build --max-order 2); each list is scored by the one that has learned from the other four fifths of the lists; --base adds to these scores (default: none).",
	"keep_help":        "What is selected. weights: the fragments that have a weight in the end. features: all fragments that the last iteration found, or that had a weight before it, for another learner to train on; most have no weight in the end, and their support and occurrences are not counted (default: weights).",
	"route_help":       "How fragments are found, always the same ones: depth-first; bloom, order by order, counting what a spectral Bloom filter has seen often enough, as in the paper; or bitmap, order by order, counting those whose parts occur together often enough.",
	"mine_memory_help": "Memory to stay within, such as 64MiB or 1GB; the result is the same. By gradient, the fragments that an iteration keeps, their weights and their gradients may take half of it, and more goes to disk; trees and scores come on top. Before that, the vectors of --pretrain orders may take as much (default: 256MiB).",
}
