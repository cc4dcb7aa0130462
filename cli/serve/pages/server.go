// Package pages has the pages of the explorer, which show stores in a browser. A page asks the commands a few
// questions (package ask), and a template in web lays out the answers. The address of a page contains all
// that the user chose. The page shows the command that prints the same.
//
// Start reading at server.serve, then view.go. Each page has a file, and a line in the table kinds.
package pages

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"fstore/cli/serve/ask"
)

// server answers requests for pages of stores.
type server struct {
	shelves []*ask.Shelf
	asker   *ask.Asker
	version string
}

// New returns the handler for all requests. The guard checks each request first.
func New(shelves []*ask.Shelf, asker *ask.Asker, version string, guard Guard) http.Handler {
	return guard.guarded((&server{shelves, asker, version}).serve)
}

// pageKind is a kind of page, for example the list of fragments.
type pageKind struct {
	nav   string            // the entry of the menu that is marked
	file  string            // its template
	lines func(*View)       // sets the command lines of its tables
	fill  func(*View) error // sets Title and Data
}

// pageKinds has the kind of each page, by the page's name in the address.
var pageKinds = map[string]*pageKind{
	"":           {"", "overview.html", overviewLines, overviewPage},
	"fragments":  {"fragments", "fragments.html", fragmentsLines, fragmentsPage},
	"fragment":   {"fragments", "fragment.html", fragmentLines, fragmentPage},
	"contrast":   {"contrast", "contrast.html", contrastLines, contrastPage},
	"hits":       {"hits", "hits.html", hitsLines, hitsPage},
	"counts":     {"hits", "counts.html", countsLines, countsPage},
	"collocates": {"hits", "collocates.html", collocatesLines, collocatesPage},
	"sentence":   {"sentence", "sentence.html", sentenceLines, sentencePage},
	"models":     {"models", "models.html", modelsLines, modelsPage},
	"model":      {"models", "model.html", modelLines, modelPage},
	"guide":      {"guide", "guide.html", nil, guidesPage},
}

// patience is how long a page waits for answers. After that time the page is sent without them.
const patience = 500 * time.Millisecond

// serve answers a request with a page. No part of the address is used as a file name.
func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, MostRequest)
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	v := &View{
		Version: s.version, Several: len(s.shelves) > 1, Form: url.Values{},
		asker: s.asker, r: r, until: time.Now().Add(patience), tables: map[string]*Table{},
	}
	switch {
	case parts[0] == "-" && len(parts) == 2:
		s.asset(w, r, parts[1])
		return
	case len(parts) == 1 && parts[0] == "":
		s.stores(w, v)
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
	k := pageKinds[v.Page]
	if v.Shelf == nil || k == nil || len(parts) > 2 {
		v.Shelf = nil
		v.refuse(w, http.StatusNotFound, "There is no such page", errors.New(printable(r.URL.Path)))
		return
	}
	if len(parts) == 1 {
		http.Redirect(w, r, "/"+url.PathEscape(v.Shelf.Name)+"/", http.StatusSeeOther)
		return
	}
	s.answer(w, v, k)
}

func (s *server) answer(w http.ResponseWriter, v *View, k *pageKind) {
	v.State = v.Shelf.Borrow()
	defer v.State.Return()
	v.Nav = k.nav
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
	if k.lines != nil {
		k.lines(v)
	}
	if format := v.Form.Get("download"); format != "" {
		v.sendTable(w, format, v.Form.Get("table"))
		return
	}
	if v.Form.Has("stopped") { // running questions stop, as nobody asks for them any more
		v.refuse(w, http.StatusOK, "Stopped", errors.New("the question ends in ten seconds, unless somebody else asks for it"))
		return
	}
	if err := k.fill(v); err != nil {
		v.Problem = explain(v.r.Context(), err)
	}
	if v.moved != "" {
		http.Redirect(w, v.r, v.moved, http.StatusSeeOther)
		return
	}
	file := k.file
	if v.Problem != nil && v.Data == nil {
		file = "problem.html"
	}
	v.send(w, file)
}

// reopen opens the newest state of a store and redirects to the page.
func (s *server) reopen(w http.ResponseWriter, v *View) {
	if err := v.Shelf.Reopen(); err != nil {
		v.refuse(w, http.StatusInternalServerError, "The newer state cannot be opened", err)
		return
	}
	v.Form.Del("newer")
	http.Redirect(w, v.r, v.Same(), http.StatusSeeOther)
}

// stores lists the stores. With only one store it redirects to the page of that store.
func (s *server) stores(w http.ResponseWriter, v *View) {
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

// asset sends one of the files that all pages use.
func (s *server) asset(w http.ResponseWriter, r *http.Request, name string) {
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
