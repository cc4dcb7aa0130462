package ask

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fstore/store"
)

// Shelf is a store under the name that addresses have. It stays open in the state that it was opened
// in, until Reopen, or until nobody has asked for long.
type Shelf struct {
	Name string // unique among the shelves
	Dir  string // as the user wrote it

	options store.Options
	mu      sync.Mutex
	now     *State
	number  int       // of states
	asked   time.Time // last
	looked  time.Time // for a newer state, last
	newer   bool
}

// State is one state of a store, open. It is closed when it is replaced and everyone has returned it.
type State struct {
	*store.Store
	shelf  *Shelf
	key    string // of the state, among those of all shelves
	users  int
	closed bool // its shelf has another
}

const (
	// lookEvery is the time between two looks for a newer state.
	lookEvery = time.Second
	// idle is how long nobody asks before a newer state is opened unasked.
	idle = 10 * time.Minute
)

// OpenShelves opens stores. A second one of a name gets a number.
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

// Reopen opens the state that was committed last. Whoever has the one before goes on with it.
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

// Borrow returns the state of now, for whoever asks it, until Return.
func (h *Shelf) Borrow() *State {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if now.Sub(h.asked) > idle && h.look(now) {
		_ = h.reopen() // else it goes on with the state that it has
	}
	h.asked = now
	h.now.users++
	return h.now
}

// HasNewer says whether a newer state than that of now was committed.
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

// Close closes the store when nobody uses it any more.
func (h *Shelf) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now.retire()
}

// share has one more user.
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

// retire closes the state when everyone has returned it.
func (s *State) retire() {
	s.closed = true
	s.closeUnused()
}

func (s *State) closeUnused() {
	if s.closed && s.users == 0 {
		_ = s.Store.Close() // nothing is written
	}
}
