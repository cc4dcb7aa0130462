package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pages are all kinds of pages, by the names of their pictures.
var pages = []struct{ name, path string }{
	{"stores", "/"},
	{"index", "/ud/"},
	{"index-brackets", "/demo/"},
	{"fragments", "/ud/fragments?p=VERB+%3Eobl+(_+%3Ccase+NOUN)"},
	{"fragments-all", "/demo/fragments"},
	{"selection", "/ud/fragments?selection=sure"},
	{"fragment", "/ud/fragment?f=VERB+%3Eobj+(DET+%3Cdet+NOUN)+%3Eobl+(ADP+%3Ccase+NOUN)"},
	{"fragment-brackets", "/demo/fragment?f=(NP+(DT+the)+(NN))"},
	{"contrast", "/ud/contrast?a=recipe&b=letter"},
	{"contrast-each", "/demo/contrast?each=1"},
	{"hits", "/ud/hits?p=VERB+%3Eobj+NOUN"},
	{"hits-rtl", "/odd/hits?p=_+%3Edep+_&label=rtl"},
	{"counts", "/ud/counts?p=VERB+%3Eobj+NOUN&by=document"},
	{"contrast-patterns", "/ud/contrast?a=recipe&b=letter&pattern=VERB+%3Eobj+_%0A_+%3Cnsubj+VERB"},
	{"collocates", "/ud/collocates?p=VERB+%3Eobj+_"},
	{"sentence", "/ud/sentence?sample=88&p=VERB+%3Eobj+NOUN&w=9&w=11"},
	{"sentence-tree", "/demo/sentence?sample=200&p=(NP+(DT+the)+(NN))"},
	{"sentence-long", "/odd/sentence?sample=5"},
	{"sentence-rtl", "/odd/sentence?sample=1"},
	{"sentence-cjk", "/odd/sentence?sample=2"},
	{"sentence-markup", "/odd/sentence?sample=4"},
	{"models", "/ud/models"},
	{"model", "/ud/model?name=l&text=1%09Mix%09mix%09VERB%09_%09_%090%09root%09_%09_%0A2%09it%09it%09PRON%09_%09_%091%09obj%09_%09_"},
	{"guides", "/ud/guide"},
	{"guide", "/ud/guide?name=contrast"},
	{"error", "/ud/hits?p=VERB+%3Eobj+("},
	{"absent", "/ud/hits?p=VERB+%3Eobjj+NOUN"},
	{"nothing", "/nothing"},
}

// TestPages looks at all pages, narrow and wide, light and dark. If FSTORE_SHOTS names a folder, it saves
// pictures there. If FSTORE_AXE names the file axe.min.js, it checks the rules of accessibility.
func TestPages(t *testing.T) {
	b := newTab(t)
	shots := os.Getenv("FSTORE_SHOTS")
	for _, p := range pages {
		b.open(p.path)
		for _, width := range []int64{360, 390, 768, 1024, 1440, 2560} {
			b.size(width, 900, false)
			if over := b.number("document.documentElement.scrollWidth - innerWidth"); over > 0 {
				widest := b.text(`[...document.querySelectorAll("main *")].filter(e => !e.closest(".scroll *") && e.getBoundingClientRect().right > innerWidth).map(e => e.outerHTML.slice(0, 100))[0]`)
				t.Errorf("%s at %d pixels: %v more, as of %s", p.path, width, over, widest)
			}
		}
		for _, bad := range []string{"[style]", "h1 ~ h1", "img:not([alt])"} {
			if n := b.number(fmt.Sprintf("document.querySelectorAll(%q).length", bad)); n > 0 {
				t.Errorf("%s has %v of %s", p.path, n, bad)
			}
		}
		for _, look := range []struct {
			name  string
			width int64
			dark  bool
		}{{"", 1440, false}, {"-dark", 1440, true}, {"-390", 390, false}, {"-390-dark", 390, true}} {
			b.size(look.width, 1000, look.dark)
			if !strings.HasSuffix(look.name, "390-dark") {
				b.axe(p.path + look.name)
			}
			if shots != "" {
				b.shot(filepath.Join(shots, p.name+look.name+".png"))
			}
		}
	}
}

