// Package pages has the pages of the explorer, which show stores in a browser. A page asks the commands a few
// questions (package ask), and a template in web lays out the answers. The address of a page contains all
// that the user chose. The page shows the command that prints the same.
//
// Start reading at Server.Handler, then view.go; each page has a file, and a line in the table pages.
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

// Server answers requests for pages of stores.
type Server struct {
	shelves []*ask.Shelf
	asker   *ask.Asker
	version string
	guard   Guard
}

// New returns a server for stores.
func New(shelves []*ask.Shelf, asker *ask.Asker, version string, guard Guard) *Server {
	return &Server{shelves: shelves, asker: asker, version: version, guard: guard}
}

// page is a kind of page.
type page struct {
	nav   string            // the entry of the menu that is marked
	file  string            // its template
	lines func(*View)       // sets the command lines of its tables
	fill  func(*View) error // sets Title and Data
}

// pages are the kinds of pages, by their name in the address.
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

// templates parses the templates when the first page needs them. Parsing takes as long as the whole start of
// the program, and other commands need no templates.
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

// patience is how long a page waits for answers. After that time the page is sent without the missing
// answers.
const patience = 500 * time.Millisecond

// Handler returns the handler for all requests.
func (s *Server) Handler() http.Handler { return s.guarded(s.serve) }

// serve finds the page of an address. No part of an address is used as a file name.
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

// page answers a request for a page of a store.
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
		http.Redirect(w, v.r, to, http.StatusSeeOther) // so that the address contains all choices
		return
	}
	if p.lines != nil {
		p.lines(v)
	}
	if format := v.Form.Get("download"); format != "" {
		v.download(w, format, v.Form.Get("table"))
		return
	}
	if v.Form.Has("stopped") { // running questions stop, as nobody asks for them any more
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

// reopen opens the newest state of a store and redirects to the page.
func (s *Server) reopen(w http.ResponseWriter, v *View) {
	if err := v.Shelf.Reopen(); err != nil {
		v.refuse(w, http.StatusInternalServerError, "The newer state cannot be opened", err)
		return
	}
	v.Form.Del("newer")
	http.Redirect(w, v.r, v.Same(), http.StatusSeeOther)
}

// index lists the stores. With only one store it redirects to the page of that store.
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

// file sends one of the files that all pages use.
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
