package draw

import (
	"errors"
	"fmt"
	"strings"

	"fstore/index"
)

// Fragment reads the text of a constituency or dependency fragment into a tree:
//
//	(NP (DT the) (NN))
//	PRON <nsubj VERB >obj (DET <det NOUN)
//
// A name without brackets is a word. The words of a dependency fragment keep the order of the text.
func Fragment(text string, s *index.Symbols) (*index.Tree, error) {
	p := &parser{tokens: tokens(text), s: s}
	t := &index.Tree{}
	var err error
	if p.isDependency() {
		t.Kind = index.Dependency
		_, err = p.subtree(t, 0)
	} else {
		err = p.constituency(t)
	}
	if rest := p.peek(); err == nil && rest != "" {
		err = fmt.Errorf("%q after its end", rest)
	}
	if err != nil {
		return nil, fmt.Errorf("the fragment %q: %w", text, err)
	}
	return t, nil
}

// OrderUntold says whether t has several words, and every head comes before its dependents. In a space that
// does not mark left and right, such an order has no meaning.
func OrderUntold(t *index.Tree) bool {
	for i := range t.Tokens {
		if int(t.Tokens[i].Head) > i+1 {
			return false
		}
	}
	return len(t.Tokens) > 1
}

// tokens returns the brackets of a text, and the names and arcs between them.
func tokens(text string) (all []string) {
	for i := 0; i < len(text); {
		switch text[i] {
		case ' ', '\t', '\n', '\r':
			i++
			continue
		case '(', ')':
			all = append(all, text[i:i+1])
			i++
			continue
		}
		from := i
		for i < len(text) && !strings.ContainsRune(" \t\n\r()", rune(text[i])) {
			if text[i] == '\\' && i+1 < len(text) {
				i++
			}
			i++
		}
		all = append(all, text[from:i])
	}
	return all
}

type parser struct {
	tokens []string
	s      *index.Symbols
	name   []byte
}

func isArc(token string) bool { return token[0] == '<' || token[0] == '>' }

// isDependency says whether the text has an arc outside of brackets.
func (p *parser) isDependency() bool {
	depth := 0
	for _, t := range p.tokens {
		switch {
		case t == "(":
			depth++
		case t == ")":
			depth--
		case depth == 0 && isArc(t) && len(t) > 1:
			return true
		}
	}
	return false
}

// next returns the next token and moves past it. At the end it returns "".
func (p *parser) next() string {
	t := p.peek()
	p.tokens = p.tokens[min(1, len(p.tokens)):]
	return t
}

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) unescape(token string) ([]byte, error) {
	var err error
	p.name, err = index.AppendUnescaped(p.name[:0], []byte(token))
	return p.name, err
}

func (p *parser) constituency(t *index.Tree) error {
	b := index.Builder{Symbols: p.s}
	b.Start(t, false)
	for {
		token := p.next()
		opens := token == "("
		if opens {
			token = p.next()
		}
		switch {
		case opens && (token == "" || token == "(" || token == ")"):
			return errors.New("a bracket without a label")
		case token == "" && len(t.Nodes) == 0:
			return errors.New("it is empty")
		case token == "":
			return errors.New(`a bracket is open at its end: expected ")"`)
		case token == ")" && b.Depth() == 0:
			return errors.New(`")" without "("`)
		case token == ")":
			b.Close()
		default:
			name, err := p.unescape(token)
			if err != nil {
				return err
			}
			if opens {
				b.Open(name)
			} else {
				b.Word(name)
			}
		}
		if b.Depth() == 0 {
			return nil
		}
	}
}

// deepestBracket is the maximum depth of brackets.
const deepestBracket = 10_000

// subtree reads `word <arc word >arc word`, up to a closing bracket or the end. It returns the position of
// the root in t, from 1.
func (p *parser) subtree(t *index.Tree, depth int) (root int, err error) {
	if depth > deepestBracket {
		return 0, errors.New("its brackets are too deep")
	}
	var leftArcs []string // the arcs of the words before the root
	var left []int
	first, err := p.word(t, depth)
	if err != nil {
		return 0, err
	}
	root = first
	for strings.HasPrefix(p.peek(), "<") {
		leftArcs, left = append(leftArcs, p.next()), append(left, root)
		if root, err = p.word(t, depth); err != nil {
			return 0, err
		}
	}
	for i, w := range left {
		if err := p.attach(t, w, root, leftArcs[i]); err != nil {
			return 0, err
		}
	}
	for strings.HasPrefix(p.peek(), ">") {
		arc := p.next()
		w, err := p.word(t, depth)
		if err != nil {
			return 0, err
		}
		if err := p.attach(t, w, root, arc); err != nil {
			return 0, err
		}
	}
	if strings.HasPrefix(p.peek(), "<") {
		return 0, fmt.Errorf("%q after an arc to the right: expected those to the left first", p.peek())
	}
	return root, nil
}

func (p *parser) attach(t *index.Tree, word, head int, arc string) error {
	name, err := p.unescape(arc[1:])
	if err != nil {
		return err
	}
	t.Tokens[word-1].Rel = p.s.Intern(index.Words, name)
	t.Tokens[word-1].Head = int32(head)
	return nil
}

// word reads a name or a subtree in brackets. It returns the position of the root in t, from 1.
func (p *parser) word(t *index.Tree, depth int) (root int, err error) {
	switch token := p.next(); {
	case token == "(":
		if root, err = p.subtree(t, depth+1); err != nil {
			return 0, err
		}
		if p.next() != ")" {
			return 0, errors.New(`expected an arc such as >obj, or ")"`)
		}
		return root, nil
	case token == "":
		return 0, errors.New("expected a word at its end")
	case token == ")" || isArc(token):
		return 0, fmt.Errorf("%q: expected a word", token)
	default:
		name, err := p.unescape(token)
		if err != nil {
			return 0, err
		}
		none := p.s.Intern(index.Words, []byte("_"))
		t.Tokens = append(t.Tokens, index.Token{
			Form: p.s.Intern(index.Words, name), Lemma: none, UPOS: none, XPOS: none,
			Feats: none, Rel: none, Deps: none, Misc: none,
		})
		return len(t.Tokens), nil
	}
}
