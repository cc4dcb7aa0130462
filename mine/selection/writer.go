package selection

import (
	"errors"

	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/mine/vocabulary"
	"fstore/store"
)

// selectionWriter writes a selection: its entries, its expansion index and its
// vocabulary hash.
type selectionWriter struct {
	w         *store.Writer
	space     index.Space
	sel       *store.SelectionWriter
	expansion *vocabulary.ExpansionWriter
	vocab     vocabulary.Hash
}

// newSelectionWriter begins the selection that info describes. If that was not mined per fold, the
// selections of folds go that belong to the one it replaces. A selection that is neither finished
// nor aborted goes with the writer.
func newSelectionWriter(w *store.Writer, space index.Space, info store.SelectionInfo) (*selectionWriter, error) {
	if info.Settings[crossval.FoldsSetting] == "" {
		crossval.DropFolds(w.Meta(), info.Name)
	}
	x, err := vocabulary.NewExpansionWriter(w, space)
	if err != nil {
		return nil, err
	}
	sel, err := w.Select(info)
	if err != nil {
		x.Abort()
		return nil, err
	}
	return &selectionWriter{w: w, space: space, sel: sel, expansion: x}, nil
}

// Put adds an entry; codes ascend.
func (s *selectionWriter) Put(e *store.Entry) error {
	s.vocab.Add(e.Code)
	return errors.Join(s.expansion.Add(e.Code), s.sel.Put(e))
}

// Finish puts the selection into the pending meta.
func (s *selectionWriter) Finish() (err error) {
	info := s.sel.Info()
	if info.Expansion, err = s.expansion.Finish(); err != nil {
		return err
	}
	info.VocabularyHash = s.vocab.Hash(s.space, s.w.Symbols())
	return s.sel.Close()
}

// Abort closes what is open.
func (s *selectionWriter) Abort() { s.expansion.Abort() }
