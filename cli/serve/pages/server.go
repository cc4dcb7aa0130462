// Package pages has the explorer's pages: what a browser sees of stores. A page is a few questions to
// the commands (package ask), and a template in web that lays out their answers. Its address has all
// that was chosen, and it says the command that prints the same.
//
// Start reading at Server.Handler, then view.go; each page is a file, and a line in the table pages.
package pages

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"fstore/cli/serve/ask"
)

// Server answers for stores.
type Server struct {
	shelves []*ask.Shelf
	asker   *ask.Asker
	version string
	guard   Guard
}

// New returns a server of stores.
func New(shelves []*ask.Shelf, asker *ask.Asker, version string, guard Guard) *Server {
	return &Server{shelves: shelves, asker: asker, version: version, guard: guard}
}

// page is one kind of page.
type page struct {
	nav   string            // the entry of the head that it belongs to
	file  string            // its template
	lines func(*View)       // sets the command lines of its tables
	fill  func(*View) error // sets Title and Data
}

// pages are those of a store, by the name in the address.
var pages = map[string]*page{
	"":           {"", "overview.html", overviewLines, overview},
	"fragments":  {"fragments", "fragments.html", fragmentsLines, fragments},
	"fragment":   {"fragments", "fragment.html", fragmentLines, fragment},
	"contrast":   {"contrast", "contrast.html", contrastLines, contrast},
	"hits":       {"hits", "hits.html", hitsLines, hits},
	"counts":     {"hits", "counts.html", countsLines, counts},
	"collocates": {"hits", "collocates.html", collocatesLines, collocates},
	"sentence":   {"sentence", "sentence.html", sentenceLines, sentence},
	"models":     {"models", "models.html", modelsLines, models},
	"model":      {"models", "model.html", modelLines, model},
	"guide":      {"guide", "guide.html", nil, guides},
}

//go:embed web
var web embed.FS

// templates are parsed once, for the first page: that takes as long as all else before a command
// begins, and no other command needs them.
var templates = sync.OnceValue(func() map[string]*template.Template {
	all := map[string]*template.Template{}
	layout := template.Must(template.New("").Funcs(funcs).ParseFS(web, "web/layout.html"))
	files := []string{"stores.html", "problem.html"}
	for _, p := range pages {
		files = append(files, p.file)
	}
	for _, f := range files {
		all[f] = template.Must(template.Must(layout.Clone()).ParseFS(web, "web/"+f))
	}
	return all
})

// patience is how long a page waits for its questions before it is sent without their answers.
const patience = 500 * time.Millisecond

// Handler answers requests.
func (s *Server) Handler() http.Handler { return s.guarded(s.serve) }

// serve finds the page of an address. No part of an address is the name of a file.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, MostRequest)
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	v := &View{s: s, r: r, Form: url.Values{}, until: time.Now().Add(patience)}
	switch {
	case parts[0] == "-" && len(parts) == 2:
		s.file(w, r, parts[1])
		return
	case len(parts) == 1 && parts[0] == "":
		s.index(w, v)
		return
	}
	for _, h := range s.shelves {
		if h.Name == parts[0] {
			v.Shelf = h
		}
	}
	if len(parts) == 2 {
		v.Page = parts[1]
	}
	p := pages[v.Page]
	if v.Shelf == nil || p == nil || len(parts) > 2 {
		v.Shelf = nil
		v.refuse(w, http.StatusNotFound, "There is no such page", errors.New(printable(r.URL.Path)))
		return
	}
	if len(parts) == 1 {
		http.Redirect(w, r, "/"+url.PathEscape(v.Shelf.Name)+"/", http.StatusSeeOther)
		return
	}
	s.page(w, v, p)
}

// page answers a page of a store.
func (s *Server) page(w http.ResponseWriter, v *View, p *page) {
	v.State = v.Shelf.Borrow()
	defer v.State.Return()
	v.Nav = p.nav
	if status, err := v.read(); err != nil {
		v.refuse(w, status, "The address cannot be read", err)
		return
	}
	if v.r.Method == http.MethodPost && v.Form.Has("newer") {
		s.reopen(w, v)
		return
	}
	if to := v.Same(); v.r.Method == http.MethodPost && len(to) < MostRequest-4096 {
		http.Redirect(w, v.r, to, http.StatusSeeOther) // so that the address has all that was chosen
		return
	}
	if p.lines != nil {
		p.lines(v)
	}
	if format := v.Form.Get("download"); format != "" {
		v.download(w, format, v.Form.Get("table"))
		return
	}
	if v.Form.Has("stopped") { // what still runs ends, as nobody asks for it
		v.refuse(w, http.StatusOK, "Stopped", errors.New("the question ends in ten seconds, unless somebody else asks for it"))
		return
	}
	if err := p.fill(v); err != nil {
		v.Problem = v.explain(err)
	}
	if v.moved != "" {
		http.Redirect(w, v.r, v.moved, http.StatusSeeOther)
		return
	}
	file := p.file
	if v.Problem != nil && v.Data == nil {
		file = "problem.html"
	}
	v.send(w, file)
}

// reopen goes on with the newer state of a store, and back to the page.
func (s *Server) reopen(w http.ResponseWriter, v *View) {
	if err := v.Shelf.Reopen(); err != nil {
		v.refuse(w, http.StatusInternalServerError, "The newer state cannot be opened", err)
		return
	}
	v.Form.Del("newer")
	http.Redirect(w, v.r, v.Same(), http.StatusSeeOther)
}

// index lists the stores, where there are several.
func (s *Server) index(w http.ResponseWriter, v *View) {
	if len(s.shelves) == 1 {
		http.Redirect(w, v.r, "/"+url.PathEscape(s.shelves[0].Name)+"/", http.StatusSeeOther)
		return
	}
	v.Title = "Stores"
	for _, h := range s.shelves {
		state := h.Borrow()
		defer state.Return()
		v.States = append(v.States, StoreRow{h, state})
	}
	v.send(w, "stores.html")
}

// file answers one of the two files that pages are made with.
func (s *Server) file(w http.ResponseWriter, r *http.Request, name string) {
	types := map[string]string{"style.css": "text/css; charset=utf-8", "explorer.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"}
	if types[name] == "" {
		refuse(w, http.StatusNotFound, "there is no such file")
		return
	}
	b, err := web.ReadFile(path.Join("web", name))
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", types[name])
	w.Header().Set("ETag", strconv.Quote(s.version+name))
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
}
