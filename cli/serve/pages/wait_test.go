package pages

import (
	"context"
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

// Each page is complete without the answers that it waits for, and asks again.
func TestWaiting(t *testing.T) {
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
	ctx, end := context.WithCancel(t.Context())
	env := &command.Env{FS: fs, Again: func(ctx context.Context, _ *command.Env, _ []string) error {
		<-ctx.Done()
		return ctx.Err()
	}}
	asker, err := ask.New(ctx, env, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	h := New(shelves, asker, "v", Guard{Address: "127.0.0.1:1"}).Handler()
	var all sync.WaitGroup
	for name := range pages {
		if slices.Contains([]string{"guide", "models", "model", "sentence"}, name) {
			continue // they ask nothing, or ask of what the store does not have
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
	end()
	asker.Close(1e9)
	shelves[0].Close()
}
