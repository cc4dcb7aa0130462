package query_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fstore/index"
	"fstore/index/glob"
	"fstore/mine/internal/minetest"
	"fstore/mine/query"
)

// dependencies yields n random dependency trees. Some words are spelt like wildcards of patterns.
type dependencies struct {
	s *index.Symbols
	r *rand.Rand
	n int

	plain bool // whether no word is spelt like a wildcard
}

func (d *dependencies) Next(t *index.Tree) error {
	if d.n--; d.n < 0 {
		return io.EOF
	}
	t.Reset()
	t.Kind = index.Dependency
	n := 2 + d.r.IntN(6)
	order := d.r.Perm(n)
	head := make([]int32, n)
	for i, w := range order {
		if i > 0 {
			head[w] = int32(order[d.r.IntN(min(i, 2))]) + 1
		}
	}
	word := func(choices ...string) uint32 {
		return d.s.Intern(index.Words, []byte(choices[d.r.IntN(len(choices))]))
	}
	for w := range n {
		k := index.Token{Form: word("a", "_", "..."), UPOS: word("N", "V", "_"), Rel: word("r", "_"), Head: head[w]}
		if d.plain {
			k.Form, k.UPOS, k.Rel = word("a", "b"), word("N", "V"), word("r", "s")
		}
		t.Tokens = append(t.Tokens, k)
	}
	return nil
}

// The obvious way to fit a pattern: take both texts apart, and try every way to match the nodes.

// sketch is a node in the text of a fragment or a pattern.
type sketch struct {
	label, arc string // escaped, unless it is a wildcard
	bracket    bool   // whether the node is from a constituency
	row        *inRow // how the text writes the kids side by side
	left, rest bool
	kids       []*sketch
}

// inRow has the brackets and the separator in the text of a fragment that is a row of items, not a tree.
type inRow struct{ open, between, close string }

func rowOf(space string) *inRow {
	name, _, _ := strings.Cut(space, ":")
	return map[string]*inRow{"seq": {"[", " ", "]"}, "poly": {"{", " & ", "}"}, "tag": {"", " ", ""}}[name]
}

// draw reads the text of a fragment.
func draw(text string, row *inRow) *sketch {
	if row != nil {
		k := &sketch{row: row}
		for _, name := range strings.Split(text[len(row.open):len(text)-len(row.close)], row.between) {
			x := &sketch{label: name}
			if row.open == "" {
				x.label, x.arc, _ = strings.Cut(name, "/") // tag/word
			}
			k.kids = append(k.kids, x)
		}
		return k
	}
	var tokens []string
	for i := 0; i < len(text); {
		n := 1
		if c := text[i]; c != ' ' && c != '(' && c != ')' {
			for n = 0; i+n < len(text) && !strings.ContainsRune(" ()", rune(text[i+n])); n++ {
				if text[i+n] == '\\' {
					n++
				}
			}
		}
		if text[i] != ' ' {
			tokens = append(tokens, text[i:i+n])
		}
		i += n
	}
	for _, t := range tokens {
		if strings.ContainsAny(t[:1], "<>") {
			return drawArcs(&tokens)
		}
	}
	return drawBrackets(&tokens)
}

func take(tokens *[]string) string {
	t := (*tokens)[0]
	*tokens = (*tokens)[1:]
	return t
}

func drawBrackets(tokens *[]string) *sketch {
	t := take(tokens)
	if t != "(" {
		return &sketch{label: t}
	}
	k := &sketch{label: take(tokens), bracket: true}
	for (*tokens)[0] != ")" {
		k.kids = append(k.kids, drawBrackets(tokens))
	}
	take(tokens)
	return k
}

func drawArcs(tokens *[]string) *sketch {
	operand := func() *sketch {
		if (*tokens)[0] == "(" {
			take(tokens)
			k := drawArcs(tokens)
			take(tokens)
			return k
		}
		return &sketch{label: take(tokens)}
	}
	k := &sketch{}
	for {
		x := operand()
		if len(*tokens) == 0 || (*tokens)[0][0] != '<' {
			k.label, k.kids = x.label, append(k.kids, x.kids...)
			break
		}
		x.left, x.arc = true, take(tokens)[1:]
		k.kids = append(k.kids, x)
	}
	for len(*tokens) > 0 && (*tokens)[0] != ")" {
		arc := take(tokens)[1:]
		x := operand()
		x.arc = arc
		k.kids = append(k.kids, x)
	}
	return k
}

