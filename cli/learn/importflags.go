package learn

import "fstore/cli/command"

// importFlags are what the flags say of what is imported.
type importFlags struct {
	Name      string `required:"" placeholder:"NAME" help:"What it is called in the store."`
	Overwrite bool   `help:"Replace what has that name."`

	Space             string `xor:"features" predictor:"space" placeholder:"NAME" help:"A list, or weights: the space of the fragments, where the store has several."`
	SkipAbsent        bool   `help:"A selection or a list: leave out fragments with a symbol that no sample has (default: they are bad input)."`
	command.TextFlags `embed:""`

	Tree command.Ordinal `placeholder:"N" help:"SVM-Light-TK: only the N-th tree of a line, from 1."`

	Selection string  `group:"Weights:" xor:"features" placeholder:"NAME" help:"The selection whose fragments were the features."`
	Weight    string  `group:"Weights:" enum:"binary,count,kernel,tfidf" default:"binary" help:"The --weight of the vectors that were trained on."`
	Normalize string  `group:"Weights:" enum:"none,l2,kernel" default:"none" help:"Their --normalize."`
	Lambda    float64 `group:"Weights:" default:"0.4" help:"Their --lambda."`
	Positive  string  `group:"Weights:" placeholder:"LABEL" help:"The label of positive scores, where the table has no classes (default: of two labels, that of the larger number or the first in byte order)."`
}
