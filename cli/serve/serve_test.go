package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli"
)

// fstore runs a command line. If the command fails, the test fails.
func fstore(t testing.TB, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cli.Execute(t.Context(), vfs.Default, args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("fstore %v: exit code %d: %s", args, code, &stderr)
	}
	return stdout.String()
}

// server is a server that runs.
type server struct {
	t      testing.TB
	base   string // its address, without a slash at the end
	query  string // the query of the address that it printed
	stop   context.CancelFunc
	code   chan int
	stderr *bytes.Buffer
}

// serve serves until the test ends.
func serve(t testing.TB, args ...string) *server {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	s := &server{t: t, stop: stop, code: make(chan int, 1), stderr: &bytes.Buffer{}}
	go func() {
		code := cli.Execute(ctx, vfs.Default, append([]string{"serve"}, args...), strings.NewReader(""), in, s.stderr)
		in.Close()
		s.code <- code
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v: %s", err, s.stderr)
	}
	address, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	s.base, s.query = "http://"+address.Host, address.RawQuery
	t.Cleanup(func() { stop() })
	return s
}

// do sends a request and does not follow redirects.
func (s *server) do(method, path string, change func(*http.Request)) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.base+path, nil)
	if err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
	if change != nil {
		change(r)
	}
	c := http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer c.CloseIdleConnections()
	a, err := c.Do(r)
	if err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
	return a, string(body)
}

