package mining

import "github.com/alecthomas/kong"

// Texts are the texts of help that are too long for the tag of a flag, by the name that the tag has.
var Texts = kong.Vars{
	"pretrain_help":    "Start from the errors of a model that has learned from the lists: orders, averaged perceptrons over the stored fragments of the space (build --max-order 2), each list scored by one that has learned from the other fifths; --base adds to its scores (default: none).",
	"keep_help":        "What is selected: weights, the fragments that have a weight in the end; or features, all of the last iteration, those it found and those that had a weight before it, most of them without one now, for another learner to train on; support and occurrences are then not counted (default: weights).",
	"route_help":       "How fragments are found, always the same ones: depth-first; bloom, order by order, counting what a spectral Bloom filter has seen often enough, as in the paper; or bitmap, order by order, counting those whose parts occur together often enough.",
	"mine_memory_help": "Memory to stay within, such as 64MiB or 1GB; the result is the same. By gradient, half of it is for the fragments that an iteration keeps, their weights and their gradients, before these go to disk; trees and scores come on top. Before, the vectors of --pretrain orders may take as much (default: 256MiB).",
}
