package browser

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const root = "../../.."

// fixture is a server and a browser, which all tests share.
type fixture struct {
	binary, dir, base string
	ctx               context.Context // the context of the browser
	skip              string          // why there is no browser
}

var shared fixture

func TestMain(m *testing.M) {
	code, stop := 1, shared.start()
	defer func() { os.Exit(code) }()
	defer stop()
	code = m.Run()
}

// start makes the binary and the stores, and starts server and browser. It returns the function that stops
// both.
func (f *fixture) start() func() {
	chromium := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		f.skip = "there is no Chromium on this machine"
		return func() {}
	}
	var err error
	if f.dir, err = os.MkdirTemp("", "fstore-browser"); err != nil {
		panic(err)
	}
	f.binary = filepath.Join(f.dir, "fstore")
	f.run(root, "go", "build", "-trimpath", "-o", f.binary, "./cli/fstore")
	samples, err := filepath.Abs(filepath.Join(root, "bench/sample"))
	if err != nil {
		panic(err)
	}
	at := func(name string) string { return filepath.Join(samples, name) }
	f.fstore("build", "ud.store", at("letter.conllu"), at("recipe.conllu"), "--label-from", "id", "--label-match", "^([a-z]+)-")
	f.fstore("mine", "ud.store", "--name", "sure", "--by", "chi2", "--alpha", "0.05", "--correct", "bonferroni")
	f.fstore("train", "ud.store", "--name", "l", "--learner", "l2-logistic")
	f.fstore("build", "demo.store", at("letter.mrg"), at("news.mrg"), at("recipe.mrg"), "--label-from", "file")
	if err := os.WriteFile(filepath.Join(f.dir, "odd.conllu"), []byte(odd()), 0o600); err != nil {
		panic(err)
	}
	f.fstore("build", "odd.store", "odd.conllu", "--label-from", "id", "--label-match", "^([a-z]+)-")

	server := exec.Command(f.binary, "serve", "ud.store", "demo.store", "odd.store")
	server.Dir = f.dir
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		panic(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		panic(err)
	}
	f.base = strings.TrimSuffix(strings.TrimSpace(line), "/")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.Flag("hide-scrollbars", true))
	alloc, endAlloc := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, endBrowser := chromedp.NewContext(alloc)
	f.ctx = ctx
	if err := chromedp.Do(ctx); err != nil {
		panic(err)
	}
	return func() {
		endBrowser()
		endAlloc()
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
		_ = os.RemoveAll(f.dir)
	}
}

// odd returns a treebank that is hard to lay out. It has a long sentence, scripts of both directions, wide
// and combining characters, and words that look like markup.
func odd() string {
	var b strings.Builder
	sentence := func(id string, words ...string) {
		fmt.Fprintf(&b, "# sent_id = %s\n", id)
		for i, w := range words {
			head, rel := i, "dep"
			if i == 0 {
				head, rel = 0, "root"
			}
			fmt.Fprintf(&b, "%d\t%s\t%s\tX\t_\t_\t%d\t%s\t_\t_\n", i+1, w, w, head, rel)
		}
		b.WriteString("\n")
	}
	for n := range 2 {
		sentence(fmt.Sprintf("rtl-%d", n), "قرأ", "الطالب", "كتابا", "جديدا")
		sentence(fmt.Sprintf("cjk-%d", n), "彼女", "は", "本", "を", "読ん", "だ")
		sentence(fmt.Sprintf("marks-%d", n), "e\u0301te\u0301", "nai\u0308f", "a\u0300")
		sentence(fmt.Sprintf("markup-%d", n), "<b>&\"", "<script>alert(1)</script>", "'x'")
		sentence(fmt.Sprintf("long-%d", n), strings.Fields(strings.Repeat("Donaudampfschifffahrtsgesellschaft and ", 40))...)
	}
	return b.String()
}

func (f *fixture) run(dir, name string, args ...string) string {
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		panic(fmt.Sprintf("%s %v: %v: %s", name, args, err, out))
	}
	return string(out)
}

func (f *fixture) fstore(args ...string) string { return f.run(f.dir, f.binary, args...) }

// tab is a tab of the browser. A message in the console, or a request to another host, makes its test fail.
type tab struct {
	t   *testing.T
	ctx context.Context
	mu  sync.Mutex
}

func newTab(t *testing.T) *tab {
	t.Helper()
	if shared.skip != "" {
		t.Skip(shared.skip)
	}
	ctx, end := chromedp.NewContext(shared.ctx)
	ctx, late := context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(func() { late(); end() })
	b := &tab{t: t, ctx: ctx}
	own, err := url.Parse(shared.base)
	if err != nil {
		t.Fatal(err)
	}
	err = chromedp.Listen(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			t.Errorf("the console says something: %s", e.Type)
		case *runtime.EventExceptionThrown:
			t.Errorf("a script fails: %v", e.ExceptionDetails)
		case *log.EventEntryAdded:
			// The console also reports pages with a status of 400 or more. The tests load such pages on
			// purpose.
			if !strings.Contains(e.Entry.Text, "Failed to load resource") {
				t.Errorf("%s: %s", e.Entry.URL, e.Entry.Text)
			}
		case *network.EventRequestWillBeSent:
			if to, err := url.Parse(e.Request.URL); err != nil || to.Host != own.Host && to.Scheme != "data" && to.Scheme != "about" {
				t.Errorf("a request to %s", e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	return b
}

// call runs a command of the protocol.
func call[P, R any](b *tab, c cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, c, params)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// evaluate runs a script in the page and returns its value.
func evaluate[T any](b *tab, script string, options ...chromedp.EvaluateOption) T {
	b.t.Helper()
	x, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script, options...))
	if err != nil {
		b.t.Fatalf("%.80s: %v", script, err)
	}
	return x
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, late := context.WithTimeout(b.ctx, 30*time.Second)
	defer late()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// open loads a page and waits until no answer is missing.
func (b *tab) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(shared.base + path))
	b.complete()
}

// complete waits until no answer is missing on the page.
func (b *tab) complete() {
	b.t.Helper()
	for range 200 {
		if b.text(`document.readyState === "complete" && document.querySelector("footer") && !document.querySelector("progress")`) == "true" {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	b.t.Fatal("the page goes on waiting")
}

func (b *tab) number(script string) float64 { return evaluate[float64](b, "+("+script+")") }

func (b *tab) text(script string) string { return evaluate[string](b, "String("+script+")") }

// size sets the size of the window, and light or dark colours.
func (b *tab) size(width, height int64, dark bool) {
	b.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.do(chromedp.EmulateViewport(width, height))
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}
