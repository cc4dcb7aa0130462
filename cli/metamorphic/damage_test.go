package metamorphic

import (
	"regexp"
	"slices"
	"strings"

	"fstore/store/filetest"
)

// isLost matches the message of a repair about a selection or model that it could not save.
var isLost = regexp.MustCompile(`(selection|model) (\S+) is lost`)

// damage damages a file of the store. The command verify must find the damage. Then verify --repair repairs
// the store, except for the parts that it reports as lost, or it refuses.
func (w *world) damage() *operation {
	sound := copyOf(w.t, w.fs)
	file := w.spoil()
	if file == "" {
		return nil
	}
	if o := w.run(none, 0, "", "verify", storeDir, "-q"); o.code != 4 {
		w.t.Fatalf("damage is not found: exit %d\n%s", o.code, o.stdout)
	}
	o := w.run(none, 0, "", append([]string{"verify", storeDir, "--repair"}, w.resources()...)...)
	if o.code == 4 {
		w.count["beyond repair"]++
		w.fs = sound
		return nil
	}
	if o.code != 0 {
		w.t.Fatal("repair fails")
	}
	w.count["repaired"]++
	m := w.repaired(w.m, o)
	err := w.differs(w.fs, storeDir, m)
	if file == "FSTORE" {
		// Without FSTORE, the repaired store can also be in a state that was never committed.
		for i := 0; err != nil && i < len(w.unnamed); i++ {
			if newer := w.repaired(w.unnamed[i], o); w.differs(w.fs, storeDir, newer) == nil {
				m, err = newer, nil
			}
		}
	}
	if err != nil {
		w.t.Fatalf("after a repair: %v\n%s", err, m.sketch())
	}
	w.m, w.unnamed = m, nil
	w.verify()
	return nil
}

// repaired returns the model m without the parts that the repair reported as lost.
func (w *world) repaired(m *model, o outcome) *model {
	m = m.next()
	m.removed = true // the effect of a repair on codes is not specified
	for _, lost := range isLost.FindAllStringSubmatch(o.stderr, -1) {
		w.count["lost "+lost[1]]++
		delete(m.selections, lost[2])
		delete(m.trained, lost[2])
	}
	return m
}

// read reads a file of the store.
func (w *world) read(name string) (b []byte, path string) {
	path = w.fs.PathJoin(storeDir, name)
	return filetest.Read(w.t, w.fs, path), path
}

// files returns the names of FSTORE and of the files that it lists. The store does not need other files.
func (w *world) files() []string {
	names := []string{"FSTORE"}
	seal, _ := w.read("FSTORE")
	for line := range strings.Lines(string(seal)) {
		if f := strings.Fields(line); len(f) == 3 {
			names = append(names, f[0])
		}
	}
	return names
}

// spoil flips a bit of a file, cuts the file or removes it. It returns the name of the file, or "" if this
// does no damage.
func (w *world) spoil() string {
	name := one(w, w.files()...)
	b, path := w.read(name)
	how := one(w, "flip", "flip", "flip", "cut", "remove")
	switch {
	case how == "remove" && name != "FSTORE":
		w.logf("%s is removed", name)
		if err := w.fs.Remove(path); err != nil {
			w.t.Fatal(err)
		}
		return name
	case len(b) == 0:
		return ""
	case how == "cut":
		b = b[:w.r.IntN(len(b))]
	default:
		b = slices.Clone(b)
		at, bit := w.r.IntN(len(b)), w.r.IntN(8)
		b[at] ^= 1 << bit
		w.logf("bit %d of byte %d", bit, at)
	}
	w.logf("%s: %s", name, how)
	filetest.Write(w.t, w.fs, path, b)
	return name
}
