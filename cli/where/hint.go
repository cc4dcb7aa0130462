package where

import (
	"cmp"
	"regexp"
	"strings"
	"unicode/utf8"

	"fstore/cli/table"
	"fstore/index"
)

// habits maps operators of other languages to the operators of --where.
var habits = map[string]string{
	"=": "==", "===": "==", "=>": ">=", "=<": "<=", "=~": "matches", "<>": "!=", "&": "&&", "|": "||",
	"startswith": "startsWith", "STARTSWITH": "startsWith", "starts_with": "startsWith", "Contains": "contains", "CONTAINS": "contains",
	"endswith": "endsWith", "ENDSWITH": "endsWith", "ends_with": "endsWith", "Matches": "matches", "LIKE": "matches", "like": "matches",
	"AND": "&&", "OR": "||", "NOT": "!", "And": "&&", "Or": "||", "Not": "!", "IN": "in",
}

// called is the regular expression for a text operator that is written as a function or as a method.
var called = regexp.MustCompile(`(?i)(?:^|[(!.&|,])\s*(starts_?with|ends_?with|contains|matches)\s*\(`)

// operators maps the names that `called` finds to operators. The keys are in lower case and without _.
var operators = map[string]string{"startswith": "startsWith", "endswith": "endsWith", "contains": "contains", "matches": "matches"}

// bareText matches a text operator before a text without quotes. bareLabel matches by[…] around a label
// without quotes, and support[…] around any label.
var (
	bareText  = regexp.MustCompile(`(\b(?:contains|startsWith|endsWith|matches|fragment\s*[!=]=)\s*)([^\s"'\x60\[&|][^"'\x60&|]*?)(\s*(?:&&|\|\||$|\s(?:and|or)\s))`)
	bareLabel = regexp.MustCompile(`\b(?:by\[([^]"'\x60]+)|support\[["'\x60]?([^]"'\x60]+)["'\x60]?)\]`)
)

// hint returns an error that suggests what to write instead of source, or nil if it has no suggestion. The
// function `check` compiles the suggestion.
func hint(source string, columns []table.Column, check func(source string) error) error {
	if m := called.FindStringSubmatch(source); m != nil {
		operator := operators[strings.ReplaceAll(strings.ToLower(m[1]), "_", "")]
		return index.Usagef(`--where %s: %s stands between two texts, as in fragment %s "(NP"`, cut(source), operator, operator)
	}
	right := bareLabel.ReplaceAllString(bareText.ReplaceAllString(rewritten(source, labelNames(columns)), `$1"$2"$3`), `by["$1$2"]`)
	if right == source {
		return nil
	}
	err := check(right)
	if err == nil {
		return index.Usagef("--where %s: write %s", cut(source), cut(right))
	}
	return index.Usagef("--where %s: write %s (and then: %s)", cut(source), cut(right), strings.TrimPrefix(err.Error(), "--where "+cut(right)+": "))
}

// rewritten replaces operators of other languages (see habits), and writes by["LABEL"] for support:LABEL. It
// leaves quoted text alone.
func rewritten(source string, labels []string) string {
	var b strings.Builder
	for i := 0; i < len(source); {
		n := 1
		if plain, size := plainQuote(source[i:]); size > 0 {
			b.WriteByte(plain)
			i += size
			continue
		}
		switch c := source[i]; {
		case c == '"' || c == '\'' || c == '`':
			n = quoted(source[i:])
			b.WriteString(source[i : i+n])
		case isOperator(c):
			n = span(source[i:], isOperator)
			b.WriteString(cmp.Or(habits[source[i:i+n]], source[i:i+n]))
		case isWordByte(c):
			n = 0
			for n < len(source)-i && isWordByte(source[i+n]) {
				if _, size := plainQuote(source[i+n:]); size > 0 {
					break
				}
				n++
			}
			word := source[i : i+n]
			if word == "let" { // after let, = is correct
				return source
			}
			if label, ok := labelAfter(source[i+n:], labels); ok && word+":" == byPrefix {
				b.WriteString(`by["` + strings.Trim(label, `"'`) + `"]`)
				n += 1 + len(label)
				break
			}
			b.WriteString(cmp.Or(habits[word], word))
		default:
			b.WriteByte(c)
		}
		i += n
	}
	return b.String()
}

// plainQuote returns the plain quote for the typographic quote at the beginning of text, and the size of that
// typographic quote in bytes.
func plainQuote(text string) (plain byte, size int) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case strings.ContainsRune("“”„‟«»", r):
		return '"', size
	case strings.ContainsRune("‘’‚‛", r):
		return '\'', size
	}
	return 0, 0
}

func isOperator(c byte) bool { return strings.IndexByte("=<>&|!", c) >= 0 }

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// span returns how many bytes at the beginning of text pass a test.
func span(text string, is func(byte) bool) (n int) {
	for n < len(text) && is(text[n]) {
		n++
	}
	return n
}

// quoted returns the length of the quoted text at the beginning of text.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

// labelAfter returns the label after a colon at the beginning of text. If several labels fit, it takes the
// longest.
func labelAfter(text string, labels []string) (label string, ok bool) {
	text, ok = strings.CutPrefix(text, ":")
	if !ok || text == "" {
		return "", false
	}
	for _, l := range labels {
		if len(l) > len(label) && strings.HasPrefix(text, l) && (len(l) == len(text) || !isWordByte(text[len(l)])) {
			label = l
		}
	}
	if label != "" {
		return label, true
	}
	if text[0] == '"' || text[0] == '\'' {
		return text[:quoted(text)], true
	}
	n := span(text, func(c byte) bool { return !isOperator(c) && strings.IndexByte(" \t\n)(", c) < 0 })
	return text[:n], n > 0
}

// mostShown is the largest number of bytes of a text in a message.
const mostShown = 200

// cut shortens a long text for a message.
func cut(text string) string {
	if len(text) <= mostShown {
		return text
	}
	return strings.ToValidUTF8(text[:mostShown], "") + "…"
}