// axe applies the rules of accessibility to the page.
func (b *tab) axe(name string) {
	b.t.Helper()
	script, err := os.ReadFile(os.Getenv("FSTORE_AXE"))
	if err != nil {
		b.t.Log("no rules of accessibility: FSTORE_AXE names no axe.min.js")
		return
	}
	evaluate[float64](b, string(script)+"; 0")
	found := evaluate[string](b, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary])))`, chromedp.EvalAwaitPromise)
	var all [][]any
	if err := json.Unmarshal([]byte(found), &all); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range all {
		b.t.Errorf("%s: %v", name, v)
	}
}

// shot takes a picture of the whole page, up to some height.
func (b *tab) shot(file string) {
	b.t.Helper()
	size := call(b, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize
	beyond := true
	png := call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: &beyond, Clip: &page.Viewport{Width: size.Width, Height: min(size.Height, 1800), Scale: 1},
	}).Data
	if err := os.WriteFile(file, png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// TestWay goes by mouse from the strongest construction to its sentences, to a tree, to a pattern of
// chosen words, and to its count.
func TestWay(t *testing.T) {
	b := newTab(t)
	b.size(1440, 1000, false)
	b.open("/ud/contrast?a=recipe&b=letter")
	first := b.text(`document.querySelector("#r1 th code").textContent`)
	b.click(`#r1 td.n a`)
	if got := b.text(`document.querySelector("h1").textContent`); got != first {
		t.Errorf("the hits are of %s, not %s", got, first)
	}
	b.click(`.kwic .d a`)
	if n := b.number(`document.querySelectorAll(".drawing .m").length`); n < 2 {
		t.Errorf("%v words of the match are marked in the drawing", n)
	}
	b.do(chromedp.Click(chromedp.CSS(".tok tr.hit input")))
	b.do(chromedp.WaitVisible(chromedp.CSS("#patterns td a")))
	if at := b.text("location.search"); !strings.Contains(at, "w=") {
		t.Errorf("the address does not have the choice: %s", at)
	}
	b.do(chromedp.WaitVisible(chromedp.CSS("#patterns tbody tr:last-child a")))
	want := b.text(`document.querySelector("#patterns tbody tr:last-child td a").textContent`)
	b.click(`#patterns tbody tr:last-child td a`)
	if got := b.text(`document.querySelector("td[data-l=hits]").textContent`); got != want {
		t.Errorf("%s hits, not %s", got, want)
	}
	// Back and forward.
	for range 3 {
		b.history("back")
	}
	if at := b.text("location.pathname"); at != "/ud/contrast" {
		t.Errorf("three pages back is %s", at)
	}
	b.history("forward")
	if at := b.text("location.pathname"); at != "/ud/hits" {
		t.Errorf("forward is %s", at)
	}
}

// history goes back or forward. The browser can show a kept page without loading it.
func (b *tab) history(which string) {
	b.t.Helper()
	before := b.text("location.href")
	evaluate[float64](b, "history."+which+"(), 0")
	b.changed(before)
	b.complete()
}

