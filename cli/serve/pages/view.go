package pages

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"fstore/cli/serve/ask"
	"fstore/index"
	"fstore/store"
)

// View is a page while it is being made. Its template sees the exported fields and methods.
type View struct {
	Shelf  *ask.Shelf
	State  *ask.State
	States []StoreRow // all stores, on the page that lists them
	Form   url.Values
	Page   string // name in the address
	Nav    string // marked entry of the menu
	Title  string
	Data   any // data for this page's template

	Version string // version of the program
	Several bool   // the server has several stores

	Problem *Problem // why the request failed
	Waiting bool     // an answer is missing: the browser loads the page again by itself

	asker  *ask.Asker
	r      *http.Request
	until  time.Time // time at which the page is sent, complete or not
	moved  string    // address to redirect to instead
	lines  []namedLine
	tables map[string]*Table
	labels []string // see Labels
}

// StoreRow is a store in the list of stores.
type StoreRow struct {
	*ask.Shelf
	State *ask.State
}

// Info returns the command that prints what the store holds.
func (r StoreRow) Info() string { return ask.NewLine("info", r.Shelf).String() }

// namedLine is the command line of a table of the page.
type namedLine struct {
	name    string
	line    *ask.Line
	formats []string // formats of downloads
}

// Formats of downloads. Only hits have the format `treebank`.
var (
	tableFormats = []string{"tsv", "csv", "jsonl", "xlsx", "arrow", "parquet"}
	hitFormats   = append(slices.Clone(tableFormats), "treebank")
)

// add records the command line of a table of the page, and the formats of its downloads.
func (v *View) add(name string, l *ask.Line, formats ...string) {
	v.lines = append(v.lines, namedLine{name, l, formats})
}

func (v *View) lineOf(name string) *namedLine {
	for i := range v.lines {
		if v.lines[i].name == name {
			return &v.lines[i]
		}
	}
	return nil
}

// read parses the form and checks it. If there is an error, status is the HTTP status of the answer.
func (v *View) read() (status int, err error) {
	if err := v.r.ParseForm(); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return http.StatusRequestEntityTooLarge, errors.New("the text is longer than 64 kB")
		}
		return http.StatusBadRequest, errors.New("an encoding is broken")
	}
	v.Form = v.r.Form
	return http.StatusBadRequest, checkForm(v.Form)
}

// Get returns a value of the form without the spaces around it.
func (v *View) Get(name string) string { return strings.TrimSpace(v.Form.Get(name)) }

// Or returns a value of the form, or `fallback` if the value is empty.
func (v *View) Or(name, fallback string) string { return cmp.Or(v.Get(name), fallback) }

// mostRows is the largest number of rows on a page.
const mostRows = 1000

// limit returns the number of rows that the form asks for, see limitOf.
func (v *View) limit(fallback int) string { return limitOf(v.Get("limit"), fallback) }

// limitOf returns how many rows to show, at most mostRows. A text that is not a number stays, and the command
// reports the error.
func limitOf(text string, fallback int) string {
	text = cmp.Or(text, strconv.Itoa(fallback))
	if n, err := strconv.Atoi(text); err == nil && (n == 0 || n > mostRows) {
		return strconv.Itoa(mostRows)
	}
	return text
}

// To returns the address of a page of this store. The pairs are names of form fields with their values. Empty
// values are left out.
func (v *View) To(page string, pairs ...any) string { return v.address(page, url.Values{}, pairs) }

// Same returns the address of this page with some values of the form changed. The pairs are as in To.
func (v *View) Same(pairs ...any) string {
	values := maps.Clone(v.Form)
	values.Del("download")
	return v.address(v.Page, values, pairs)
}

func (v *View) address(page string, values url.Values, pairs []any) string {
	if space := v.Get("space"); space != "" && page != "guide" {
		values.Set("space", space)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, text := pairs[i].(string), fmt.Sprint(pairs[i+1])
		if values.Del(name); text != "" {
			values.Set(name, text)
		}
	}
	to := "/" + url.PathEscape(v.Shelf.Name) + "/" + page
	if len(values) > 0 {
		to += "?" + values.Encode()
	}
	return to
}

