package pages

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fstore/cli/number"
	"fstore/index"
)

// printsAll is the end of a command's note on how to get all rows. Pages show links in its place.
const printsAll = " (--limit 0 prints all)"

// slots matches a pattern that has a node without a name or condition.
var slots = regexp.MustCompile(`(^|[ (])_([\[) ]|$)`)

// longPiece is a length in bytes. If a piece is longer, lines may break inside it.
const longPiece = 30

// mostShown is the largest number of bytes shown of a fragment.
const mostShown = 4000

// frag returns the HTML of a fragment or pattern: labels bold, relations grey, words and conditions italic.
func frag(text string) template.HTML {
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "") + " …"
	}
	var b strings.Builder
	b.WriteString(`<code class="f">`)
	tokens := strings.Split(text, " ")
	arcs := slices.ContainsFunc(tokens, isArc)
	open := false
	for i, t := range tokens {
		if i > 0 && !open {
			b.WriteByte(' ')
		}
		if !open {
			if next := tokens[min(i+1, len(tokens)-1)]; len(t)+len(next) > longPiece {
				b.WriteString(`<span class="long">`)
			} else {
				b.WriteString("<span>")
			}
		}
		switch open = false; {
		case isArc(t):
			piece(&b, "i", t)
			b.WriteByte(' ')
			open = i < len(tokens)-1
		case arcs || !strings.Contains(text, "("):
			node(&b, t)
		default:
			bracket(&b, t)
		}
		if !open {
			b.WriteString("</span>")
		}
	}
	b.WriteString("</code>")
	return template.HTML(b.String())
}

func isArc(token string) bool { return len(token) > 1 && (token[0] == '<' || token[0] == '>') }

func piece(b *strings.Builder, tag, text string) {
	b.WriteString("<" + tag + ">" + html.EscapeString(text) + "</" + tag + ">")
}

// node writes a node of a dependency fragment: brackets, name, conditions.
func node(b *strings.Builder, t string) {
	name := strings.TrimLeft(t, "(")
	b.WriteString(t[:len(t)-len(name)])
	core := strings.TrimRight(name, ")")
	label, conditions := core, ""
	if i := strings.IndexByte(core, '['); i > 0 {
		label, conditions = core[:i], core[i:]
	}
	piece(b, "b", label)
	if conditions != "" {
		piece(b, "em", conditions)
	}
	b.WriteString(name[len(core):])
}

// bracket writes a piece of a bracketed tree: a bracket with its label, or a word.
func bracket(b *strings.Builder, t string) {
	name := strings.TrimLeft(t, "(")
	core := strings.TrimRight(name, ")")
	tag := "em"
	if len(name) < len(t) {
		tag = "b"
	}
	b.WriteString(t[:len(t)-len(name)])
	piece(b, tag, core)
	b.WriteString(name[len(core):])
}

// isRightToLeft reports whether the first letter of a text is in a script that runs from right to left.
func isRightToLeft(text string) bool {
	i := strings.IndexFunc(text, unicode.IsLetter)
	if i < 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

func toFloat(x any) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case int:
		return float64(x)
	case uint64:
		return float64(x)
	case uint32:
		return float64(x)
	case int64:
		return float64(x)
	}
	return math.NaN()
}

// whole formats a whole number with separators between thousands, or returns "" if x is no number.
func whole(x any) string {
	f := toFloat(x)
	if math.IsNaN(f) {
		return ""
	}
	return index.Thousands(uint64(math.Round(f)))
}

// num rounds a number to a few digits. Numbers of at least 1000 are rounded to whole numbers.
func num(x any) string {
	f := toFloat(x)
	switch a := math.Abs(f); {
	case math.IsNaN(f):
		return ""
	case f == math.Trunc(f) && a < 1e15, a >= 1000:
		return string(number.Group(strconv.AppendFloat(nil, math.Round(f), 'f', -1, 64), 0))
	case a < 0.001:
		return strconv.FormatFloat(f, 'g', 2, 64)
	case a < 1:
		return strconv.FormatFloat(f, 'f', 3, 64)
	}
	return strconv.FormatFloat(f, 'g', 3, 64)
}

// times formats a log ratio (base 2) as a ratio of at least 1. The sign of the log ratio does not matter.
func times(logratio any) string {
	f := toFloat(logratio)
	if math.IsNaN(f) {
		return ""
	}
	return num(math.Round(math.Exp2(math.Abs(f))*10)/10) + "×"
}

// pval formats a p-value, as in 0.012, 3.4 · 10⁻⁵ or, for 0, < 10⁻³⁰⁰.
func pval(x any) template.HTML {
	f := toFloat(x)
	switch {
	case math.IsNaN(f):
		return ""
	case f == 0:
		return "&lt; 10<sup>−300</sup>"
	case f >= 0.001:
		return template.HTML(strconv.FormatFloat(f, 'f', 3, 64))
	}
	e := math.Floor(math.Log10(f))
	return template.HTML(fmt.Sprintf("%.1f · 10<sup>−%d</sup>", f/math.Pow(10, e), int(-e)))
}

func percent(share float64) string {
	if math.IsNaN(share) {
		return ""
	}
	return strconv.FormatFloat(100*share, 'f', 1, 64) + " %"
}

func plural(n any, thing string) string { return index.Plural(uint64(toFloat(n)), thing) }

// bar draws a bar whose length is the fraction x/maximum of the full length.
func bar(x, maximum any) template.HTML {
	w := 100 * toFloat(x) / toFloat(maximum)
	if !(w > 0) {
		return ""
	}
	return template.HTML(fmt.Sprintf(`<svg class="spark" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="%.1f" height="8"/></svg>`, min(w, 100)))
}

// widest is the log ratio at the right end of an interval's scale: 256 times as frequent.
const widest = 8.0

// interval draws the confidence interval of a log ratio, without its sign, on a scale from 0 to `widest`.
func interval(lo, ratio, hi any) template.HTML {
	a, m, b := toFloat(lo), toFloat(ratio), toFloat(hi)
	side := "A"
	if m < 0 {
		a, m, b, side = -b, -m, -a, "B"
	}
	if math.IsNaN(a) {
		a = 0
	}
	if math.IsNaN(b) {
		b = widest
	}
	return span(side, a/widest, m/widest, b/widest)
}

// span draws a line from 0 to 1, with the interval from lo to hi and a point for value.
func span(class string, lo, value, hi float64) template.HTML {
	if math.IsNaN(lo + value + hi) {
		return ""
	}
	x := func(f float64) float64 { return 4 + 192*min(max(f, 0), 1) }
	point := fmt.Sprintf(`<circle cx="%.1f" cy="8" r="4"/>`, x(value))
	if class == "B" {
		point = fmt.Sprintf(`<rect x="%.1f" y="4.5" width="7" height="7"/>`, x(value)-3.5)
	}
	return template.HTML(fmt.Sprintf(`<svg class="ci %s" viewBox="0 0 200 16" preserveAspectRatio="xMinYMid" aria-hidden="true">`+
		`<line x1="4" y1="8" x2="196" y2="8"/><line class="zero" x1="4" y1="2" x2="4" y2="14"/><path d="M%.1f 4v8m0-4H%.1fm0-4v8"/>%s</svg>`, class, x(lo), x(hi), point))
}

// picture returns an SVG document as HTML. The commands draw it with decode/draw or decode/plot, which escape
// all texts from a treebank.
func picture(svg []byte) template.HTML { return template.HTML(svg) }
