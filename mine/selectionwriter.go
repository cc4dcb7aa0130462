package mine

import (
	"errors"

	"fstore/index"
	"fstore/store"
)

// selectionWriter writes a selection: its entries, its expansion index and its
// vocabulary hash.
type selectionWriter struct {
	w         *store.Writer
	space     index.Space
	sel       *store.SelectionWriter
	expansion *expansionWriter
	vocab     vocabulary
}

// newSelectionWriter begins the selection that info describes; where that was not mined per
// fold, those of the folds of one that it replaces go. What it leaves when it is neither finished
// nor closed goes with the writer.
func newSelectionWriter(w *store.Writer, space index.Space, info store.SelectionInfo) (*selectionWriter, error) {
	if info.Settings[foldsSetting] == "" {
		DropFolds(w.Meta(), info.Name)
	}
	x, err := newExpansionWriter(w, space)
	if err != nil {
		return nil, err
	}
	sel, err := w.Select(info)
	if err != nil {
		x.abort()
		return nil, err
	}
	return &selectionWriter{w: w, space: space, sel: sel, expansion: x}, nil
}

// put adds an entry; codes ascend.
func (s *selectionWriter) put(e *store.Entry) error {
	s.vocab.add(e.Code)
	return errors.Join(s.expansion.add(e.Code), s.sel.Put(e))
}

// finish puts the selection into the pending meta.
func (s *selectionWriter) finish() (err error) {
	info := s.sel.Info()
	if info.Expansion, err = s.expansion.finish(); err != nil {
		return err
	}
	info.VocabularyHash = s.vocab.hash(s.space, s.w.Symbols())
	return s.sel.Close()
}

// abort closes what is open.
func (s *selectionWriter) abort() { s.expansion.abort() }
