package command

import (
	"fmt"

	"fstore/index"
	"fstore/index/treescore"
)

// ScoreFlags say how trees are compared with gold trees.
type ScoreFlags struct {
	Punct     string `enum:",upos,unicode,ptb,keep" default:"" placeholder:"RULE" help:"${punct_help}"`
	Relations string `enum:"whole,universal" default:"whole" help:"Compare relations whole, or universal: up to a colon, as CoNLL 2018 does."`
}

// Options returns the flags as options of package treescore.
func (f *ScoreFlags) Options() treescore.Options {
	return treescore.Options{Punct: treescore.Punct(f.Punct), Universal: f.Relations == "universal"}
}

// TreeMeasure compares trees with gold trees. Of returns a share from 0 to 1.
type TreeMeasure struct {
	Name string
	Of   func(treescore.Counts) float64
}

// TreeMeasures returns the measures in the order in which they are printed.
func TreeMeasures(k index.Kind) []TreeMeasure {
	if k == index.Constituency {
		return []TreeMeasure{
			{"F1", treescore.Counts.LF1},
			{"precision", treescore.Counts.Precision},
			{"recall", treescore.Counts.Recall},
			{"unlabelled F1", treescore.Counts.UF1},
		}
	}
	return []TreeMeasure{{"UAS", treescore.Counts.UF1}, {"LAS", treescore.Counts.LF1}}
}

// TreeScores returns the main measures as text, such as UAS 84.85 %, LAS 80.73 %.
func TreeScores(k index.Kind, c treescore.Counts) (text string) {
	if k == index.Constituency {
		return fmt.Sprintf("F1 %.2f %% (precision %.2f %%, recall %.2f %%)", 100*c.LF1(), 100*c.Precision(), 100*c.Recall())
	}
	return fmt.Sprintf("UAS %.2f %%, LAS %.2f %%", 100*c.UF1(), 100*c.LF1())
}