// text returns the text of a pattern.
func (k *sketch) text(dependency bool) string {
	if !dependency {
		if k.rest {
			return "..."
		}
		if !k.bracket && k.row == nil {
			return k.label + strings.Repeat("/", min(1, len(k.arc))) + k.arc
		}
		if k.row != nil {
			var names []string
			for _, x := range k.kids {
				names = append(names, x.text(false))
			}
			return k.row.open + strings.Join(names, k.row.between) + k.row.close
		}
		text := "(" + k.label
		for _, x := range k.kids {
			text += " " + x.text(false)
		}
		return text + ")"
	}
	var left, right string
	for _, x := range k.kids {
		operand := x.label
		if len(x.kids) > 0 {
			operand = "(" + x.text(true) + ")"
		}
		switch {
		case x.rest && x.left:
			left += "... "
		case x.rest:
			right += " ..."
		case x.left:
			left += operand + " <" + x.arc + " "
		default:
			right += " >" + x.arc + " " + operand
		}
	}
	return left + k.label + right
}

// fitsName compares two names piece by piece. A separator joins the pieces of a name.
func fitsName(p, name string, separators string) bool {
	if p == "_" || separators == "" {
		return p == "_" && name != "" || p == name || p != "_" && unescape(p) == unescape(name)
	}
	a, b := strings.Split(p, separators[:1]), strings.Split(name, separators[:1])
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !fitsName(a[i], b[i], separators[1:]) {
			return false
		}
	}
	return true
}

