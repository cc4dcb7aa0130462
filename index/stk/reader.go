package stk

import "fstore/index"

// codeReader implements index.CodeReader. It keeps a state for each step, and reads the next code from the
// first step that differs.
type codeReader struct {
	symbols *index.Symbols
	path    index.Path
	text    []byte
	cells   []cell
	states  []state // the state before the first step, and the state after each step
	kids    []index.Child
}

// state is the state of the reader after a step, to which the reader can go back.
type state struct {
	text  int   // length of the text up to the next frontier position that a step can expand
	cells int   // number of cells
	next  int32 // the first cell of the text that comes after, or noCell
}

// cell is a child or closing brackets, in a linked list of the text to come.
type cell struct {
	index.Child
	closing uint32 // number of brackets; 0: it is a child
	next    int32
}

const noCell = -1

const brackets = "))))))))))))))))))))))))))))))))"

// NewCodeReader implements index.Readable.
func (Space) NewCodeReader(s *index.Symbols) index.CodeReader {
	return &codeReader{symbols: s, states: []state{{next: noCell}}}
}

// Read implements index.CodeReader.
func (r *codeReader) Read(c index.Code) error {
	shared := r.path.Follow(c)
	r.states = r.states[:min(1+shared, len(r.states))]
	last := r.states[len(r.states)-1]
	r.text, r.cells = r.text[:last.text], r.cells[:last.cells]
	ok := len(c) > 0
	for rest := c[r.path.End(r.Order()):]; ok && len(rest) > 0; {
		var st index.Step
		if st, rest, ok = rest.Next(); ok {
			ok = r.step(st)
		}
	}
	if !ok {
		return Space{}.Check(c, r.symbols) // says what is wrong
	}
	return nil
}

// step reads the next step. It returns false if the code is not valid.
func (r *codeReader) step(st index.Step) bool {
	if !isProduction(st.Sym, r.symbols) {
		return false
	}
	label, kids := r.symbols.Production(st.Sym, r.kids[:0])
	r.kids = kids
	next := int32(noCell)
	switch {
	case len(r.states) > 1:
		if next = r.giveUp(st.Off); next == noCell || r.cells[next].Sym != label {
			return false
		}
		next = r.cells[next].next
		r.text = append(r.text, ' ')
	case st.Off != 0:
		return false
	}
	r.text = index.AppendEscaped(append(r.text, '('), r.symbols.Bytes(index.Labels, label))
	closing := cell{closing: 1, next: next}
	if next != noCell && r.cells[next].closing > 0 {
		closing.closing += r.cells[next].closing
		closing.next = r.cells[next].next
	}
	r.cells = append(r.cells, closing)
	for k := len(kids) - 1; k >= 0; k-- {
		r.cells = append(r.cells, cell{Child: kids[k], next: int32(len(r.cells) - 1)})
	}
	r.states = append(r.states, state{len(r.text), len(r.cells), int32(len(r.cells) - 1)})
	return true
}

// giveUp writes the text before a nonterminal, and returns the cell of this nonterminal. The first one has
// `off` 0. If there is no such nonterminal, the result is noCell.
func (r *codeReader) giveUp(off uint32) int32 {
	i := r.states[len(r.states)-1].next
	for ; i != noCell; i = r.cells[i].next {
		x := &r.cells[i]
		if x.closing == 0 && !x.Word {
			if off == 0 {
				break
			}
			off--
		}
		r.text = r.append(r.text, x)
	}
	return i
}

// append appends the text of a cell that no step expands.
func (r *codeReader) append(dst []byte, x *cell) []byte {
	switch {
	case x.closing > 0:
		for n := int(x.closing); n > 0; n -= len(brackets) {
			dst = append(dst, brackets[:min(n, len(brackets))]...)
		}
		return dst
	case x.Word:
		return index.AppendEscaped(append(dst, ' '), r.symbols.Bytes(index.Words, x.Sym))
	}
	dst = index.AppendEscaped(append(dst, " ("...), r.symbols.Bytes(index.Labels, x.Sym))
	return append(dst, ')')
}

// Code implements index.CodeReader.
func (r *codeReader) Code() index.Code { return r.path.Code() }

// Order implements index.CodeReader.
func (r *codeReader) Order() int { return len(r.states) - 1 }

// AppendText implements index.CodeReader.
func (r *codeReader) AppendText(dst []byte) []byte {
	dst = append(dst, r.text...)
	for i := r.states[len(r.states)-1].next; i != noCell; i = r.cells[i].next {
		dst = r.append(dst, &r.cells[i])
	}
	return dst
}