// Cmd is what a page shows about the command of a table.
type Cmd struct {
	Line      string
	Downloads []Link
}

// Link is a link with its text. Current marks the link to the page that is shown.
type Link struct {
	Text, To string
	Current  bool
}

// Cmd returns the command of a table, or nil if there is none.
func (v *View) Cmd(name string) *Cmd {
	l := v.lineOf(name)
	if l == nil {
		return nil
	}
	c := &Cmd{Line: l.line.String()}
	for _, f := range l.formats {
		c.Downloads = append(c.Downloads, Link{Text: strings.ToUpper(f), To: v.Same("table", name, "download", f)})
	}
	return c
}

// ask runs a question and returns its answer, or nil with the reason in t.
func (v *View) ask(t *Table, q ask.Question) *ask.Answer {
	answer, progress, err := v.asker.Ask(v.r.Context(), v.State, q, time.Until(v.until))
	switch {
	case err != nil:
		t.Problem = explain(v.r.Context(), err)
		return nil
	case progress != nil:
		t.Wait, v.Waiting = progress, true
		return nil
	}
	t.Notes, t.Picture = answer.Notes, answer.Picture
	if answer.Err != nil {
		t.Problem = explain(v.r.Context(), answer.Err)
		return nil
	}
	return answer
}

// Table returns a table of the page. It runs the table's command only once.
func (v *View) Table(name string) *Table {
	if t := v.tables[name]; t != nil {
		return t
	}
	t := &Table{}
	if l := v.lineOf(name); l != nil {
		if answer := v.ask(t, l.line.With("format", "jsonl").Question()); answer != nil {
			if err := t.parse(answer.Text); err != nil {
				t.Problem = explain(v.r.Context(), err)
			}
		}
	}
	v.tables[name] = t
	return t
}

// text returns what the command of a table prints. The returned table has no rows, only notes and problems.
func (v *View) text(name string) (*Table, string) {
	t := &Table{}
	if l := v.lineOf(name); l != nil {
		if answer := v.ask(t, l.line.Question()); answer != nil {
			return t, string(answer.Text)
		}
	}
	return t, ""
}

// main returns the table that the page is about. A problem of this table is a problem of the page.
func (v *View) main(name string) *Table {
	t := v.Table(name)
	if t.Problem != nil {
		v.Problem = t.Problem
	}
	return t
}

// Meta returns the description of the store.
func (v *View) Meta() *store.Meta { return v.State.Meta() }

// Dependencies reports whether the trees are dependency trees.
func (v *View) Dependencies() bool { return v.Meta().Kind == index.Dependency }

// Tag describes the contents of the store in a few words.
func (v *View) Tag() string {
	return index.Plural(v.Meta().Samples, map[bool]string{true: "dependency tree", false: "constituency tree"}[v.Dependencies()])
}

// Space returns the space that the form names, or else the first space of the store.
func (v *View) Space() *store.SpaceInfo {
	m := v.Meta()
	for i := range m.Spaces {
		if m.Spaces[i].ID == v.Get("space") {
			return &m.Spaces[i]
		}
	}
	if len(m.Spaces) == 0 {
		return &store.SpaceInfo{}
	}
	return &m.Spaces[0]
}

// space returns the value of --space. It is "" if the form names no space and the store has just one.
func (v *View) space() string {
	if space := v.Get("space"); space != "" || len(v.Meta().Spaces) < 2 {
		return space
	}
	return v.Meta().Spaces[0].ID
}

// Labels returns the labels of the store, none if they cannot be read.
func (v *View) Labels() []string {
	if v.labels == nil {
		v.labels, _ = v.State.Labels()
	}
	return v.labels
}

// tree returns a sample of the store, and the store's symbols.
func (v *View) tree(id uint32) (*index.Tree, *index.Symbols, error) {
	t := new(index.Tree)
	if err := v.State.Sample(id, t); err != nil {
		return nil, nil, err
	}
	syms, err := v.State.Symbols()
	return t, syms, err
}
