package learn

import "github.com/alecthomas/kong"

// Texts are help texts that are too long for the tag of a flag. The tag refers to a text as ${name}.
var Texts = kong.Vars{
	"vector_formats":   "svmlight (the default, unless the extension of -o says otherwise), vw, jsonl, msgpack, npz (for scipy.sparse.load_npz; with labels, classes and ids), mtx (MatrixMarket, for R, SciPy and Julia; with the names of rows and columns), arrow (the IPC file; in a pipe the stream), arrows (the IPC stream) or parquet.",
	"why_help":         "The N fragments that spoke loudest for or against the label, each with what it adds to the score, as columns fragment:1, adds:1 and so on; of a kernel machine, among the stored fragments of its space, by relevance. Of K-best lists, the fragments in which the chosen candidate differs most from the candidate with the highest score of its own, or from the next one if it is that candidate.",
	"kernel_help":      "The space of the kernel. It is a space of the store if one has the name and the options that are given (default: that of --selection; else stk for constituency trees, dep for dependency trees).",
	"train_where_help": "Learn over the fragments of --selection, or else of the space, for which EXPR holds. EXPR is an expression over the columns that query has for a selection, or for a space without --model. The columns of association are with the label of --positive (default: the first of two labels; for more labels, use select). The fragments are kept with the model, as the selection NAME.where.",
	"beta_help":        "What a candidate's own score counts beside the model's: one number, or several to choose from by cross-validation, or grid, those around the one with which both matter alike (default: voted-perceptron has the grid; averaged-perceptron weighs all that is known of a candidate, its score too; --over all has 0).",
}
