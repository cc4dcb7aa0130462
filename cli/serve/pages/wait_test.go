package pages

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli/command"
	"fstore/cli/serve/ask"
	"fstore/store"
)

// handler serves an empty store named s, and runs commands by the function `again`. The result `end` stops
// commands that still run.
func handler(t *testing.T, again func(context.Context, *command.Env, []string) error) (h http.Handler, end func()) {
	t.Helper()
	fs := vfs.NewMem()
	w, err := store.Begin("s", store.WriteOptions{Mode: store.Create, Options: store.Options{FS: fs}})
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	shelves, err := ask.OpenShelves([]string{"s"}, store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	asker, err := ask.New(ctx, &command.Env{FS: fs, Again: again}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return New(shelves, asker, "v", Guard{Address: "127.0.0.1:1"}), func() {
		cancel()
		asker.Close(1e9)
		shelves[0].Close()
	}
}

// Each page is a complete document even if answers are missing, and the browser loads it again.
func TestWaiting(t *testing.T) {
	h, end := handler(t, func(ctx context.Context, _ *command.Env, _ []string) error {
		<-ctx.Done()
		return ctx.Err()
	})
	defer end()
	var all sync.WaitGroup
	for name := range pageKinds {
		if slices.Contains([]string{"guide", "models", "model", "sentence"}, name) {
			continue // these pages ask no questions, or need what the store does not have
		}
		all.Go(func() {
			a := httptest.NewRecorder()
			r := httptest.NewRequest("GET", "http://127.0.0.1/s/"+name+"?f=(A+(B))&p=(A+_)&a=x&by=document", nil)
			h.ServeHTTP(a, r)
			if body := a.Body.String(); a.Code != 200 || a.Header().Get("Refresh") == "" || !strings.HasSuffix(strings.TrimSpace(body), "</html>") {
				t.Errorf("%q: status %d, refresh %q: %s", name, a.Code, a.Header().Get("Refresh"), body)
			}
		})
	}
	all.Wait()
}

// A table that is too long for a page is left out, and the page says so.
func TestLongTable(t *testing.T) {
	h, end := handler(t, func(_ context.Context, env *command.Env, args []string) error {
		text := ""
		switch {
		case args[0] == "query":
			text = `{"fragment":"(A (B))","relation":"fragment","support":1}`
		case slices.Contains(args, "--by=form"): // the table of words in the nodes
			text = strings.Repeat(" ", 17<<20)
		}
		_, err := env.Stdout.Write([]byte(text))
		return err
	})
	defer end()
	for { // until no answer is missing
		a := httptest.NewRecorder()
		h.ServeHTTP(a, httptest.NewRequest("GET", "http://127.0.0.1/s/fragment?f=(A+(B))", nil))
		if a.Header().Get("Refresh") != "" {
			continue
		}
		if body := a.Body.String(); a.Code != http.StatusOK || strings.Count(body, "Too long") != 1 || !strings.Contains(body, "Parts and expansions") {
			t.Errorf("status %d: %s", a.Code, body)
		}
		return
	}
}
