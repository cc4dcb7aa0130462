package maintain_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/exchange"
	"fstore/mine/internal/minetest"
	"fstore/mine/maintain"
	"fstore/mine/selection"
	"fstore/store"
)

// `make readers` runs TestReaders with more readers, for longer.
var (
	readers = flag.Int("readers", 4, "readers of TestReaders; every other one is a process")
	readFor = flag.Duration("read-for", 2*time.Second, "how long they read")
)

// readerEnv makes the test binary a reader of the store that it names.
const readerEnv = "FSTORE_TEST_READ"

func TestMain(m *testing.M) {
	dir := os.Getenv(readerEnv)
	if dir == "" {
		os.Exit(m.Run())
	}
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	never := func() uint32 { return 0 }
	err := readOnAndOn(dir, ended, never, func(generation uint32, sum uint64) { fmt.Println(generation, sum) })
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// readOnAndOn opens a store, reads it and closes it, again and again until ended. After each time it passes
// the result to seen. The state must not be older than the generation that newest returns.
func readOnAndOn(dir string, ended <-chan struct{}, newest func() uint32, seen func(generation uint32, sum uint64)) error {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for {
		select {
		case <-ended:
			return nil
		default:
		}
		if err := readOnce(dir, rng, newest(), seen); err != nil {
			return err
		}
	}
}

// readOnce opens a store and reads it twice, with a pause between.
func readOnce(dir string, rng *rand.Rand, newest uint32, seen func(generation uint32, sum uint64)) (err error) {
	s, err := store.Open(dir, store.Options{CacheBytes: -1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if g := s.Meta().Generation; g < newest {
		return fmt.Errorf("generation %d, and there was %d before it was opened", g, newest)
	}
	for range 2 {
		time.Sleep(time.Duration(rng.Int64N(int64(80 * time.Millisecond))))
		sum, err := sumOf(s)
		if err != nil {
			return err
		}
		seen(s.Meta().Generation, sum)
	}
	if rng.IntN(2) > 0 { // Check reads the files again, whatever was cached
		return nil
	}
	var problems []string
	problem := func(what string) { problems = append(problems, what) }
	err = s.Check(context.Background(), problem, func(string) {})
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("generation %d: %q", s.Meta().Generation, problems)
	}
	return err
}

// sumOf returns a checksum of all that a store holds: samples, fragments with their posting lists in the
// order of ids, selections, expansion indexes.
func sumOf(s *store.Store) (uint64, error) {
	h := xxh3.New()
	m := s.Meta()
	fmt.Fprintln(h, m.Samples, m.Words, m.Labels, len(m.History))
	err := s.Samples(0, m.Samples, func(id uint32, t *index.Tree) error {
		_, err := fmt.Fprintln(h, id, t.Name, t.Label, t.Nodes)
		return err
	})
	for _, info := range m.Spaces {
		err = errors.Join(err, sumSpace(h, s, info))
	}
	for _, info := range m.Selections {
		err = errors.Join(err, s.Entries(info.Name, 1, info.Features+1, func(id uint32, e *store.Entry) error {
			_, err := fmt.Fprintln(h, id, e.Code, e.Score, e.Weight, e.Stats)
			return err
		}))
	}
	for _, f := range m.Files {
		err = errors.Join(err, sumFile(h, s, f.Name))
	}
	return h.Sum64(), err
}

func sumSpace(h io.Writer, s *store.Store, info store.SpaceInfo) error {
	it, err := s.Iter(info.Number, nil, nil)
	if err != nil {
		return err
	}
	id := uint32(0)
	for it.Next() {
		id++
		fmt.Fprintf(h, "%d %x %x\n", id, []byte(it.Key()), it.Value())
	}
	if err := errors.Join(it.Err(), it.Close()); err != nil {
		return err
	}
	if id != info.Features {
		return fmt.Errorf("generation %d: %d fragments, and there should be %d", s.Meta().Generation, id, info.Features)
	}
	code, err := s.ByRank(info.Number, id, nil)
	fmt.Fprintf(h, "%x\n", []byte(code))
	return err
}

func sumFile(h io.Writer, s *store.Store, name string) error {
	f, err := s.FS().Open(s.Path(name))
	if err != nil {
		return err
	}
	_, err = io.Copy(h, struct{ io.Reader }{f})
	return errors.Join(err, f.Close())
}

// states records the states that a store had, and the states that readers saw.
type states struct {
	mu        sync.Mutex
	committed map[uint32]uint64
	seen      []observation
	newest    atomic.Uint32
}

type observation struct {
	generation uint32
	sum        uint64
}

func (s *states) see(generation uint32, sum uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, observation{generation, sum})
}

// commit records the newest state.
func (s *states) commit(t *testing.T, dir string) {
	t.Helper()
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := sumOf(st)
	if problems := minetest.Verify(t, st, 0); len(problems) > 0 {
		t.Errorf("generation %d: %q", st.Meta().Generation, problems)
	}
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.committed[st.Meta().Generation] = sum
	s.newest.Store(st.Meta().Generation)
}

// TestReaders: one writer makes all kinds of changes, and aborts some. Readers open the store at any time.
// Each reader must see one state, unchanged for as long as it has the store open, and no older than the
// newest state at the moment of opening. No writer fails or waits, all states agree with their trees, and old
// files do not pile up.
func TestReaders(t *testing.T) {
	dir := t.TempDir() + "/s"
	o := minetest.Options(t, vfs.Default, 0, 30, "stk", "sstbow:closed")
	if _, err := builder.Run(t.Context(), dir, o); err != nil {
		t.Fatal(err)
	}
	s := &states{committed: map[uint32]uint64{}}
	s.commit(t, dir)
	ended := make(chan struct{})
	var all sync.WaitGroup
	for n := range *readers {
		all.Go(func() {
			if err := s.reader(dir, n%2 == 1, ended); err != nil {
				t.Errorf("reader %d: %v", n, err)
			}
		})
	}
	a := appender{dir: dir, rng: rand.New(rand.NewPCG(1, 2))}
	most, slowest := 0, time.Duration(0)
	for end := time.Now().Add(*readFor); time.Now().Before(end) && !t.Failed(); {
		begun := time.Now()
		did, err := a.step(t)
		if err != nil {
			t.Errorf("%s: %v", did, err)
			break
		}
		slowest = max(slowest, time.Since(begun))
		s.commit(t, dir)
		most = max(most, a.waiting(t))
	}
	t.Logf("%d steps, the slowest took %v; at most %d files waited for readers", a.steps, slowest, most)
	close(ended)
	all.Wait()
	s.check(t)
	a.wantNoLeftovers(t)
}

// reader reads again and again, in this process or in another.
func (s *states) reader(dir string, process bool, ended <-chan struct{}) error {
	if process {
		return s.process(dir, ended)
	}
	return readOnAndOn(dir, ended, s.newest.Load, s.see)
}

// process is a reader in a process of its own.
func (s *states) process(dir string, ended <-chan struct{}) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), readerEnv+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		<-ended
		_ = in.Close()
	}()
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var generation uint32
		var sum uint64
		if n, _ := fmt.Sscan(lines.Text(), &generation, &sum); n == 2 {
			s.see(generation, sum)
		} else {
			said = append(said, lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil || len(said) > 0 {
		return fmt.Errorf("%v: %s", err, strings.Join(said, "\n"))
	}
	return nil
}

// check compares the states that readers saw with the states that the store had.
func (s *states) check(t *testing.T) {
	t.Helper()
	states := map[uint32]bool{}
	for _, o := range s.seen {
		states[o.generation] = true
		if want, ok := s.committed[o.generation]; !ok || o.sum != want {
			t.Errorf("generation %d: read %x, and there was %x", o.generation, o.sum, want)
		}
	}
	t.Logf("%d states, %d of them read, %d times", len(s.committed), len(states), len(s.seen))
	if len(states) < 2 {
		t.Error("readers saw one state only")
	}
}

// appender changes a store step by step.
type appender struct {
	dir   string
	rng   *rand.Rand
	steps int
	added int
}

// step makes one change. Sometimes it first begins a change and aborts it.
func (a *appender) step(t *testing.T) (did string, err error) {
	a.steps++
	if a.rng.IntN(4) == 0 {
		if err := a.giveUp(t); err != nil {
			return "give up", err
		}
	}
	switch a.steps % 8 {
	case 0, 3:
		return "append", a.add(t)
	case 1:
		return "mine", a.change(func(w *store.Writer) error {
			_, err := selection.Run(t.Context(), w, selection.Options{Name: "mined", Overwrite: true, Space: "stk", By: "chi2", Top: 5 + a.steps})
			return err
		})
	case 2:
		return "import", a.change(func(w *store.Writer) error {
			list := strings.NewReader("(A (B))\n(A (C))\n(B (A) (C))\n")
			_, err := exchange.Import(t.Context(), w, list, "list", exchange.ImportOptions{
				Name: fmt.Sprint("imported ", a.steps%7), Overwrite: true, Space: "stk", SkipAbsent: true,
			})
			return err
		})
	case 4:
		return "remove", a.remove(t)
	case 5:
		o := minetest.RepairOptions(vfs.Default)
		_, err := maintain.Repair(t.Context(), a.dir, o, func(lost string) { t.Errorf("lost: %s", lost) })
		return "repair", err
	case 6:
		return "reindex and train", a.change(func(w *store.Writer) error {
			_, err := maintain.Reindex(t.Context(), w, index.NoProgress{})
			return errors.Join(err, w.PutModel(store.ModelInfo{Name: "model"}, fmt.Append(nil, a.steps)))
		})
	default:
		o := minetest.Options(t, vfs.Default, a.steps%5, 30, "stk", "sstbow:closed")
		o.Mode = store.Overwrite
		_, err := builder.Run(t.Context(), a.dir, o)
		return "overwrite", err
	}
}

// remove takes out the last sample.
func (a *appender) remove(t *testing.T) error {
	s, err := store.Open(a.dir, store.Options{})
	if err != nil {
		return err
	}
	var last index.Tree
	err = s.Sample(s.Meta().Samples-1, &last)
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	o := minetest.RemoveOptions(vfs.Default)
	o.Samples = []string{last.Name}
	_, err = maintain.Remove(t.Context(), a.dir, o)
	return err
}

// waiting returns how many files are kept for readers.
func (a *appender) waiting(t *testing.T) int {
	t.Helper()
	s, err := store.Open(a.dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n, _ := s.Waiting()
	return n
}

// add appends a few samples.
func (a *appender) add(t *testing.T) error {
	o := minetest.Options(t, vfs.Default, 30+a.added, 3)
	o.Spaces, o.Mode = builder.Choice{}, store.Append
	a.added += 3
	_, err := builder.Run(t.Context(), a.dir, o)
	return err
}

// giveUp begins to append and does not end.
func (a *appender) giveUp(t *testing.T) error {
	o := minetest.Options(t, vfs.Default, 30+a.added, 3)
	o.Spaces, o.Mode = builder.Choice{}, store.Append
	failed := errors.New("the input ends here")
	o.Source = func(s *index.Symbols) (index.Source, error) {
		src := minetest.NewSource(s, 7, 30+a.added, 2)
		src.Fail = failed
		return src, nil
	}
	_, err := builder.Run(t.Context(), a.dir, o)
	if !errors.Is(err, failed) {
		return fmt.Errorf("an input that fails: %w", err)
	}
	return nil
}

func (a *appender) change(f func(*store.Writer) error) error {
	w, err := store.Begin(a.dir, store.WriteOptions{Mode: store.Append})
	if err != nil {
		return err
	}
	if err := f(w); err != nil {
		return errors.Join(err, w.Abort())
	}
	w.Meta().History = append(w.Meta().History, store.Event{Command: "test"})
	return w.Commit()
}

// wantNoLeftovers: when no reader is left, the next writer deletes the files that were kept for readers.
func (a *appender) wantNoLeftovers(t *testing.T) {
	t.Helper()
	if err := a.change(func(*store.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(a.dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	bad := func(what string) { t.Error(what) }
	if err := s.Check(t.Context(), bad, bad); err != nil {
		t.Error(err)
	}
	if problems := minetest.Verify(t, s, 0); len(problems) > 0 {
		t.Error(problems)
	}
}
