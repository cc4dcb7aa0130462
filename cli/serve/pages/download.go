package pages

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
)

var contentTypes = map[string]string{
	"tsv": "text/tab-separated-values; charset=utf-8", "csv": "text/csv; charset=utf-8",
	"jsonl": "application/jsonl; charset=utf-8",
	"xlsx":  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"arrow": "application/vnd.apache.arrow.file", "parquet": "application/vnd.apache.parquet",
	"svg": "image/svg+xml", "treebank": "text/plain; charset=utf-8", "txt": "text/plain; charset=utf-8",
}

// endings are the file extensions of downloads that differ from the format's name.
var endings = map[string]string{"treebank": "conllu"}

// writeTimeout is how long a browser may take to accept the next bytes of a download.
const writeTimeout = time.Minute

// sendTable streams all rows of a table, as the command writes them with -o FILE.
func (v *View) sendTable(w http.ResponseWriter, format, name string) {
	l := v.lineOf(name)
	if l == nil || !slices.Contains(l.formats, format) {
		v.refuse(w, http.StatusNotFound, "There is no such download", fmt.Errorf("%s of %s", printable(format), printable(name)))
		return
	}
	line := l.line.All()
	if format == "treebank" {
		line = line.With("columns", "").With("sort", "")
	}
	if format != "txt" {
		line = line.With("format", format)
	}
	ending := cmp.Or(endings[format], format)
	if format == "treebank" && !v.Dependencies() {
		ending = "mrg"
	}
	out := &downloadWriter{w: w, control: http.NewResponseController(w), begin: func() {
		h := w.Header()
		h.Set("Content-Type", contentTypes[format])
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(v.Shelf.Name + "-" + v.Page + "." + ending)}))
	}}
	if v.r.Method == http.MethodHead {
		out.begin()
		return
	}
	err := v.asker.Stream(v.r.Context(), v.State, line.Question(), out)
	switch {
	case err == nil && !out.begun: // an empty answer
		out.begin()
	case err != nil && out.begun:
		panic(http.ErrAbortHandler) // an incomplete file must not look complete
	case err != nil:
		v.Problem = explain(v.r.Context(), err)
		v.send(w, "problem.html")
	}
}

// downloadWriter sends an answer that the browser saves to a file.
type downloadWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begin   func() // sets the header
	begun   bool
}

func (d *downloadWriter) Write(p []byte) (int, error) {
	if !d.begun {
		d.begun = true
		d.begin()
	}
	_ = d.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	n, err := d.w.Write(p)
	_ = d.control.Flush()
	return n, err
}

// fileName returns a file name that all systems allow.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && !strings.ContainsRune("-_.", r) && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') {
			return '-'
		}
		return r
	}, name)
}