// changed waits until the address differs from before.
func (b *tab) changed(before string) {
	b.t.Helper()
	for range 100 {
		if b.text("location.href") != before {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("the page stays %s", before)
}

// click follows a link.
func (b *tab) click(selector string) {
	b.t.Helper()
	before := b.text("location.href")
	b.do(chromedp.Click(chromedp.CSS(selector)))
	b.changed(before)
	b.complete()
}

// TestKeyboard visits the same pages as TestWay, without a mouse.
func TestKeyboard(t *testing.T) {
	b := newTab(t)
	b.size(1440, 1000, false)
	b.open("/ud/contrast?a=recipe&b=letter")
	b.do(chromedp.KeyEvent(kb.Tab))
	if got := b.text("document.activeElement.className"); got != "skip" {
		t.Errorf("the first stop is %q", got)
	}
	b.tabTo(`document.activeElement.getAttribute("href") === "#r1"`) // a point of the scatter
	b.do(chromedp.KeyEvent(kb.Enter))
	if got := b.text("location.hash"); got != "#r1" {
		t.Errorf("the point leads to %q", got)
	}
	b.tabTo(`document.activeElement.matches("#r1 td.n a")`)
	b.enter("/ud/hits")
	b.do(chromedp.KeyEvent("/"))
	if got := b.text("document.activeElement.id"); got != "find" {
		t.Errorf("/ goes to %q", got)
	}
	b.tabTo(`document.activeElement.matches(".kwic .d a")`)
	b.enter("/ud/sentence")
	b.tabTo(`document.activeElement.matches(".tok tr.hit input")`)
	b.do(chromedp.KeyEvent(" "))
	b.do(chromedp.WaitVisible(chromedp.CSS("#patterns td a")))
	b.tabTo(`document.activeElement.matches("#patterns td a")`)
	b.enter("/ud/counts")
	if got := b.number(`document.querySelectorAll("td[data-l=hits]").length`); got < 2 {
		t.Errorf("%v counts", got)
	}
}

// tabTo presses the tab key until the condition is true.
func (b *tab) tabTo(condition string) {
	b.t.Helper()
	for range 400 {
		b.do(chromedp.KeyEvent(kb.Tab))
		if b.text(condition) == "true" {
			return
		}
	}
	b.t.Fatalf("no stop where %s", condition)
}

// enter follows the link that has the focus.
func (b *tab) enter(path string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(kb.Enter))
	for range 100 {
		if b.text("location.pathname") == path {
			b.complete()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("%s is not %s", b.text("location.href"), path)
}

// TestNoScript visits the same pages as TestWay, without scripts.
func TestNoScript(t *testing.T) {
	b := newTab(t)
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.open("/ud/hits?p=VERB+%3Eobj+NOUN")
	b.do(chromedp.SetValue(chromedp.CSS("#hb"), "I"))
	b.click("main form.filter button")
	if n := b.number(`document.querySelectorAll(".kwic tbody tr").length`); n != 5 {
		t.Errorf("%v hits after I", n)
	}
	b.click(".kwic .d a")
	b.do(chromedp.Click(chromedp.CSS(".tok tr.hit input")), chromedp.Click(chromedp.CSS("#choose button")))
	b.do(chromedp.WaitVisible(chromedp.CSS("#patterns td a")))
	b.click("#patterns td a")
	if at := b.text("location.pathname"); at != "/ud/counts" {
		t.Errorf("the count is at %s", at)
	}
}

// TestDownload compares the file that the browser saves with the output of the command.
func TestDownload(t *testing.T) {
	b := newTab(t)
	b.open("/ud/hits?p=VERB+%3Eobj+NOUN")
	for _, format := range []string{"tsv", "xlsx", "treebank"} {
		args := []string{"examples", "ud.store", "VERB >obj NOUN", "--limit", "0", "--format", format, "-o", "want." + format, "-q"}
		if format != "treebank" {
			args = append(args, "--columns", "number")
		}
		shared.fstore(args...)
		want, err := os.ReadFile(filepath.Join(shared.dir, "want."+format))
		if err != nil {
			t.Fatal(err)
		}
		got := evaluate[[]int](b, fmt.Sprintf(`fetch(document.querySelector('a[download][href*="download=%s"]').href).then(r => r.arrayBuffer()).then(a => [...new Uint8Array(a)])`, format), chromedp.EvalAwaitPromise)
		bytesGot := make([]byte, len(got))
		for i, x := range got {
			bytesGot[i] = byte(x)
		}
		if !bytes.Equal(bytesGot, want) {
			t.Errorf("%s: %d bytes, not the %d of the command", format, len(got), len(want))
		}
	}
}

// TestPrint prints the pages that people print.
func TestPrint(t *testing.T) {
	b := newTab(t)
	for _, path := range []string{"/ud/contrast?a=recipe&b=letter", "/ud/hits?p=VERB+%3Eobj+NOUN"} {
		b.open(path)
		pdf := call(b, page.PrintToPDF, page.PrintToPDFParams{}).Data
		if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
			t.Errorf("%s does not print", path)
		}
		call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		if n := b.number(`[...document.querySelectorAll(".filter, .find, button")].filter(e => e.getClientRects().length).length`); n > 0 {
			t.Errorf("%s prints %v forms", path, n)
		}
		call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	}
}
