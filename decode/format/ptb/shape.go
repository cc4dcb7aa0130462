package ptb

import (
	"fstore/decode/format"
	"fstore/index"
)

// shape turns brackets into a tree.
//
// The brackets that are open are, from the outside in, some wrappers (no label,
// no node), then either nodes, which go to the builder, or one note. A note is the
// tree if its wrapper holds nothing else: then the text is read again (needsNote).
type shape struct {
	b       index.Builder
	t       *index.Tree
	o       format.Options
	depth   int // open brackets
	wrapped int // of them, wrappers
	strip   stripper
	dry     bool // only brackets are counted, to see whether the tree is closed

	note       noteKind // of the open note
	noteAt     int      // the depth of its bracket
	noteIsTree bool     // the first note that is not an ID is the tree
	hasNote    bool     // there is such a note
	name       []byte   // the words of the first ID
	named      bool
	notes      int

	words    int    // of the tree, with those that are stripped
	attached string // a word that does not stand apart from a bracket, and that bracket
}

type noteKind uint8

const (
	noNote noteKind = iota
	idNote
	otherNote // of no use
)

func newShape(o format.Options) shape {
	return shape{b: index.Builder{Symbols: o.Symbols}, o: o}
}

// begin starts a tree, of which the first note is known to be all if noteIsTree is true.
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

// goDry gives up what was built: see Reader.dryAfter.
func (s *shape) goDry() {
	s.b.Undo()
	s.dry = true
}

// openBracket opens a bracket; one without a label is a wrapper, or an error that
// the reader has noted.
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

// addWord adds a word; false where a wrapper has no place for one.
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

// hasContent says whether the wrappers have had a tree or a note.
func (s *shape) hasContent() bool { return len(s.t.Nodes) > 0 || s.notes > 0 }

// needsNote says whether there is no tree but a note, when all brackets are closed: the text
// has to be read again, with that note as the tree.
func (s *shape) needsNote() bool { return len(s.t.Nodes) == 0 && s.hasNote }

// complete is called when all brackets are closed. It returns what is wrong with
// the whole, "" for nothing.
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

// attach notes a word that stands directly before or after a bracket, of which text, from
// the word or the bracket on, is the start.
func (s *shape) attach(text []byte, from, to int) {
	if s.attached == "" && s.note == noNote {
		s.attached = format.AttachedWord(text, from, to)
	}
}

// tell says what is odd about the tree, which is good, and counts its notes.
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

// hasWord says whether the tree has a word.
func (s *shape) hasWord() bool {
	for i := range s.t.Nodes {
		if s.t.IsWord(i) {
			return true
		}
	}
	return false
}

// openNote opens a note, or says that a label is that of no note.
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
