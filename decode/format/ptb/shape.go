package ptb

import (
	"fstore/decode/format"
	"fstore/index"
)

// shape turns brackets into a tree.
//
// An outermost bracket without a label is a wrapper, and makes no node. A text with only a note, such as
// (CODE …), is read again with the note as the tree.
type shape struct {
	b       index.Builder
	t       *index.Tree
	o       format.Options
	depth   int // number of open brackets
	wrapped int // number of the open brackets that are wrappers
	strip   stripper
	dry     bool // only count brackets, to see whether the tree is closed

	note       noteKind // the kind of the open note
	noteAt     int      // the depth of the bracket of the note
	noteIsTree bool     // read the first note that is not an ID as the tree
	hasNote    bool     // there is a note that is not an ID
	name       []byte   // the words of the first ID note
	named      bool
	notes      int

	words    int    // number of words in the tree, including those that are stripped
	attached string // a message about a word that touches a bracket
}

type noteKind uint8

const (
	noNote noteKind = iota
	idNote
	otherNote // a note whose text is not used
)

func newShape(o format.Options) shape {
	return shape{b: index.Builder{Symbols: o.Symbols}, o: o}
}

// begin starts a tree. If noteIsTree is true, the first note that is not an ID is read as the tree.
func (s *shape) begin(t *index.Tree, line int, noteIsTree bool) {
	s.b.Start(t, false)
	t.Line = line
	s.t = t
	s.depth, s.wrapped, s.dry = 0, 0, false
	s.note, s.noteIsTree, s.hasNote, s.named, s.notes = noNote, noteIsTree, false, false, 0
	s.name = s.name[:0]
	s.words, s.attached = 0, ""
	s.strip.reset()
}

// goDry drops the tree, and only counts brackets from now on: see dryAfter.
func (s *shape) goDry() {
	s.b.Undo()
	s.dry = true
}

// openBracket opens a bracket as a node, a note or a wrapper.
func (s *shape) openBracket(label []byte) {
	s.depth++
	switch {
	case s.dry, s.note != noNote:
	case s.depth-1 > s.wrapped:
		s.openNode(label)
	case len(label) == 0:
		s.wrapped++
	case s.wrapped > 0 && s.openNote(label):
	default:
		s.openNode(label)
	}
}

// addWord adds a word. It returns false if the word is directly in a wrapper (a bracket without a label).
func (s *shape) addWord(w []byte) bool {
	switch {
	case s.dry:
	case s.note == idNote:
		if len(s.name) > 0 {
			s.name = append(s.name, ' ')
		}
		s.name = append(s.name, w...)
	case s.note == otherNote:
	case s.depth == s.wrapped:
		return false
	default:
		s.wordNode(w)
	}
	return true
}

// close closes the innermost bracket.
func (s *shape) close() {
	switch {
	case s.dry:
	case s.note != noNote:
		if s.depth == s.noteAt {
			s.note = noNote
		}
	case s.depth == s.wrapped:
		s.wrapped--
	default:
		s.closeNode()
	}
	s.depth--
}

// hasContent says whether the current wrappers (see package ptb) have contained a tree or a note so far.
func (s *shape) hasContent() bool { return len(s.t.Nodes) > 0 || s.notes > 0 }

// needsNote says whether the text must be read again, with its note as the tree.
func (s *shape) needsNote() bool { return len(s.t.Nodes) == 0 && s.hasNote }

// complete ends a tree whose brackets are all closed. It returns a message if there is no tree.
func (s *shape) complete() string {
	switch {
	case len(s.t.Nodes) > 0:
	case s.notes > 0:
		return "only an ID in the bracket: expected a tree beside it"
	default:
		return "an empty bracket: expected a tree"
	}
	if s.t.Nodes[0].Size < int32(len(s.t.Nodes)) {
		s.b.Wrap([]byte("TOP"))
	}
	if s.named && len(s.name) > 0 {
		s.t.Name = string(s.name)
	}
	return ""
}

func (s *shape) openNode(label []byte) {
	if s.o.StripFunctions {
		label = cutFunction(label)
	}
	if s.o.StripTraces {
		s.strip.open(label)
		return
	}
	s.b.Open(label)
}

func (s *shape) wordNode(w []byte) {
	s.words++
	if s.o.StripTraces {
		s.strip.word(&s.b, w)
		return
	}
	s.b.Word(w)
}

func (s *shape) closeNode() {
	if s.o.StripTraces {
		s.strip.close(&s.b)
		return
	}
	s.b.Close()
}

// attach keeps a message about the first word that touches a bracket.
func (s *shape) attach(text []byte, from, to int) {
	if s.attached == "" && s.note == noNote {
		s.attached = format.AttachedWord(text, from, to)
	}
}

// tell reports what is odd about a good tree, and counts the notes that are left out.
func (s *shape) tell() {
	if s.o.Losses != nil {
		s.o.Losses.Notes += s.notes
		if s.named {
			s.o.Losses.Notes--
		}
	}
	if s.o.Notice == nil {
		return
	}
	if s.attached != "" {
		s.o.Notice(format.Attached, s.t.Line, s.attached+`: it is a word beside a tree; write \( and \) for brackets in a word`)
	}
	switch {
	case len(s.t.Nodes) == 0:
	case s.words > 0 && s.o.StripTraces && !s.hasWord():
		s.o.Notice(format.Wordless, s.t.Line, "no word of the tree is left without its traces (--strip-traces)")
	case s.words == 0:
		s.o.Notice(format.Wordless, s.t.Line, "the tree has no word: a word stands behind its label, as in (PRP Dia)")
	}
}

func (s *shape) hasWord() bool {
	for i := range s.t.Nodes {
		if s.t.IsWord(i) {
			return true
		}
	}
	return false
}

// openNote opens a note. It returns false if the label is not the label of a note.
func (s *shape) openNote(label []byte) bool {
	note := otherNote
	switch string(label) {
	case "ID":
		if !s.named {
			note, s.named = idNote, true
		}
	case "META", "CODE", "COMMENT":
		if s.noteIsTree && len(s.t.Nodes) == 0 {
			return false
		}
		s.hasNote = true
	default:
		return false
	}
	s.note, s.noteAt = note, s.depth
	s.notes++
	return true
}