// get loads a page again until no answer is missing on it.
func (s *server) get(path string) (status int, body string) {
	s.t.Helper()
	for {
		a, body := s.do("GET", path, nil)
		if a.Header.Get("Refresh") == "" {
			return a.StatusCode, body
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// storesDir is the directory of all stores. It has a folder for each storeSet.
var storesDir string

// nastyLabel is a label that must be escaped in every address and page.
const nastyLabel = `<b>&"'/?#%`

// storeSet is the stores ud, demo and odd, made of sample treebanks once.
type storeSet struct {
	minSupport string // of ud and demo
	once       sync.Once
	dirs       []string
}

var (
	full  = storeSet{minSupport: "2"}  // the stores as the guides show them
	small = storeSet{minSupport: "20"} // smaller stores, for tests that send many requests
)

// stores returns the directories of the stores.
func (s *storeSet) stores(t testing.TB) []string {
	s.once.Do(func() { s.dirs = makeStores(t, filepath.Join(storesDir, s.minSupport), s.minSupport) })
	return s.dirs
}

func makeStores(t testing.TB, dir, minSupport string) []string {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	samples := "../../bench/sample/"
	fstore(t, "build", at("ud.store"), samples+"letter.conllu", samples+"recipe.conllu", "--label-from", "id", "--label-match", "^([a-z]+)-", "--min-support", minSupport, "-q")
	fstore(t, "mine", at("ud.store"), "--name", "sure", "--by", "chi2", "--alpha", "0.05", "--correct", "bonferroni", "-q")
	fstore(t, "train", at("ud.store"), "--name", "l", "--learner", "l2-logistic", "-q")
	fstore(t, "build", at("demo.store"), samples+"letter.mrg", samples+"news.mrg", samples+"recipe.mrg", "--label-from", "file", "--min-support", minSupport, "-q")
	fstore(t, "train", at("demo.store"), "--name", "k", "--learner", "svm", "--kernel", "stk", "-q")
	odd := `(S (NP (N <script>alert\(1\)</script>)) (VP (V "sees") (NP (N &amp;))))
(S (NP (N <script>alert\(1\)</script>)) (VP (V 'sees') (NP (N <b>))))
(S (NP (N x)) (VP (V "sees") (NP (N <b>))))
`
	if err := os.WriteFile(at("odd.mrg"), []byte(odd), 0o600); err != nil {
		t.Fatal(err)
	}
	labels := ""
	for i, label := range []string{nastyLabel, nastyLabel, "plain"} {
		labels += fmt.Sprintf("odd.mrg#%d\t%s\n", i+1, label)
	}
	if err := os.WriteFile(at("labels"), []byte(labels), 0o600); err != nil {
		t.Fatal(err)
	}
	fstore(t, "build", at("odd.store"), at("odd.mrg"), "--labels-file", at("labels"), "--min-support", "1", "-q")
	return []string{at("ud.store"), at("demo.store"), at("odd.store")}
}

func TestMain(m *testing.M) {
	var err error
	if storesDir, err = os.MkdirTemp("", "fstore-serve"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(storesDir)
	os.Exit(code)
}

var (
	hrefs  = regexp.MustCompile(`(?:href|action)="(/[^"]*)"`)
	ids    = regexp.MustCompile(` id="([^"]*)"`)
	fields = regexp.MustCompile(`<(?:input|select|textarea)\b[^>]*>`)
	labels = regexp.MustCompile(`<label[^>]* for="([^"]*)"`)
)

// checkPage reports an error for each thing that must not be in a page.
func checkPage(t *testing.T, path, body string) {
	t.Helper()
	for _, bad := range []string{"<script>alert", `<b>&"`, "goroutine ", "internal error", " style=", "<style", "ZgotmplZ", "%!", "<no value>", "http://", "https://"} {
		clean := strings.ReplaceAll(body, `xmlns="http://www.w3.org/2000/svg"`, "")
		if strings.Contains(clean, bad) {
			t.Errorf("%s has %q", path, bad)
		}
	}
	if n := strings.Count(body, "<h1"); n != 1 {
		t.Errorf("%s has %d h1", path, n)
	}
	seen := map[string]bool{}
	for _, id := range ids.FindAllStringSubmatch(body, -1) {
		if seen[id[1]] {
			t.Errorf("%s has two elements with the id %s", path, id[1])
		}
		seen[id[1]] = true
	}
	labelled := map[string]bool{}
	for _, l := range labels.FindAllStringSubmatch(body, -1) {
		labelled[l[1]] = true
	}
	for _, f := range fields.FindAllString(body, -1) {
		if strings.Contains(f, `type="hidden"`) || strings.Contains(f, `type="checkbox"`) {
			continue
		}
		if id := ids.FindStringSubmatch(f); id == nil || !labelled[id[1]] {
			t.Errorf("%s has a field without a label: %s", path, f)
		}
	}
}

// TestLinks follows links from the first page, up to some number of links. Each link must lead to a page.
func TestLinks(t *testing.T) {
	s := serve(t, small.stores(t)...)
	queue, seen, files := []string{"/"}, map[string]bool{"/": true}, 0
	perPage := map[string]int{}
	for n := 0; len(queue) > 0 && n < 350; n++ {
		path := queue[0]
		queue = queue[1:]
		status, body := s.get(path)
		if status == http.StatusSeeOther {
			continue
		}
		if status != http.StatusOK {
			t.Errorf("%s: status %d", path, status)
			continue
		}
		if strings.Contains(path, "download=") || strings.HasPrefix(path, "/-/") {
			files++
			continue
		}
		checkPage(t, path, body)
		for _, m := range hrefs.FindAllStringSubmatch(body, -1) {
			to := html.UnescapeString(m[1])
			kind := regexp.MustCompile(`^/[^/]*/[a-z]*`).FindString(to)
			if strings.Contains(to, "download=") {
				kind += regexp.MustCompile(`download=\w+`).FindString(to)
			}
			if !seen[to] && perPage[kind] < 8 {
				seen[to] = true
				perPage[kind]++
				queue = append(queue, to)
			}
		}
	}
	if len(seen) < 300 || files < 30 {
		t.Errorf("only %d links and %d files", len(seen), files)
	}
}

// TestDownloads compares downloads with what the command writes.
func TestDownloads(t *testing.T) {
	ud := small.stores(t)[0]
	s := serve(t, ud)
	p := "VERB >obj NOUN"
	for _, c := range []struct {
		page, table string
		form        url.Values
		args        []string
		formats     []string
	}{
		{"fragments", "list", url.Values{"where": {"support > 20"}, "limit": {"5"}}, []string{"query", ud, "--where", "support > 20", "--limit", "0", "--columns", "example"}, []string{"tsv", "csv", "jsonl", "xlsx", "arrow", "parquet"}},
		{"fragments", "list", url.Values{"p": {"VERB >obl (_ <case NOUN)"}}, []string{"query", ud, "VERB >obl (_ <case NOUN)", "--limit", "0", "--columns", "example"}, []string{"tsv", "xlsx"}},
		{"fragments", "list", url.Values{"selection": {"sure"}}, []string{"query", ud, "--selection", "sure", "--limit", "0"}, []string{"csv"}},
		{"fragment", "entry", url.Values{"f": {p}}, []string{"query", ud, p, "--limit", "0"}, []string{"tsv", "jsonl"}},
		{"contrast", "rows", url.Values{"a": {"recipe"}, "b": {"letter"}}, []string{"contrast", ud, "recipe", "letter", "--limit", "0", "--columns", "example"}, []string{"svg", "tsv", "csv", "jsonl", "xlsx", "parquet"}},
		{"contrast", "rows", url.Values{"each": {"1"}, "count": {"sentences"}}, []string{"contrast", ud, "--each", "--count", "sentences", "--limit", "0", "--columns", "example"}, []string{"tsv", "xlsx"}},
		{"hits", "hits", url.Values{"p": {p}, "label": {"letter"}, "sample": {"3"}, "seed": {"7"}}, []string{"examples", ud, p, "--label", "letter", "--limit", "0", "--columns", "number"}, []string{"tsv", "csv", "jsonl", "xlsx"}},
		{"hits", "hits", url.Values{"p": {p}, "before": {"I"}, "sort": {"after"}}, []string{"examples", ud, p, "--before", "I", "--limit", "0"}, []string{"treebank"}},
		{"counts", "counts", url.Values{"p": {p}, "by": {"document"}}, []string{"count", ud, p, "--by", "document"}, []string{"svg", "tsv", "xlsx"}},
		{"sentence", "drawing", url.Values{"sample": {"12"}}, []string{"draw", ud, "--sample", "12"}, []string{"svg", "text"}},
		{"sentence", "patterns", url.Values{"sample": {"12"}, "w": {"2", "3"}}, []string{"pattern", ud, "--sample", "12", "--words", "2,3"}, []string{"tsv"}},
	} {
		for _, format := range c.formats {
			file := filepath.Join(t.TempDir(), "out")
			fstore(t, append(c.args, "-q", "--format", format, "-o", file)...)
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			form := url.Values{"table": {c.table}, "download": {format}}
			for k, v := range c.form {
				form[k] = v
			}
			a, got := s.do("GET", "/ud/"+c.page+"?"+form.Encode(), nil)
			if a.StatusCode != http.StatusOK || got != string(want) {
				t.Errorf("%s %v as %s: status %d, %d bytes, and not the %d of the command", c.page, c.form, format, a.StatusCode, len(got), len(want))
			}
			if !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment; filename=ud-"+c.page) {
				t.Errorf("%s: %q", c.page, a.Header.Get("Content-Disposition"))
			}
		}
	}
}

// TestPages checks that each page has the content that it is made for.
func TestPages(t *testing.T) {
	s := serve(t, full.stores(t)...)
	for path, wants := range map[string][]string{
		"/":     {"demo", "odd", "ud"},
		"/ud/":  {"2,793", "letter", "recipe", "fstore info", "What sets the labels apart", "The data are 183 dependency samples"},
		"/odd/": {"&lt;b&gt;&amp;&#34;&#39;/?#%"},
		"/ud/fragments?where=order+%3D%3D+1&sort=occurrences":                                       {"79 fragments", "aria-sort", "example"},
		"/ud/fragment?f=VERB+%3Eobj+NOUN":                                                           {"110", "98", "DP<sub>norm</sub>", ">19 of 19<", `class="ci`, `class="disp"`, "16 expansions", "remember the old house", "In selections", "<svg"},
		"/ud/contrast?a=recipe&b=letter":                                                            {`id="r1"`, `href="#r1"`, "More in A, recipe", "More in B, letter", "each label"},
		"/ud/contrast?a=recipe&b=letter&pattern=" + url.QueryEscape("VERB >obj _\r\n_ <nsubj VERB"): {"--pattern", ">90<"},
		"/ud/collocates?p=VERB+%3Eobj+_":                                                            {"dough", "observed"},
		"/ud/contrast?each=1":                                                                       {"Each label against the rest"},
		"/ud/hits?p=VERB+%3Eobj+NOUN&before=I":                                                      {"5 hits", "<mark><b>gave</b> your <b>letter</b></mark>"},
		"/ud/counts?p=VERB+%3Eobj+NOUN&by=document":                                                 {"letter-1", "<svg", "20,000"},
		"/ud/sentence?sample=88&p=VERB+%3Eobj+NOUN":                                                 {"<mark><b>sell</b> the <b>car</b></mark>", "hit 28 among 100 of 110 hits", `<rect class="k"`, `<svg class="upright"`, ">previous</a>"},
		"/ud/sentence?sample=88&w=9&w=11":                                                           {"VERB%5Bform%3Dsell%5D", ">110<", "documents"},
		"/ud/sentence?sample=1&p=VERB+%3Eobj+NOUN":                                                  {"none in this sample", `class="h"`, "ud.store --sample 1 --format svg"},
		"/ud/sentence?sample=88&p=VERB+%3Eobj+NOUN&at=1,2":                                          {"<mark><b>sell</b> the <b>car</b></mark>"},
		"/ud/sentence?sample=letter-88":                                                             {"number 88"},
		"/ud/hits?p=VERB+%3Eobj+NOUN&label=letter,recipe":                                           {"110 hits"},
		"/ud/contrast?each=1&stopped=1":                                                             {"Stopped", "Go on"},
		"/ud/models":                                                                                {"l2-logistic", "sure", "chi2"},
		"/ud/model?name=l":                                                                          {"# sent_id = letter-1", "Predict"},
		"/ud/model?name=l&text=" + url.QueryEscape("1\tMix\tmix\tVERB\t_\t_\t0\troot\t_\t_\n2\tit\tit\tPRON\t_\t_\t1\tobj\t_\t_\n\n"): {"Predicted: <strong>letter", "spoke loudest", "<svg", "&lt;&lt;&#39;END&#39;"},
		"/demo/model?name=k&text=" + url.QueryEscape("(S (VP (VB Stir) (NP (DT the) (NN soup))) (. .))"):                              {"Predicted: <strong>recipe"},
		"/odd/hits?p=" + url.QueryEscape("(NP (N _))"):                                                                                {"&lt;script&gt;alert(1)&lt;/script&gt;"},
		"/odd/sentence?sample=1":  {"&lt;script&gt;alert(1)&lt;/script&gt;"},
		"/ud/guide?name=contrast": {"<pre", "fstore contrast"},
	} {
		status, body := s.get(path)
		if status != http.StatusOK {
			t.Errorf("%s: status %d", path, status)
		}
		checkPage(t, path, body)
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s has no %q", path, want)
			}
		}
	}
}

// TestNearest asks for patterns that no tree has. The page must offer similar patterns that occur.
func TestNearest(t *testing.T) {
	s := serve(t, small.stores(t)[0])
	for pattern, want := range map[string]string{
		"VERB >objj NOUN": ">obj NOUN", // a typing error
		"VERB >iobj ADP":  ">iobj _",
	} {
		status, body := s.get("/ud/hits?p=" + url.QueryEscape(pattern))
		if status != http.StatusNotFound || !strings.Contains(body, "What occurs") || !strings.Contains(body, strings.ReplaceAll(url.QueryEscape(want), "+", "&#43;")) {
			t.Errorf("%s: status %d, and no %s", pattern, status, want)
		}
	}
}

// TestCountsAgree follows the links from numbers to hits. The page of the hits must show the same number.
func TestCountsAgree(t *testing.T) {
	s := serve(t, full.stores(t)...)
	number := regexp.MustCompile(`<a href="(/[^"]*/(?:hits|counts)\?[^"]*)">([0-9,]+)(?: of [0-9,]+)?</a>`)
	// said reports whether a page of hits or counts shows the number n.
	said := func(body, n string) bool {
		for _, form := range []string{"<strong>%s hit", " of %s hit", " %s hit", "in %s sample", "%s document", ">%s</a></td>"} {
			if strings.Contains(body, fmt.Sprintf(form, n)) {
				return true
			}
		}
		return false
	}
	followed := map[string]bool{}
	for _, path := range []string{
		"/ud/", "/demo/", "/ud/fragments?limit=10", "/ud/fragments?selection=sure&limit=5", "/ud/fragment?f=VERB+%3Eobj+NOUN",
		"/demo/fragment?f=(NP+(DT+the)+(NN))", "/ud/contrast?a=recipe&b=letter&limit=8", "/demo/contrast?a=news&limit=8", "/demo/contrast?each=1&limit=2",
		"/ud/collocates?p=VERB+%3Eobj+_&limit=8", "/ud/counts?p=VERB+%3Eobj+NOUN", "/ud/counts?p=VERB+%3Eobj+NOUN&by=document", "/ud/sentence?sample=88&w=9&w=11",
	} {
		_, body := s.get(path)
		found := number.FindAllStringSubmatch(body, -1)
		if len(found) == 0 {
			t.Errorf("%s has no numbers that lead to hits", path)
		}
		for _, m := range found {
			to := html.UnescapeString(m[1])
			if followed[to+m[2]] || m[2] == "0" {
				continue
			}
			followed[to+m[2]] = true
			if status, hits := s.get(to); status != http.StatusOK || !said(hits, m[2]) {
				t.Errorf("%s: %s leads to %s, status %d, which has another number", path, m[2], to, status)
			}
		}
	}
	t.Logf("%d numbers", len(followed))
}

// TestGuard sends requests that the server must refuse.
func TestGuard(t *testing.T) {
	s := serve(t, small.stores(t)[0])
	for _, c := range []struct {
		method, path string
		change       func(*http.Request)
		want         int
	}{
		{"GET", "/ud/", nil, 200},
		{"HEAD", "/ud/", nil, 200},
		{"GET", "/ud/", func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"GET", "/ud/", func(r *http.Request) { r.Host = "evil.example:80" }, 403},
		{"GET", "/ud/", func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, 403},
		{"GET", "/ud/", func(r *http.Request) { r.Host = "localhost:1" }, 200}, // a tunnel
		{"GET", "/ud/", func(r *http.Request) { r.Host = "[::1]:99" }, 200},
		{"PUT", "/ud/", nil, 405},
		{"DELETE", "/ud/", nil, 405},
		{"OPTIONS", "/ud/", nil, 405},
		{"TRACE", "/ud/", nil, 405},
		{"PATCH", "/ud/", nil, 405},
		{"POST", "/ud/", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"POST", "/ud/model?name=l", func(r *http.Request) { body(r, "text="+strings.Repeat("x", 70_000)) }, 413},
		{"GET", "/ud/hits?p=" + strings.Repeat("x", 80_000), nil, 431},
		{"GET", "/ud/hits?p=" + strings.Repeat("x", 60_000), nil, 404},
		{"GET", "/-/style.css", nil, 200},
		{"GET", "/-/layout.html", nil, 404},
		{"GET", "/-/..%2f..%2fserve.go", nil, 404},
		{"GET", "/ud/../../etc/passwd", nil, 404},
	} {
		a, text := s.do(c.method, c.path, c.change)
		for a.Header.Get("Refresh") != "" { // on a busy machine, answers are missing at first
			time.Sleep(20 * time.Millisecond)
			a, text = s.do(c.method, c.path, c.change)
		}
		if a.StatusCode != c.want {
			t.Errorf("%s %.60s: status %d, not %d: %.200s", c.method, c.path, a.StatusCode, c.want, text)
		}
		if a.StatusCode == http.StatusRequestHeaderFieldsTooLarge {
			continue // net/http's own answer
		}
		if policy := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'self'") {
			t.Errorf("%s %.60s: policy %q", c.method, c.path, policy)
		}
	}
}

