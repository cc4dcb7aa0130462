package progress

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// buffer can be read while another goroutine draws bars into it.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// clock is a time that tests move.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func TestPlainLines(t *testing.T) {
	var out buffer
	c := &clock{t: time.Unix(1000, 0)}
	r := New(&out, Options{Now: c.now})
	r.Step("read", "trees", 0)
	for range 100 {
		c.advance(time.Second / 4)
		r.Add(300)
	}
	r.Step("mine stk", "ranges", 100_000)
	c.advance(20 * time.Second)
	r.Add(2000)
	fmt.Fprintln(r, "fstore: a warning")
	c.advance(20 * time.Second)
	r.Add(98_000)
	r.Close()
	fmt.Fprintln(r, "the closing line")
	want := `read: 12,000 trees, 1,200/s
read: 24,000 trees, 1,200/s
mine stk: 2,000 of 100,000 ranges, 100/s, 16m20s left
fstore: a warning
mine stk: 100,000 of 100,000 ranges, 2,500/s
the closing line
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBytes(t *testing.T) {
	start := time.Unix(0, 0)
	s := stage{name: "read", unit: "bytes", done: 12_340_000, total: 20_000_000, start: start}
	want := "read: 12.3 MB of 20.0 MB, 6.2 MB/s, 1s left"
	if got := s.line(start.Add(2 * time.Second)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// The length of a pipe is unknown.
	s.total, want = 0, "read: 12.3 MB, 6.2 MB/s"
	if got := s.line(start.Add(2 * time.Second)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestQuiet(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var out buffer
		c := &clock{t: time.Unix(1000, 0)}
		r := New(&out, Options{Quiet: true, Terminal: terminal, Now: c.now})
		r.Step("read", "trees", 10)
		c.advance(time.Hour)
		r.Add(5)
		fmt.Fprintln(r, "fstore: an error")
		r.Close()
		if got := out.String(); got != "fstore: an error\n" {
			t.Errorf("%q", got)
		}
	}
}

// TestBar draws a real bar. Lines that are written at the same time must be complete.
func TestBar(t *testing.T) {
	var out buffer
	c := &clock{t: time.Unix(1000, 0)}
	r := New(&out, Options{Terminal: true, Now: c.now})
	r.Step("read", "trees", 0)
	r.Add(1)
	if out.String() != "" {
		t.Error("a bar before its time")
	}
	c.advance(time.Second)
	r.Add(1)
	r.Step("mine stk", "ranges", 100)
	c.advance(time.Second)
	r.Add(20)
	deadline := time.Now().Add(10 * time.Second)
	for !strings.Contains(out.String(), "20 of 100 ranges, 20/s, 4s left") && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	fmt.Fprintln(r, "fstore: a warning")
	r.Add(80)
	r.Close()
	r.Close()
	fmt.Fprintln(r, "the closing line")
	got := out.String()
	for _, want := range []string{"mine stk ", "20 of 100 ranges, 20/s, 4s left", "fstore: a warning\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if !strings.HasSuffix(got, "the closing line\n") {
		t.Errorf("%q", got)
	}
}

// TestJSON: a JSON object is written at intervals and at the end of each stage. Other lines are written
// unchanged.
func TestJSON(t *testing.T) {
	var out, log buffer
	c := &clock{t: time.Unix(1000, 0)}
	r := New(&out, Options{JSON: true, Terminal: true, Now: c.now, Log: &log})
	r.Step("read", "bytes", 0)
	c.advance(time.Second / 2)
	r.Add(300)
	c.advance(time.Second / 2)
	r.Add(300)
	r.Step("mine stk", "nodes", 4000)
	c.advance(10 * time.Second)
	r.Add(1000)
	fmt.Fprintln(r, "fstore: a warning")
	r.Close()
	want := `{"stage":"read","unit":"bytes","done":600,"seconds":1,"rate":600}
{"stage":"read","unit":"bytes","done":600,"seconds":1,"rate":600}
{"stage":"mine stk","unit":"nodes","done":1000,"total":4000,"seconds":10,"rate":100,"left":30}
fstore: a warning
{"stage":"mine stk","unit":"nodes","done":1000,"total":4000,"seconds":10,"rate":100,"left":30}
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = `1970-01-01T00:16:40Z read
1970-01-01T00:16:41Z read: 0.0 MB, 0.0 MB/s
1970-01-01T00:16:41Z mine stk
1970-01-01T00:16:51Z mine stk: 1,000 of 4,000 nodes, 100/s, 30s left
1970-01-01T00:16:51Z fstore: a warning
1970-01-01T00:16:51Z mine stk: 1,000 of 4,000 nodes, 100/s, 30s left
`
	if got := log.String(); got != want {
		t.Errorf("log: got\n%s\nwant\n%s", got, want)
	}
}

// Short runs show no progress, in any form.
func TestShortRun(t *testing.T) {
	for _, o := range []Options{{}, {JSON: true}, {Terminal: true}, {JSON: true, Terminal: true}} {
		var out buffer
		c := &clock{t: time.Unix(1000, 0)}
		o.Now = c.now
		r := New(&out, o)
		r.Step("read", "trees", 10)
		r.Add(10)
		r.Step("mine stk", "ranges", 100)
		c.advance(patience - 1)
		r.Add(100)
		r.Close()
		if got := out.String(); got != "" {
			t.Errorf("%+v: %q", o, got)
		}
	}
}

func TestNoStage(t *testing.T) {
	var out buffer
	r := New(&out, Options{Terminal: true})
	r.Add(1)
	r.Close()
	if out.String() != "" {
		t.Errorf("%q", out.String())
	}
}

// TestNothingLost: a line that is written just before the bar is removed is not lost.
func TestNothingLost(t *testing.T) {
	c := &clock{t: time.Unix(1000, 0)}
	for i := range 100 {
		var out buffer
		r := New(&out, Options{Terminal: true, Now: c.now})
		c.advance(time.Second)
		r.Step("mine", "ranges", 100)
		r.Add(int64(i))
		if i%3 == 0 {
			time.Sleep(time.Duration(i) * time.Millisecond)
		}
		fmt.Fprintln(r, "fstore: a warning")
		if i%2 == 0 {
			r.Step("commit", "tables", 3)
			fmt.Fprintln(r, "fstore: another")
		}
		r.Close()
		got := out.String()
		if strings.Count(got, "fstore: a warning\n") != 1 || i%2 == 0 && strings.Count(got, "fstore: another\n") != 1 {
			t.Fatalf("%d: %q", i, got)
		}
	}
}
