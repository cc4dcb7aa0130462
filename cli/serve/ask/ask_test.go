package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli/command"
	"fstore/index"
	"fstore/store"
)

// newStore makes a store of one tree.
func newStore(t *testing.T, fs vfs.FS, dir string) {
	t.Helper()
	w, err := store.Begin(dir, store.WriteOptions{Mode: store.Create, Options: store.Options{FS: fs}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	samples, err := w.Samples()
	if err == nil {
		_, err = samples.Add(&index.Tree{Kind: index.Constituency, Name: "one"})
	}
	if err = errors.Join(err, samples.Close()); err == nil {
		err = w.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// asker returns an Asker, which runs commands with the function `again`, and the state of a store.
func asker(t *testing.T, again func(context.Context, *command.Env, []string) error) (*Asker, *State) {
	t.Helper()
	fs := vfs.NewMem()
	newStore(t, fs, "s")
	shelves, err := OpenShelves([]string{"s"}, store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(t.Context(), &command.Env{FS: fs, Again: again}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	s := shelves[0].Borrow()
	t.Cleanup(func() { s.Return(); shelves[0].Close() })
	return a, s
}

var q = Question{Args: []string{"query", "s", "--"}}

func TestOnce(t *testing.T) {
	var runs atomic.Int32
	a, s := asker(t, func(_ context.Context, env *command.Env, _ []string) error {
		runs.Add(1)
		time.Sleep(50 * time.Millisecond)
		env.Note("%s", "noted")
		_, err := io.WriteString(env.Stdout, "answer")
		return err
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			answer, _, err := a.Ask(t.Context(), s, q, time.Minute)
			if err != nil || string(answer.Text) != "answer" || !slices.Equal(answer.Notes, []string{"noted"}) {
				t.Errorf("%v, %v", answer, err)
			}
		})
	}
	all.Wait()
	a.kept.Wait()
	if _, _, err := a.Ask(t.Context(), s, q, time.Minute); err != nil || runs.Load() != 1 {
		t.Errorf("it ran %d times: %v", runs.Load(), err)
	}
	var users int
	for range 200 { // the run gives the state back when all have their answer
		s.shelf.mu.Lock()
		users = s.users
		s.shelf.mu.Unlock()
		if users == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.running) > 0 || users != 1 {
		t.Errorf("%d run, the state has %d users", len(a.running), users)
	}
}

func TestNobodyAsks(t *testing.T) {
	ended := make(chan error, 1)
	a, s := asker(t, func(ctx context.Context, env *command.Env, _ []string) error {
		env.Progress.Step("read", "trees", 100)
		env.Progress.Add(7)
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	a.patience = time.Second
	for n := range 6 { // the question continues while somebody asks
		time.Sleep(200 * time.Millisecond)
		_, p, err := a.Ask(t.Context(), s, q, time.Millisecond)
		if err != nil || p == nil || n > 0 && *p != (Progress{"read", "trees", 7, 100}) {
			t.Fatalf("%v, %v", p, err)
		}
	}
	select {
	case err := <-ended:
		t.Fatalf("it ended while somebody asked: %v", err)
	default:
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on, and nobody asks")
	}
	if !a.Close(20*time.Second) || len(a.running) > 0 {
		t.Error("something is left")
	}
}

// TestRoom asks more questions than can run or wait at once.
func TestRoom(t *testing.T) {
	var running, most atomic.Int32
	block := make(chan struct{})
	a, s := asker(t, func(context.Context, *command.Env, []string) error {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		<-block
		return nil
	})
	busy := 0
	for i := range mostWaiting + 5 {
		_, _, err := a.Ask(t.Context(), s, Question{Args: []string{"query", fmt.Sprint(i)}}, time.Millisecond)
		if errors.Is(err, ErrBusy) {
			busy++
		}
	}
	close(block)
	if busy != 5 || most.Load() > mostRunning {
		t.Errorf("%d were refused, %d ran at once", busy, most.Load())
	}
	if !a.Close(20 * time.Second) {
		t.Error("something goes on")
	}
}

func TestFailures(t *testing.T) {
	a, s := asker(t, func(_ context.Context, env *command.Env, args []string) error {
		switch args[0] {
		case "long":
			_, err := env.Stdout.Write(make([]byte, mostText+1))
			return err
		case "error":
			return errors.New("wrong")
		}
		panic("oh")
	})
	for name, want := range map[string]string{"long": ErrLong.Error(), "error": "wrong", "panic": "internal error: oh"} {
		answer, _, err := a.Ask(t.Context(), s, Question{Args: []string{name}}, time.Minute)
		if err != nil || answer.Err == nil || !strings.Contains(answer.Err.Error(), want) {
			t.Errorf("%s: %v, %v", name, answer, err)
		}
	}
}

func TestLine(t *testing.T) {
	h := &Shelf{Dir: "a.store"}
	l := NewLine("examples", h).Arg("VERB >obj 'x'").Flag("label", "-1").Flag("document", "@a").Flag("sort", "").Int("limit", 5).Int("sample", 3).Switch("each")
	if got, want := l.String(), `fstore examples a.store 'VERB >obj '\''x'\''' --label=-1 --document @@a --limit 5 --sample 3 --each`; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
	if got, want := l.Question().Args, []string{"examples", "a.store", "--label=-1", "--document=@@a", "--limit=5", "--sample=3", "--each", "--", "VERB >obj 'x'"}; !slices.Equal(got, want) {
		t.Errorf("%q\nnot %q", got, want)
	}
	if got, want := l.All().String(), `fstore examples a.store 'VERB >obj '\''x'\''' --label=-1 --document @@a --each --limit 0`; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
	if got, want := NewLine("query", h).Arg("-x").Int("limit", 2).String(), `fstore query a.store --limit 2 -- -x`; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
}
