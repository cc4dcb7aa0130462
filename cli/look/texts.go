package look

import "github.com/alecthomas/kong"

// Texts are help texts that are too long for the tag of a flag. The tag refers to a text as ${name}.
var Texts = kong.Vars{
	"contrast_count_help": "What frequencies count: occurrences, places (the different nodes at which occurrences begin), or the sentences or documents that have the fragment (default: places where one node can begin several occurrences, as of dep, emb, ptk, seq and patterns; else occurrences).",
	"hit_formats":         "table (aligned; on a terminal unless given), tsv (elsewhere), csv, jsonl (one object a line), xlsx, arrow, arrows or parquet; or treebank: the samples with the hits, in the format of their input, which -o FILE.conllu (mrg, ptb, svmtk) is too.",
	"query_columns_help":  "More columns: id; chi2, pvalue, g2, pmi, logdice, logodds, the association with a label; inside_pmi, inside_logdice, inside_g2, the association of a fragment's nodes; relevance or weight, what --model says; places, the different nodes at which occurrences begin, and places:LABEL; dp and dpnorm, how unevenly the documents have the fragment; example, a phrase of the trees.",
}
