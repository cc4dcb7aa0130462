package ask

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fstore/store"
)

// Shelf is a store with its name in addresses. It shows one committed state of the store. Reopen opens the
// newest state, and so does Borrow after a long pause.
type Shelf struct {
	Name string // unique in this server
	Dir  string // as the user wrote it

	options store.Options
	mu      sync.Mutex
	now     *State
	number  int       // how many states were opened
	asked   time.Time // time of the last Borrow
	looked  time.Time // time of the last look for a newer state
	newer   bool
}

// State is an open state of a store. It stays open at least until every caller of Borrow has returned it.
type State struct {
	*store.Store
	shelf  *Shelf
	key    string // unique among the states of all shelves
	users  int
	closed bool // its shelf is closed or has a newer state
}

const (
	// lookEvery is the least time between two checks of the disk for a newer state.
	lookEvery = time.Second
	// If nobody has called Borrow for this time, the next call opens the newest state.
	idle = 10 * time.Minute
)

// OpenShelves opens stores. If two stores have the same name, the second is named NAME.2.
func OpenShelves(dirs []string, o store.Options) (all []*Shelf, err error) {
	taken := map[string]bool{}
	for _, dir := range dirs {
		base := strings.TrimSuffix(filepath.Base(filepath.Clean(dir)), ".store")
		name := base
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s.%d", base, n)
		}
		taken[name] = true
		h := &Shelf{Name: name, Dir: dir, options: o, asked: time.Now()}
		if err := h.Reopen(); err != nil {
			for _, open := range all {
				open.Close()
			}
			return nil, err
		}
		all = append(all, h)
	}
	return all, nil
}

// Reopen opens the newest committed state. The old state stays open until all borrowers have returned it.
func (h *Shelf) Reopen() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.reopen()
}

func (h *Shelf) reopen() error {
	s, err := store.Open(h.Dir, h.options)
	if err != nil {
		return err
	}
	if h.now != nil {
		h.now.retire()
	}
	h.number++
	h.now = &State{Store: s, shelf: h, key: fmt.Sprintf("%s/%d", h.Name, h.number)}
	h.newer = false
	return nil
}

// Borrow returns the open state. The caller must call Return when it is done.
func (h *Shelf) Borrow() *State {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if now.Sub(h.asked) > idle && h.look(now) {
		_ = h.reopen() // an error keeps the old state
	}
	h.asked = now
	h.now.users++
	return h.now
}

// HasNewer reports whether the store has a newer committed state than the open one.
func (h *Shelf) HasNewer() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.look(time.Now())
}

func (h *Shelf) look(now time.Time) bool {
	if !h.newer && now.Sub(h.looked) >= lookEvery {
		h.looked = now
		last, err := h.now.IsLast()
		h.newer = err == nil && !last
	}
	return h.newer
}

// Close closes the store as soon as nobody uses it.
func (h *Shelf) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now.retire()
}

// share adds a user, as Borrow does.
func (s *State) share() {
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	s.users++
}

// Return ends one Borrow.
func (s *State) Return() {
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	s.users--
	s.closeUnused()
}

// retire makes the state close when all users have returned it.
func (s *State) retire() {
	s.closed = true
	s.closeUnused()
}

func (s *State) closeUnused() {
	if s.closed && s.users == 0 {
		_ = s.Store.Close() // an error does no harm: the store was only read
	}
}
