package read

import "fstore/index"

// NextUncorrected reads the next tree as Next does, but without corrections.
func (in *Inputs) NextUncorrected(t *index.Tree) error {
	err := in.next(t)
	if err == nil && in.convert != nil {
		in.convert.Convert(new(index.Tree), t)
	}
	return err
}
