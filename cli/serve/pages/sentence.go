package pages

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"fstore/cli/command"
	"fstore/cli/serve/ask"
	"fstore/decode/concordance"
	"fstore/decode/draw"
	"fstore/index"
	"fstore/mine/count"
)

// sentenceData is the data of a sentence's page: the sentence, its tree, and a pattern made of chosen words.
type sentenceData struct {
	ID              int
	Name            string
	Label, Document string
	Left, Right     string
	Match           []matchPiece
	Pattern         string
	Hit, Hits       int    // position of the marked hit in the sentence, and number of its hits
	Row             int    // number of the hit in the list of hits that the user came from, 0 if not in the list
	Rows            string // the command's note on the length of that list
	Previous, Next  string
	RTL, Wide       bool // the script runs from right to left; the arcs fit only if drawn upright
	Arcs            string
	Before, After   string // addresses of the previous and the next sentence, "" if there is none
	Earlier, Later  string // addresses of the previous and the next hit in this sentence
	Words           []word
	Drawing         string
	DrawingState    *Table
	Chosen          bool
	Patterns        *Table
	Others          int  // number of other samples with the same name
	Lemmas, Feats   bool // some word has a lemma, or features
}

// word is a row in the table of a sentence's words.
type word struct {
	N                                 int
	Form, Lemma, UPOS, Rel, Of, Feats string
	Hit, Chosen                       bool
}

// sample returns the sample that the form names, and how many other samples have the same name. The default
// is the first sample of the form's label, or of the store.
func (v *View) sample() (id uint32, others int, err error) {
	if wanted := v.Get("sample"); wanted != "" {
		return command.SampleID(v.r.Context(), v.State.Store, wanted)
	}
	if label := v.Get("label"); label != "" {
		bm, err := v.State.LabelBitmap(label)
		if err != nil || bm.IsEmpty() {
			return 0, 0, errors.Join(err, fmt.Errorf("no sample has the label %s", label))
		}
		return bm.Minimum(), 0, nil
	}
	if v.Meta().Samples == 0 {
		return 0, 0, errors.New("the store has no samples")
	}
	return 0, 0, nil
}

func sentenceLines(v *View) {
	id, _, err := v.sample()
	if err != nil {
		return // the page reports the error
	}
	sample := strconv.Itoa(int(id) + 1)
	draw := ask.NewLine("draw", v.Shelf).Flag("sample", sample)
	if p := v.Get("p"); p != "" && v.hasHit(id) {
		draw.Flag("pattern", p).Flag("space", v.space()).Flag("hit", v.Get("hit"))
	}
	v.add("drawing", draw.Flag("format", "svg"), "svg", "text")
	v.add("sample", ask.NewLine("info", v.Shelf).Flag("sample", sample), "txt")
	if words := v.Form["w"]; len(words) > 0 {
		v.add("patterns", ask.NewLine("pattern", v.Shelf).Flag("sample", sample).Flag("words", strings.Join(words, ",")), tableFormats...)
	}
}

// hasHit reports whether a sample has a hit of the page's pattern. For a wrong pattern it returns true, so
// that the command reports the error.
func (v *View) hasHit(id uint32) (has bool) {
	t, syms, err := v.tree(id)
	if err == nil {
		err = v.eachHit(t, syms, func([]int32) bool { has = true; return false })
	}
	return has || err != nil
}

func sentencePage(v *View) error {
	id, others, err := v.sample()
	if err != nil {
		return err
	}
	d := &sentenceData{ID: int(id), Others: others, Pattern: v.Get("p"), Chosen: len(v.Form["w"]) > 0}
	t, syms, err := v.tree(id)
	if err != nil {
		return err
	}
	d.Name, d.Label, d.Document = t.Name, t.Label, t.Document
	v.Title, v.Data = "Sentence "+d.Name, d
	var marked []int32
	if d.Pattern != "" {
		if marked, err = d.find(v, t, syms); err != nil {
			v.Problem = explain(v.r.Context(), err)
		}
	}
	text := concordance.Surface(t, syms)
	d.RTL, d.Wide = isRightToLeft(text.Text), draw.IsWide(t, syms)
	d.Arcs = string(draw.Upright(nil, t, syms, marked))
	if marked == nil {
		d.Left = text.Text
	} else {
		var match string
		at := concordance.Positions(t, marked)
		d.Left, match, d.Right = text.Split(marked)
		d.Match = piecesOf(t, &text, d.Left, match, at)
		d.among(v, at)
	}
	d.Words = wordsOf(t, syms, marked, v.Form["w"])
	for i := range d.Words {
		d.Lemmas, d.Feats = d.Lemmas || d.Words[i].Lemma != "", d.Feats || d.Words[i].Feats != ""
	}
	d.neighbours(v)
	if l := v.lineOf("drawing"); d.Hit > 0 && l != nil {
		l.line = l.line.With("hit", strconv.Itoa(d.Hit))
		v.Form.Set("hit", strconv.Itoa(d.Hit))
		v.Form.Del("at")
	}
	if v.Problem == nil {
		d.DrawingState, d.Drawing = v.text("drawing")
	}
	if d.Chosen {
		d.Patterns = v.Table("patterns")
	}
	return nil
}