func body(r *http.Request, text string) {
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
}

// TestToken asks a server that other machines can reach.
func TestToken(t *testing.T) {
	s := serve(t, small.stores(t)[0], "--address", "0.0.0.0:0")
	if !strings.HasPrefix(s.query, "token=") {
		t.Fatalf("the address has no token: %q", s.query)
	}
	if a, _ := s.do("GET", "/ud/", nil); a.StatusCode != http.StatusForbidden {
		t.Errorf("without a token: status %d", a.StatusCode)
	}
	if a, _ := s.do("GET", "/ud/?token=wrong", nil); a.StatusCode != http.StatusForbidden {
		t.Errorf("with a wrong token: status %d", a.StatusCode)
	}
	a, _ := s.do("GET", "/ud/?order=1&"+s.query, nil)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/ud/?order=1" || len(a.Cookies()) != 1 {
		t.Fatalf("with the token: status %d, location %q, %v", a.StatusCode, a.Header.Get("Location"), a.Cookies())
	}
	cookie := a.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie is %v", cookie)
	}
	if a, _ := s.do("GET", "/ud/", func(r *http.Request) { r.AddCookie(cookie) }); a.StatusCode != http.StatusOK {
		t.Errorf("with the cookie: status %d", a.StatusCode)
	}
}

