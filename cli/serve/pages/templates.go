package pages

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fstore/cli/command"
)

//go:embed web
var web embed.FS

// templates parses the templates when the first page needs them, because parsing takes as long as the whole
// start of the program.
var templates = sync.OnceValue(func() map[string]*template.Template {
	all := map[string]*template.Template{}
	layout := template.Must(template.New("").Funcs(funcs).ParseFS(web, "web/layout.html"))
	files, _ := fs.Glob(web, "web/*.html")
	for _, f := range files {
		all[path.Base(f)] = template.Must(template.Must(layout.Clone()).ParseFS(web, f))
	}
	return all
})

// funcs are the functions that templates call.
var funcs = template.FuncMap{
	"frag": frag, "count": whole, "num": num, "times": times, "pval": pval, "bar": bar, "interval": interval,
	"percent": percent, "plural": plural, "picture": picture, "svg": func(s string) template.HTML { return picture([]byte(s)) },
	"add": func(a, b int) int { return a + b }, "abs": abs, "of": func(a, b any) float64 { return toFloat(a) / toFloat(b) },
	"list": func(all ...string) []string { return all }, "pairs": pairs, "quote": quoted, "fragmentis": fragmentIs,
	"cmd":   func(v *View, name string) map[string]any { return map[string]any{"V": v, "Cmd": v.Cmd(name)} },
	"state": func(v *View, t *Table) map[string]any { return map[string]any{"V": v, "T": t} },
	"relative": func(v *View, e entry, share float64) map[string]any {
		return map[string]any{"V": v, "E": e, "Share": share}
	},
	"said":  func(note string) string { return strings.Replace(note, printsAll, "", 1) },
	"slots": slots.MatchString, "rtl": runsLeft, "hitrows": hitRows, "hitsof": hitsOf, "istext": isText, "weightcolumn": weightColumn,
	"labelfield": labelFieldOf,
}

// named is a page with its name in the menu.
type named struct{ Page, Name string }

func pairs(all []string) (entries []named) {
	for i := 0; i+1 < len(all); i += 2 {
		entries = append(entries, named{all[i], all[i+1]})
	}
	return entries
}

// mostOptions is the largest number of labels that a form lists.
const mostOptions = 200

// LabelOptions returns the labels that forms list, or nil if there are too many: then the user types a label.
func (v *View) LabelOptions() []string {
	if labels := v.Labels(); len(labels) <= mostOptions {
		return labels
	}
	return nil
}

// labelField is the field of a form in which the user chooses a label, from Options or by typing. `Any` is
// the text for the empty value, or "" if the user cannot choose the empty value from Options.
type labelField struct {
	ID, Name, Text, Any, Value string
	Options                    []string
}

// labelFieldOf returns an input field for labels, with the value that it has in the page's form.
func labelFieldOf(v *View, id, name, text, any string) labelField {
	f := labelField{id, name, text, any, v.Get(name), v.LabelOptions()}
	if f.Options != nil && f.Value != "" && !slices.Contains(f.Options, f.Value) {
		f.Options = append(slices.Clone(f.Options), f.Value) // the value is several labels, or an unknown label
	}
	return f
}

// send executes the templates of a file and sends the page.
func (v *View) send(w http.ResponseWriter, file string) {
	if v.Title == "" && v.Problem != nil {
		v.Title = v.Problem.Title
	}
	v.Title = printable(v.Title)
	var b bytes.Buffer
	if err := templates()[file].ExecuteTemplate(&b, "layout", v); err != nil {
		refuse(w, http.StatusInternalServerError, "internal error: the page cannot be made")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	if v.Waiting {
		h.Set("Refresh", "1")
	}
	if v.Problem != nil {
		w.WriteHeader(v.Problem.status)
	}
	if v.r.Method != http.MethodHead {
		_, _ = w.Write(b.Bytes()) // an error means that the browser has gone
	}
}

// refuse sends an error page in place of the requested page.
func (v *View) refuse(w http.ResponseWriter, status int, title string, err error) {
	v.Problem = &Problem{Title: title, Text: command.OneLine(err.Error()), status: status}
	v.send(w, "problem.html")
}