// eachHit calls f for the hits of the page's pattern in a tree, until f returns false.
func (v *View) eachHit(t *index.Tree, syms *index.Symbols, f func(row []int32) bool) error {
	x, err := count.Open(v.State.Store, v.space())
	if err != nil {
		return err
	}
	k, err := x.Parse(v.Get("p"))
	if err != nil {
		return err
	}
	k.Finder(syms).Each(t, f)
	return nil
}

// find returns the hit that the form names by number or by positions, or else the first hit.
func (d *sentenceData) find(v *View, t *index.Tree, syms *index.Symbols) (marked []int32, err error) {
	wanted, _ := strconv.Atoi(v.Get("hit"))
	at := v.Get("at")
	var first []int32
	err = v.eachHit(t, syms, func(row []int32) bool {
		if d.Hits++; d.Hits == 1 {
			first = slices.Clone(row)
		}
		if d.Hit == 0 && (at != "" && concordance.Positions(t, row) == at || at == "" && d.Hits == max(1, wanted)) {
			d.Hit, marked = d.Hits, slices.Clone(row)
		}
		return d.Hits < index.MaxLocated
	})
	if d.Hit == 0 && first != nil {
		d.Hit, marked = 1, first
	}
	return marked, err
}

// among finds the marked hit in the list of hits that the user came from, and sets d.Previous and d.Next.
func (d *sentenceData) among(v *View, at string) {
	from, err := url.ParseQuery(v.Get("from"))
	if err != nil || checkForm(from) != nil {
		return
	}
	answer, _, err := v.asker.Ask(v.r.Context(), v.State, v.hitsLine(from).With("format", "jsonl").Question(), time.Until(v.until))
	t := &Table{}
	if err != nil || answer == nil || answer.Err != nil || t.parse(answer.Text) != nil {
		return
	}
	to := func(n int) string {
		if n < 0 || n >= len(t.Rows) {
			return ""
		}
		return v.toHit(d.Pattern, v.Get("from"), t.Rows[n])
	}
	for n, row := range t.Rows {
		if row.Number("number") == float64(d.ID+1) && row.Text("positions") == at {
			d.Row = n + 1
			if k := len(answer.Notes); k > 0 {
				d.Rows = answer.Notes[k-1]
			}
			d.Previous, d.Next = to(n-1), to(n+1)
			return
		}
	}
}

// ToHits returns the address of the list of hits that the user came from.
func (d *sentenceData) ToHits(v *View) string {
	from, _ := url.ParseQuery(v.Get("from"))
	pairs := []any{"p", d.Pattern}
	for _, name := range hitFields {
		pairs = append(pairs, name, from.Get(name))
	}
	return v.To("hits", pairs...)
}

// neighbours sets d.Before and d.After. If a hit is marked, it also sets d.Earlier and d.Later.
func (d *sentenceData) neighbours(v *View) {
	to := func(id int) string { return v.To("sentence", "sample", strconv.Itoa(id+1), "p", d.Pattern) }
	if d.ID > 0 {
		d.Before = to(d.ID - 1)
	}
	if d.ID+1 < int(v.Meta().Samples) {
		d.After = to(d.ID + 1)
	}
	hit := func(n int) string {
		if n < 1 || n > d.Hits {
			return ""
		}
		return v.To("sentence", "sample", strconv.Itoa(d.ID+1), "p", d.Pattern, "hit", strconv.Itoa(n), "from", v.Get("from"))
	}
	if d.Hit > 0 {
		d.Earlier, d.Later = hit(d.Hit-1), hit(d.Hit+1)
	}
}

// wordsOf returns a row for each word. It marks the words of a hit, and the words that the user chose.
func wordsOf(t *index.Tree, syms *index.Symbols, marked []int32, chosen []string) (all []word) {
	text := func(id uint32) string {
		if s := string(syms.Bytes(index.Words, id)); s != "_" {
			return s
		}
		return ""
	}
	add := func(w word) {
		w.N = len(all) + 1
		w.Chosen = slices.Contains(chosen, strconv.Itoa(w.N))
		all = append(all, w)
	}
	for i := range t.Tokens {
		k := &t.Tokens[i]
		w := word{
			Form: string(syms.Bytes(index.Words, k.Form)), Lemma: text(k.Lemma), UPOS: text(k.UPOS), Rel: text(k.Rel),
			Feats: strings.ReplaceAll(text(k.Feats), "|", " "), Hit: slices.Contains(marked, int32(i)),
		}
		if k.Head > 0 && int(k.Head) <= len(t.Tokens) {
			w.Of = string(syms.Bytes(index.Words, t.Tokens[k.Head-1].Form))
		}
		add(w)
	}
	for i := range t.Nodes {
		if !t.IsWord(i) {
			continue
		}
		n := &t.Nodes[i]
		w := word{Form: string(syms.Bytes(n.Child().Class(), n.Sym)), Hit: slices.Contains(marked, int32(i))}
		if n.Parent >= 0 {
			p := &t.Nodes[n.Parent]
			w.UPOS = string(syms.Bytes(p.Child().Class(), p.Sym))
			w.Hit = w.Hit || slices.Contains(marked, n.Parent)
		}
		add(w)
	}
	return all
}
