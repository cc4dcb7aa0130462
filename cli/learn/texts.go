package learn

import "github.com/alecthomas/kong"

// Texts are the texts of help that are too long for the tag of a flag, by the name that the tag has.
var Texts = kong.Vars{
	"vector_formats":   "svmlight (where neither this nor the extension of -o says), vw, jsonl, msgpack, npz (for scipy.sparse.load_npz; with labels, classes and ids), mtx (MatrixMarket, for R, SciPy and Julia; with the names of rows and columns), arrow (the IPC file; in a pipe the stream), arrows (the IPC stream) or parquet.",
	"why_help":         "The N fragments that spoke loudest for or against the label, each with what it adds to the score, as columns fragment:1, adds:1 and so on; of a kernel machine, among the stored fragments of its space, by relevance. Of K-best lists, by what the chosen candidate differs most from the one with the highest score of its own, or from the next where it is that.",
	"kernel_help":      "The space whose kernel it is; a space of the store, where one has the name and the options that are given (default: that of --selection; else stk for constituency trees, dep for dependency trees).",
	"train_where_help": "Learn over those fragments of --selection, or else of the space, for which EXPR holds: an expression over the columns that query has of a space, without a model, or of a selection; those of association are with the label of --positive (default: of two, the first; of more, take select). They are kept with the model, as the selection NAME.where.",
	"beta_help":        "What a candidate's own score counts beside the model's: one number, or several to choose from by cross-validation, or grid, those around where both matter alike (default: voted-perceptron has the grid; averaged-perceptron weighs all that is known of a candidate, of which the score is one thing; --over all has 0).",
}
