package cli

import (
	"fmt"

	"fstore/index"
	"fstore/mine/treescore"
)

// scoreFlags are what counts where trees are compared with gold trees.
type scoreFlags struct {
	Punct     string `enum:",upos,unicode,ptb,keep" default:"" placeholder:"RULE" help:"The words that do not count, by the gold tree: upos (tagged PUNCT; the default for dependencies), unicode (nothing but punctuation characters, as CoNLL-X has it), ptb (the tags that evalb leaves out; the default for constituency trees), or keep (all count, as CoNLL 2018 has it)."`
	Relations string `enum:"whole,universal" default:"whole" help:"Compare relations whole, or universal: up to a colon, as CoNLL 2018 does."`
}

func (f *scoreFlags) options() treescore.Options {
	return treescore.Options{Punct: treescore.Punct(f.Punct), Universal: f.Relations == "universal"}
}

// treeMeasure is a measure of trees against gold trees, in percent.
type treeMeasure struct {
	name string
	of   func(treescore.Counts) float64
}

// treeMeasures are those of trees of a kind.
func treeMeasures(k index.Kind) []treeMeasure {
	if k == index.Constituency {
		return []treeMeasure{
			{"F1", treescore.Counts.LF1},
			{"precision", treescore.Counts.Precision},
			{"recall", treescore.Counts.Recall},
			{"unlabelled F1", treescore.Counts.UF1},
		}
	}
	return []treeMeasure{{"UAS", treescore.Counts.UF1}, {"LAS", treescore.Counts.LF1}}
}

// treeScores says the first two of the measures: UAS 84.85 %, LAS 80.73 %.
func treeScores(k index.Kind, c treescore.Counts) (text string) {
	if k == index.Constituency {
		return fmt.Sprintf("F1 %.2f %% (precision %.2f %%, recall %.2f %%)", 100*c.LF1(), 100*c.Precision(), 100*c.Recall())
	}
	return fmt.Sprintf("UAS %.2f %%, LAS %.2f %%", 100*c.UF1(), 100*c.LF1())
}