func unescape(name string) string {
	b, err := index.AppendUnescaped(nil, []byte(name))
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (k *sketch) fits(x *sketch, unordered bool) bool {
	if k.bracket != x.bracket || k.left != x.left || !fitsName(k.label, x.label, "/") || !fitsName(k.arc, x.arc, "+=") {
		return false
	}
	for _, left := range []bool{true, false} {
		side := func(s *sketch) (kids []*sketch) {
			for _, x := range s.kids {
				if x.left == left {
					kids = append(kids, x)
				}
			}
			return kids
		}
		if !fitsAll(side(k), side(x), unordered) {
			return false
		}
	}
	return true
}

func fitsAll(patterns, kids []*sketch, unordered bool) bool {
	if len(patterns) == 0 {
		return len(kids) == 0
	}
	p, others := patterns[0], patterns[1:]
	if p.rest && unordered { // the rest must be last
		if len(others) > 0 && slices.ContainsFunc(others, func(p *sketch) bool { return !p.rest }) {
			return fitsAll(append(slices.Clone(others), p), kids, unordered)
		}
		return true
	}
	if p.rest {
		for n := range len(kids) + 1 {
			if fitsAll(others, kids[n:], unordered) {
				return true
			}
		}
		return false
	}
	for i, x := range kids {
		if i > 0 && !unordered {
			break
		}
		if p.fits(x, unordered) && fitsAll(others, slices.Delete(slices.Clone(kids), i, i+1), unordered) {
			return true
		}
	}
	return false
}

// loosen turns a fragment into a pattern with wildcards for names and for children.
func (k *sketch) loosen(r *rand.Rand, dependency bool) {
	k.label = loosenName(r, k.label, "/")
	k.arc = loosenName(r, k.arc, "+=")
	for _, x := range k.kids {
		x.loosen(r, dependency)
	}
	for r.IntN(3) == 0 && (dependency || k.bracket || k.row != nil) {
		from := r.IntN(len(k.kids) + 1)
		to := from
		if from < len(k.kids) && r.IntN(2) == 0 {
			to++
		}
		rest := &sketch{rest: true, left: from < len(k.kids) && k.kids[from].left}
		k.kids = slices.Replace(k.kids, from, to, rest)
	}
}

// loosenName replaces a name, or a piece of the name, by a wildcard. Pieces that stay are escaped.
func loosenName(r *rand.Rand, name, separators string) string {
	if name == "" || name == "*" {
		return name
	}
	if r.IntN(4) == 0 && !(separators == "=" && strings.Contains(name, "=")) {
		return "_"
	}
	if separators == "" {
		return spell(name)
	}
	pieces := strings.Split(name, separators[:1])
	for i := range pieces {
		if separators[:1] == "=" && i == 0 {
			continue // this piece is the name of a field
		}
		pieces[i] = loosenName(r, pieces[i], separators[1:])
	}
	return strings.Join(pieces, separators[:1])
}

func spell(name string) string {
	switch name {
	case "_":
		return `\x5F`
	case "...":
		return `\x2E..`
	}
	return name
}

var filterSpaces = []string{
	"stk", "st", "sstbow", "stk:closed", "ptk:max-order=4", "emb:max-order=4", "seq:max-order=3", "seq:max-gap=1", "seq:unit=upos",
	"tag:max-order=3", "tag:tag=upos,max-order=3", "poly:degree=3", "poly:template=h.form+m.form,template=rel",
	"dep", "dep:siblings=adjacent,template=rel+h.upos+m.upos", "dep:siblings=side", "dep:siblings=any", "dep:ordered=false",
	"dep:siblings=adjacent,template=rel+h.upos+m.upos+dir", "dep:siblings=any,ordered=false,template=rel+h.upos+m.upos+dir",
	"dep:siblings=adjacent,template=h.form+h.upos+m.form+m.upos",
	"dep:siblings=adjacent,template=h.form+m.form,template=rel+dir", "dep:siblings=side,template=h.upos+m.upos+dist,template=rel",
	"dep:ordered=false,template=rel,template=m.form+m.upos",
}

// filtered is a table for the tests of filters, with all its rows.
type filtered struct {
	*query.Table
	rows []*query.Row
	of   map[string]*query.Row // by code: the row
}

// filterTable returns a table of a space over random trees. It also checks that Get returns the same rows as
// List.
func filterTable(t *testing.T, space string) *filtered {
	t.Helper()
	tab := unfiltered(t, space)
	f := &filtered{tab, rows(t, tab), map[string]*query.Row{}}
	for _, r := range f.rows {
		f.of[string(r.Code)] = r
		if x, err := tab.Get(r.Code); err != nil || !sameNumbers(x, r) {
			t.Errorf("%s: %+v, %+v, %v", tab.Text(nil, r.Code), r, x, err)
		}
	}
	return f
}

func sameNumbers(a, b *query.Row) bool {
	return a.ID == b.ID && a.Order == b.Order && a.Support == b.Support && a.Occurrences == b.Occurrences && slices.Equal(a.ByLabel, b.ByLabel)
}

func unfiltered(t *testing.T, space string) *query.Table {
	t.Helper()
	return tableOf(t, space, func(s *index.Symbols) index.Source {
		r := rand.New(rand.NewPCG(5, 6))
		if strings.HasPrefix(space, "dep") || strings.HasPrefix(space, "poly") || space == "seq:unit=upos" || strings.HasPrefix(space, "tag:tag=upos") {
			return &dependencies{s, r, 60, strings.HasPrefix(space, "poly")}
		}
		n := 1500
		if !strings.HasPrefix(space, "st") && space != "sstbow" {
			n = 60 // because each tree has more fragments
		}
		return &source{b: index.Builder{Symbols: s}, r: r, n: n, words: []string{"u", "_", "..."}}
	})
}

// list returns the texts of the fragments that a filter finds.
func list(t *testing.T, tab *filtered, w query.Filter) (all []string) {
	t.Helper()
	ids := map[uint32]bool{}
	err := tab.List(context.Background(), w, func(r *query.Row) error {
		if err := tab.CountLabels(r); err != nil {
			return err
		}
		all = append(all, string(tab.Text(nil, r.Code)))
		if x := tab.of[string(r.Code)]; x == nil || !sameNumbers(x, r) {
			t.Errorf("%s: %+v, %+v", all[len(all)-1], r, x)
		}
		ids[r.ID] = true
		return nil
	})
	if err != nil || len(ids) != len(all) {
		t.Fatal(len(ids), len(all), err)
	}
	return all
}

// A pattern finds exactly the fragments that fit it by brute force.
func TestPatternsAreBruteForce(t *testing.T) {
	for _, space := range filterSpaces {
		t.Run(space, func(t *testing.T) {
			tab := filterTable(t, space)
			unordered := strings.Contains(space, "ordered=false") || strings.HasPrefix(space, "poly")
			all := tab.rows
			texts, drawn := make([]string, len(all)), make([]*sketch, len(all))
			for i, r := range all {
				texts[i] = string(tab.Text(nil, r.Code))
				drawn[i] = draw(texts[i], rowOf(space))
			}
			r := rand.New(rand.NewPCG(1, 2))
			fitted, alternatives := 0, 0
			for range 150 {
				from := texts[r.IntN(len(texts))]
				k := draw(from, rowOf(space))
				dependency := strings.HasPrefix(space, "dep")
				k.loosen(r, dependency)
				text := k.text(dependency)
				var absent *query.AbsentError // a production that does not occur, so it fits no fragment
				p, err := tab.Pattern(text)
				if err != nil && !errors.As(err, &absent) {
					t.Fatalf("%s from %s: %v", text, from, err)
				}
				var got, want []string
				for i, x := range drawn {
					if k.fits(x, unordered) {
						want = append(want, texts[i])
					}
				}
				switch {
				case err != nil:
				case p == nil: // without a wildcard the text is a fragment
					c, err := tab.Parse(text)
					if err != nil {
						t.Fatalf("%s from %s: %v", text, from, err)
					}
					got = append(got, string(tab.Text(nil, c)))
				default:
					got = list(t, tab, query.Filter{Pattern: p})
					fitted += len(got)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s from %s: got\n%s\nwant\n%s", text, from, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
				if space != "stk" || p == nil || k.label == "_" {
					continue
				}
				// If an unknown name is added as an alternative to a name, the pattern finds the same
				// fragments.
				either := strings.Replace(text, k.label, k.label+"|nothing", 1)
				if all, _ := tab.Alternatives(either); len(all) > 0 {
					got = list(t, tab, query.Filter{Pattern: all[0], Or: all[1:]})
					alternatives++
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s from %s: got\n%s\nwant\n%s", either, from, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
			if fitted < 100 || space == "stk" && alternatives < 20 {
				t.Errorf("the patterns fit %d fragments, %d with another name", fitted, alternatives)
			}
		})
	}
}

// below returns the parts of c, the parts of these parts, and so on.
func below(tab *filtered, c index.Code) map[string]bool {
	all := map[string]bool{}
	todo := []index.Code{c}
	for len(todo) > 0 {
		parts := tab.Space.Parts(nil, todo[0], tab.Symbols())
		todo = todo[1:]
		for _, p := range parts {
			if !all[string(p)] {
				all[string(p)] = true
				todo = append(todo, p)
			}
		}
	}
	return all
}

// Contains and Within find the fragments that follow from parts, parts of parts, and so on.
func TestContainsAndWithinAreParts(t *testing.T) {
	for _, space := range filterSpaces {
		t.Run(space, func(t *testing.T) {
			tab := filterTable(t, space)
			all := tab.rows
			r := rand.New(rand.NewPCG(3, 4))
			parts := make([]map[string]bool, len(all))
			var some []index.Code // fragments that are stored, and fragments that are not
			for i, x := range all {
				parts[i] = below(tab, x.Code)
				some = append(some, x.Code)
				for p := range parts[i] {
					some = append(some, index.Code(p))
				}
			}
			slices.SortFunc(some, func(a, b index.Code) int { return bytes.Compare(a, b) })
			for range 60 {
				c := some[r.IntN(len(some))]
				within := below(tab, c)
				var above, inside []string
				for i, x := range all {
					text := string(tab.Text(nil, x.Code))
					if parts[i][string(c)] {
						above = append(above, text)
					}
					if within[string(x.Code)] {
						inside = append(inside, text)
					}
				}
				if got := list(t, tab, query.Filter{Contains: c}); !slices.Equal(got, above) {
					t.Fatalf("above %s: got\n%s\nwant\n%s", tab.Text(nil, c), strings.Join(got, "\n"), strings.Join(above, "\n"))
				}
				if got := list(t, tab, query.Filter{Within: c}); !slices.Equal(got, inside) {
					t.Fatalf("within %s: got\n%s\nwant\n%s", tab.Text(nil, c), strings.Join(got, "\n"), strings.Join(inside, "\n"))
				}
				err := count(tab, query.Filter{Within: c, MaxParts: max(len(within)-1, 1)})
				if tooMany := len(within) > 1; errors.Is(err, query.ErrTooManyParts) != tooMany {
					t.Errorf("%d parts of %s: %v", len(within), tab.Text(nil, c), err)
				}
			}
		})
	}
}

func count(tab *filtered, w query.Filter) error {
	return tab.List(context.Background(), w, func(*query.Row) error { return nil })
}

// A filter with several conditions finds the fragments that meet all of them.
func TestFilterJoins(t *testing.T) {
	tab := filterTable(t, "stk")
	part, err := tab.Parse("(D w)")
	if err != nil {
		t.Fatal(err)
	}
	p, err := tab.Pattern("(_ ... (C ...) ...)")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	fits := list(t, tab, query.Filter{Pattern: p})
	for _, x := range list(t, tab, query.Filter{Contains: part}) {
		if slices.Contains(fits, x) {
			want = append(want, x)
		}
	}
	got := list(t, tab, query.Filter{Pattern: p, Contains: part})
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("got %q, want %q", got, want)
	}
	big, err := tab.Parse(want[len(want)-1])
	if err != nil {
		t.Fatal(err)
	}
	got = list(t, tab, query.Filter{Pattern: p, Contains: part, Within: big})
	for _, x := range got {
		if !slices.Contains(want, x) || x == want[len(want)-1] {
			t.Errorf("%s is within %s", x, want[len(want)-1])
		}
	}
}

// Fitting a pattern to a fragment allocates no memory.
func TestPatternsDoNotAllocate(t *testing.T) {
	if minetest.Race {
		t.Skip("the race detector allocates")
	}
	for space, text := range map[string]string{
		"stk": "(_ ... (_ ...) ...)", "sstbow": "(A ... _ ...)", "ptk:max-order=4": "(_ ... (B) ...)", "emb:max-order=4": "(_ ... (A) ...)", "tag:tag=upos,max-order=3": "_ _/a ...", "poly:degree=3": "{_ >r _ & ...}", "seq": "[... _ u ...]",
		"dep:siblings=adjacent,template=rel+h.upos+m.upos": "_ ... >_ (_ ...) ...", "dep:ordered=false": "_ ... >_ N",
		"dep:siblings=side,template=h.upos+m.upos+dist,template=rel": "* ... >rel=_ * ...",
	} {
		tab := filterTable(t, space)
		p, err := tab.Pattern(text)
		if err != nil || p == nil {
			t.Fatal(space, p, err)
		}
		m, sp := glob.NewMatcher(p), tab.Space.(index.Patterned)
		var tree glob.Tree
		all := tab.rows
		fits := 0
		n := testing.AllocsPerRun(2, func() {
			for _, r := range all {
				if err := sp.Tree(&tree, r.Code, tab.Symbols()); err != nil {
					t.Error(err)
				}
				if m.Fits(&tree) {
					fits++
				}
			}
		})
		if n > float64(len(all))/10 || fits == 0 { // other goroutines can allocate, but not for each fragment
			t.Errorf("%s: %v allocations, %d fits", space, n, fits)
		}
	}
}

// When the context is cancelled, listing many fragments ends.
func TestListInterrupted(t *testing.T) {
	tab := filterTable(t, "stk")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := tab.Pattern("(_ ...)")
	if err != nil {
		t.Fatal(err)
	}
	big := tab.rows[len(tab.rows)-1].Code
	for _, w := range []query.Filter{{}, {Pattern: p}, {Contains: big}, {Within: big}} {
		if err := tab.List(ctx, w, func(*query.Row) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", w, err)
		}
	}
}

// The error for a text that is no pattern says what is wrong.
func TestPatternErrors(t *testing.T) {
	for space, texts := range map[string]map[string]string{
		"stk": {
			"(_)": "a single node is no fragment", "_": "stands outside the brackets", "(A _": "a closing bracket is missing",
			"(A (B _) (NN))": "is not stored: space stk, support ≥ 2, any order; NN is no label: there are A, B, C, D", "(A (B u) ...": "missing",
		},
		"dep:siblings=adjacent,template=rel+h.upos+m.upos": {
			"_": "a single node", "...": "a node is missing", "... V >r N": "does not tell the sides", "V > _": "without its relation",
			"V >_ X": "support ≥ 2, any order; X is no upos: there are N, V", "V >r N ... N": "where an arc is expected",
		},
		"dep:siblings=adjacent,template=h.form+m.form,template=rel+dir": {
			"* >_ a": "nodes have no labels here", "* >h.form=_ *": "has no template", "* >rel=_+dir=up *": "there are left, right",
		},
	} {
		tab := filterTable(t, space)
		for text, want := range texts {
			if p, err := tab.Pattern(text); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: %v, %v", space, text, p, err)
			}
		}
	}
}
