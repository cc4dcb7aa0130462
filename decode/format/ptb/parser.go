package ptb

import "fstore/decode/format"

// parser reads the brackets of one tree into a shape.
type parser struct {
	buffer
	shape

	// msg is the first error in the text of the tree, or "" if there is none.
	msg     string
	msgLine int
	msgAt   int64 // offset in the stream
}

// fault records an error at pos. Only the first error of a tree counts.
func (p *parser) fault(msg string) { p.faultAt(p.line, p.pos, msg) }

func (p *parser) faultAt(line, pos int, msg string) {
	if p.msg == "" {
		p.msg, p.msgLine, p.msgAt = msg, line, p.base+int64(pos)
	}
}

// isGood says whether the tree has no error so far.
func (p *parser) isGood() bool { return p.msg == "" }

// take reads one item at pos: a bracket with its label, a closing bracket, or a word. The byte at pos is c.
func (p *parser) take(c byte) {
	switch c {
	case '(':
		p.pos++
		p.open()
	case ')':
		p.pos++
		p.close()
	case 0:
		p.fault("a NUL byte in the tree: expected text")
		p.pos++
	default:
		w := p.atom()
		if p.text[p.pos] == '(' || p.word > 0 && p.text[p.word-1] == ')' {
			p.attach(p.text[:p.end], p.word, p.pos)
		}
		if !p.addWord(w) {
			p.fault("the word " + format.Quote(p.text[p.word:p.pos]) + ` beside trees in an unlabelled bracket: expected "(" or ")"`)
		}
	}
}

// open reads the label of an opening bracket. The position pos is just after the bracket.
func (p *parser) open() {
	switch p.skipSpace() {
	case '(':
		if p.depth > p.wrapped {
			p.fault("a bracket without a label inside a tree: expected a label")
		}
		p.openBracket(nil)
		p.passed = p.newlines // the bracket at pos may open the next tree
	case ')':
		p.pos++
		p.fault(`"()" has neither label nor child: expected a label`)
		p.openBracket(nil)
		p.close()
	case 0:
		p.openBracket(nil) // the caller reports the error
	default:
		p.openBracket(p.atom())
	}
}