// hostile are values that every page must treat as plain text.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'"&<>`, `</title><script>`, `javascript:alert(1)`,
	`{{.}}`, `${7*7}`, `../../../../etc/passwd`, `@/etc/passwd`, `@@x`, `--help`, `-o`, `-o/tmp/x`, `--output=/tmp/x`, `--`, `-`,
	`(((((((((`, `))))`, `(NP`, `VERB >obj (`, `VERB >`, `_ <> _`, `>`, `\`, `\x`, `\xZZ`, `[lemma=`, `VERB[lemma=a|`, `*`, `...`, `/i/`, `(NP ...`,
	strings.Repeat("(", 20_000), strings.Repeat("VERB >obj ", 5_000), strings.Repeat("a", 60_000), strings.Repeat("_ >obj (", 3_000),
	"é", "e\u0301", "\u202Eabc", "\u200B", "\uFEFF", "日本語", "😀", "\u0000", "\u0001", "\x7f", "\xff\xfe", "a\nb", "a\r\nSet-Cookie: x=1", "a\tb",
	`1e999`, `-1`, `0`, `99999999999999999999`, `NaN`, `0x10`, `support > `, `1/0 > 1`, `fragment matches "((((a+)+)+)+)$"`, `repeat("a", 1000000000)`,
	`map(1..100000000, #)`, `order in 1..2`, `;`, `%`, `letter,recipe`,
}

// forms are the fields of each page.
var forms = map[string][]string{
	"":           {"space", "apart"},
	"fragments":  {"p", "order", "contains", "within", "where", "sort", "limit", "positive", "columns", "model", "selection", "label", "space"},
	"fragment":   {"f", "seed", "by", "limit", "space"},
	"contrast":   {"a", "b", "each", "count", "per", "min-docs", "test", "permutations", "seed", "adjust", "confidence", "where", "sort", "limit", "families", "space"},
	"hits":       {"p", "label", "document", "before", "after", "sort", "sample", "seed", "limit", "space"},
	"counts":     {"p", "by", "limit", "space"},
	"collocates": {"p", "other", "by", "node", "where", "sort", "limit"},
	"sentence":   {"sample", "p", "hit", "at", "w", "label", "space", "from"},
	"model":      {"name", "text", "why"},
	"guide":      {"name"},
}

// TestHostile fills every field of every page with hostile values. A field that commands read gets every
// value. Any other field gets only every seventh value, and these fields begin at different values.
func TestHostile(t *testing.T) {
	if len(hostile) < 60 {
		t.Fatalf("only %d", len(hostile))
	}
	s := serve(t, small.stores(t)...)
	statuses := map[int]int{}
	turn := 0
	for page, names := range forms {
		for _, name := range names {
			turn++
			for i, value := range hostile {
				if !slices.Contains([]string{"p", "f", "where", "a", "text", "sample", "name"}, name) && i%7 != turn%7 {
					continue
				}
				s.hostile(t, statuses, []string{"ud", "demo"}[i%2], page, name, value)
			}
		}
	}
	for _, path := range []string{"/%", "/%zz", "/ud/hits?p=%zz", "/ud/hits?p=a;b", "//ud//hits", "/ud/hits/x", "/\xff", "/ud/hits?" + strings.Repeat("p=x&", 3000)} {
		r, err := http.NewRequest("GET", s.base, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.Opaque = strings.ReplaceAll(path, "\xff", "%ff")
		a, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(a.Body)
		a.Body.Close()
		if a.StatusCode < 400 || a.StatusCode >= 500 || strings.Contains(string(text), "goroutine ") {
			t.Errorf("%.40s: status %d", path, a.StatusCode)
		}
	}
	t.Logf("statuses %v", statuses)
}

// hostile asks for a page with a hostile value. The page must report an error or find nothing.
func (s *server) hostile(t *testing.T, statuses map[int]int, store, page, name, value string) {
	t.Helper()
	form := url.Values{name: {value}}
	switch {
	case page == "model" && name != "name":
		form.Set("name", map[string]string{"ud": "l", "demo": "k"}[store])
	case page == "contrast" && name == "seed" || name == "permutations":
		form.Set("test", "documents")
	case (page == "hits" || page == "counts" || page == "sentence") && name != "p":
		form.Set("p", map[string]string{"ud": "VERB >obj NOUN", "demo": "(NP (DT _) ...)"}[store])
	case page == "fragment" && name != "f":
		form.Set("f", map[string]string{"ud": "VERB >obj NOUN", "demo": "(NP (DT) (NN))"}[store])
	}
	path := "/" + store + "/" + page + "?" + form.Encode()
	status, body := s.get(path)
	if statuses != nil {
		statuses[status]++
	}
	if !slices.Contains([]int{200, 303, 400, 404, 413, 431, 503}, status) {
		t.Errorf("%s %s = %.60q: status %d", page, name, value, status)
	}
	for _, bad := range []string{"goroutine ", "internal error", "panic", "root:x:", "ZgotmplZ"} {
		if strings.Contains(body, bad) {
			t.Errorf("%s %s = %.60q: the page has %q", page, name, value, bad)
		}
	}
	if strings.ContainsAny(value, `<"'`) && len(value) > 4 && strings.Contains(body, value) {
		t.Errorf("%s %s = %.60q: it is in the page as it is", page, name, value)
	}
}

// FuzzForms fills fields with any text.
func FuzzForms(f *testing.F) {
	var fields [][2]string
	for page, names := range forms {
		for _, name := range names {
			fields = append(fields, [2]string{page, name})
		}
	}
	slices.SortFunc(fields, func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	for i := range fields {
		f.Add(uint16(i), "<a-b>"+hostile[i%len(hostile)][:min(100, len(hostile[i%len(hostile)]))])
	}
	s := serve(f, small.stores(f)...)
	f.Fuzz(func(t *testing.T, field uint16, value string) {
		at := fields[int(field)%len(fields)]
		own := *s
		own.t = t
		own.hostile(t, nil, []string{"ud", "demo"}[int(field)%2], at[0], at[1], value)
	})
}

// TestNewer appends to a store while the server shows it.
func TestNewer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "grow.store")
	fstore(t, "build", dir, "../../bench/sample/letter.conllu", "-q")
	s := serve(t, dir)
	_, before := s.get("/grow/")
	fstore(t, "build", dir, "../../bench/sample/recipe.conllu", "--append", "-q")
	time.Sleep(1100 * time.Millisecond)
	_, then := s.get("/grow/")
	for _, page := range []string{before, then} {
		if !strings.Contains(page, "94 samples") {
			t.Error("the page does not go on with the state that it opened")
		}
	}
	if strings.Contains(before, "has changed") || !strings.Contains(then, "has changed") {
		t.Error("the newer state is not offered, or too early")
	}
	a, _ := s.do("POST", "/grow/", func(r *http.Request) { body(r, "newer=1") })
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/grow/" {
		t.Fatalf("status %d, location %q", a.StatusCode, a.Header.Get("Location"))
	}
	if _, after := s.get("/grow/"); !strings.Contains(after, "183 samples") || strings.Contains(after, "has changed") {
		t.Error("it does not go on with the newer state")
	}
}

// TestSameName serves two stores that have the same name.
func TestSameName(t *testing.T) {
	ud := small.stores(t)[0]
	s := serve(t, ud, ud)
	for _, path := range []string{"/ud/", "/ud.2/"} {
		if status, _ := s.get(path); status != http.StatusOK {
			t.Errorf("%s: status %d", path, status)
		}
	}
}

// TestEnd ends a server as ^C does, while questions run.
func TestEnd(t *testing.T) {
	s := serve(t, full.stores(t)...)
	go func() { _, _ = http.Get(s.base + "/ud/contrast?each=1&test=documents&permutations=100000000") }()
	time.Sleep(100 * time.Millisecond)
	began := time.Now()
	s.stop()
	code := <-s.code
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if code != 130 || s.stderr.Len() > 0 {
		t.Errorf("exit code %d, and said %q", code, s.stderr)
	}
}
