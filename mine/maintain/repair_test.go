package maintain_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/mine/builder"
	"fstore/mine/internal/minetest"
	"fstore/mine/maintain"
	"fstore/store"
	"fstore/store/filetest"
)

// repairable makes a store with data of each kind.
func repairable(t *testing.T) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewMem()
	o := minetest.Options(t, fs, 0, 60, "stk", "sstbow:closed")
	o.Event = func() store.Event { return store.Event{Command: "build it"} }
	minetest.Build(t, fs, o).Close()
	minetest.AddSelections(t, fs)
	err := minetest.ChangeStore(t, fs, func(w *store.Writer) error {
		w.Meta().History = append(w.Meta().History, store.Event{Command: "train it", Decided: "model m: trained"})
		return w.PutModel(store.ModelInfo{Name: "m", Learner: "none"}, []byte("weights"))
	})
	if err != nil {
		t.Fatal(err)
	}
	return fs
}

// Each file of a store is damaged, cut, or removed. After a repair, all data that follow from the trees are
// there again, and the repair has reported all other lost data. Nothing else changes.
func TestRepair(t *testing.T) {
	sound := repairable(t)
	s := minetest.OpenStore(t, sound)
	want := minetest.Everything(t, s)
	s.Close()
	names, err := sound.List("s")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	r := rand.New(rand.NewPCG(5, 6))
	outcomes := map[string]int{}
	for _, name := range names {
		if name == "LOCK" || name == "FSTORE" {
			continue
		}
		for _, how := range []string{"flipped", "cut", "missing"} {
			damaged := vfs.NewMem()
			if _, err := vfs.Clone(sound, damaged, "s", "s"); err != nil {
				t.Fatal(err)
			}
			path := "s/" + name
			b := slices.Clone(filetest.Read(t, damaged, path))
			if len(b) == 0 && how != "missing" {
				continue
			}
			switch how {
			case "flipped":
				b[r.IntN(len(b))] ^= 0x55
				filetest.Write(t, damaged, path, b)
			case "cut":
				filetest.Write(t, damaged, path, b[:len(b)/2])
			case "missing":
				if err := damaged.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			what := how + " " + filepath.Ext(name)
			var lost []string
			_, err := maintain.Repair(context.Background(), "s", minetest.RepairOptions(damaged), func(l string) { lost = append(lost, l) })
			switch {
			case err != nil:
				if !errors.Is(err, store.ErrDamaged) {
					t.Errorf("%s %s: %v", how, name, err)
				}
				outcomes[what+" refused"]++
				t.Log(how, name, err)
				if names, _ := damaged.List(""); len(names) != 1 {
					t.Errorf("%s %s: left %v", how, name, names)
				}
				continue
			case len(lost) > 0:
				outcomes[what+" lost"]++
				t.Log(how, name, lost)
			default:
				outcomes[what+" repaired"]++
			}
			s := minetest.OpenStore(t, damaged)
			if err := s.Check(t.Context(), func(p string) { t.Errorf("%s %s: %s", how, name, p) }, func(p string) { t.Errorf("%s %s: %s", how, name, p) }); err != nil {
				t.Error(err)
			}
			if p := minetest.Verify(t, s, 0); len(p) > 0 {
				t.Errorf("%s %s: %v", how, name, p)
			}
			if len(lost) == 0 {
				if d := cmp.Diff(want, minetest.Everything(t, s)); d != "" {
					t.Errorf("%s %s: %s", how, name, d)
				}
			}
			s.Close()
		}
	}
	t.Log(outcomes)
	// The symbols and the trees cannot be made again. Two selections and a model can only be made again by
	// hand. The record has two copies.
	for _, how := range []string{"flipped", "cut", "missing"} {
		if outcomes[how+" .sst refused"] != 2 || outcomes[how+" .sst lost"] != 3 || outcomes[how+" .sst repaired"] < 5 || outcomes[how+"  repaired"] < 5 {
			t.Errorf("%s: %v", how, outcomes)
		}
	}
}

// If trees cannot be read, a repair ends with an error, unless it is allowed to drop them.
func TestRepairWithoutTrees(t *testing.T) {
	mem := repairable(t)
	names, err := mem.List("s")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	for _, name := range names {
		if filepath.Ext(name) != ".sst" {
			continue
		}
		damaged := vfs.NewMem()
		if _, err := vfs.Clone(mem, damaged, "s", "s"); err != nil {
			t.Fatal(err)
		}
		if err := damaged.Remove("s/" + name); err != nil {
			t.Fatal(err)
		}
		if _, err := maintain.Repair(context.Background(), "s", minetest.RepairOptions(damaged), func(string) {}); !errors.Is(err, maintain.ErrLost) {
			continue
		} else if !strings.Contains(err.Error(), "60 samples cannot be read: 0 to 59") {
			t.Errorf("%v", err)
		}
		o := minetest.RepairOptions(damaged)
		o.DropLost = true
		if _, err := maintain.Repair(context.Background(), "s", o, func(string) {}); !errors.Is(err, builder.ErrNoSamples) {
			t.Errorf("all trees are lost: %v", err)
		}
		if _, err := damaged.Stat("s/FSTORE"); err != nil {
			t.Error(err)
		}
		if _, err := damaged.Stat("s/UNFINISHED"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("left: %v", err)
		}
		return
	}
	t.Fatal("no table has the trees")
}
