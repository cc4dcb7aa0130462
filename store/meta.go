package store

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/vmihailenco/msgpack/v5"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store/disk"
)

// FormatVersion is the version of the layout of a store, see package disk.
const FormatVersion = disk.FormatVersion

// Meta says what a store holds. Data that Meta does not name are not part of the store. FSTORE says which
// Meta is valid, see store/README.md, "One commit point".
type Meta struct {
	Version    uint32
	Generation uint32 // number of the run that wrote this; the numbers of its files begin with it

	Kind        index.Kind // kind of the samples
	OneAlphabet bool
	Samples     uint32 // ids are from 0 to Samples-1
	Sentences   uint64 // candidates of one K-best list count as one sentence
	Words       uint64
	Documents   uint32
	Lists       Lists
	Inputs      []InputSamples           // the inputs of the samples, in sample order
	Symbols     [index.NumClasses]uint32 // largest id of each class

	LabelGeneration uint32 // generation of the label bitmaps
	Labels          uint32

	Settings map[string]string // other decisions of a run that a later run must know

	Spaces     []SpaceInfo // Spaces[i] has Number i
	Selections []SelectionInfo
	Models     []ModelInfo
	Files      []FileInfo // the files beside the database that the fields above name
	Tables     []string   // the tables of the database; only set in the copy beside the database

	History []Event
}

// InputSamples says how many consecutive samples are from one input. Name is "" if the input was not
// recorded. Samples after the last InputSamples have no recorded input.
type InputSamples struct {
	Name    string
	Samples uint32
}

// Lists counts the contents of K-best lists.
type Lists struct {
	Candidates uint64
	GoldFound  uint64 // sentences with a candidate that is the gold tree
	GoldAdded  uint64 // sentences whose gold tree was added as a sample that is no candidate
}

// Gold returns the number of sentences with a gold tree.
func (l *Lists) Gold() uint64 { return l.GoldFound + l.GoldAdded }

func (l *Lists) add(t *index.Tree) {
	switch {
	case t.Gold == index.GoldAdded:
		l.GoldAdded++
		return
	case t.Gold == index.GoldFound:
		l.GoldFound++
	}
	if t.Group != "" {
		l.Candidates++
	}
}

// SpaceInfo describes the indexed fragments of one space.
type SpaceInfo struct {
	Number     uint32 // part of keys; counts from 0
	ID         string // as index.Space.ID returns it
	Generation uint32 // generation of its fragments and ranks

	MinSupport uint32
	MaxOrder   int // 0: any
	Closed     bool
	Places     bool // posting lists tell places, see package posting

	Fragments  []uint64 // stored fragments, by order; index 0 is unused
	Templates  []uint64 // different templates of the fragments, by order; nil if the space has none
	Candidates []uint64 // counted candidates, by order
	Below      []uint64 // candidates below MinSupport, by order
	WideHeads  uint64   // number of heads where an option leaves out fragments, see index.Spanned

	Features       uint32 // largest feature id: the number of fragments
	VocabularyHash uint64
	Expansion      string // file with the expansion index, "" if there is none
}

// HasPlaces says whether the posting lists tell the places of the fragments, see package posting. Old lists
// in index.Valued spaces do not.
func (i *SpaceInfo) HasPlaces(space index.Space) bool {
	_, several := space.(index.Valued)
	return i.Places || !several
}

// Limits returns the limits of the stored fragments.
func (i *SpaceInfo) Limits() index.Limits {
	return index.Limits{MinSupport: i.MinSupport, MaxOrder: i.MaxOrder, Closed: i.Closed}
}

// SelectionInfo describes a selection: a named choice of fragments, see [Entry].
type SelectionInfo struct {
	Name       string
	Number     uint32 // part of keys
	Generation uint32
	Space      uint32 // the number of the space that its fragments are from

	By       string   // name of the objective
	Columns  []string // the names of Entry.Stats
	Settings map[string]string

	Features       uint32 // largest feature id: the number of entries
	VocabularyHash uint64
	Expansion      string
}

// ModelInfo describes a trained model. Only the model's learner knows what its bytes mean.
type ModelInfo struct {
	Name       string
	Number     uint32 // part of keys
	Generation uint32

	Learner        string
	Kernel         string // the ID of the kernel's space, for a kernel machine
	Selection      string // the selection that the model uses; "" if it uses none
	VocabularyHash uint64 // hash of the space or selection; 0 for a kernel over a whole space
	Settings       map[string]string
	Bytes          int64
}

// FileInfo describes a file beside the database: its name, size and checksum.
type FileInfo = disk.File

// Event describes one run that wrote to the store. The store's history is the list of these events.
type Event struct {
	Command string // the command line
	Version string // version of the program
	Seed    int64
	Time    int64 // in Unix seconds
	Inputs  []Input
	Decided string // the closing line of the run, which says what was decided
	Reading string // the reading options that change trees; "" if they were not recorded
}

// Input is a file that a run read, with its size in bytes.
type Input struct {
	Name string
	Size int64
	Hash uint64 // xxh3 of its bytes
}

// Space returns the space with this ID, or nil if there is none.
func (m *Meta) Space(id string) *SpaceInfo {
	return find(m.Spaces, func(s *SpaceInfo) bool { return s.ID == id })
}

// Selection returns the selection with this name, or nil if there is none.
func (m *Meta) Selection(name string) *SelectionInfo {
	return find(m.Selections, func(s *SelectionInfo) bool { return s.Name == name })
}

// Model returns the model with this name, or nil if there is none.
func (m *Meta) Model(name string) *ModelInfo {
	return find(m.Models, func(d *ModelInfo) bool { return d.Name == name })
}

func find[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// SpaceIDs returns the IDs of the spaces, in the order of their numbers.
func (m *Meta) SpaceIDs() []string {
	ids := make([]string, len(m.Spaces))
	for i := range m.Spaces {
		ids[i] = m.Spaces[i].ID
	}
	return ids
}

// InputNames returns a function that returns the name of a sample's input, or "" if it was not recorded.
func (m *Meta) InputNames() func(sample uint32) string {
	ends := make([]uint32, len(m.Inputs))
	n := uint32(0)
	for i, in := range m.Inputs {
		n += in.Samples
		ends[i] = n
	}
	return func(sample uint32) string {
		i := sort.Search(len(ends), func(i int) bool { return sample < ends[i] })
		if i == len(ends) {
			return ""
		}
		return m.Inputs[i].Name
	}
}

// live returns the keyspaces that are in use, with the name of the space, selection or model. For labels the
// name is "".
func (m *Meta) live() map[keyspace]string {
	l := map[keyspace]string{}
	if m.LabelGeneration > 0 {
		l[keyspace{KindLabel, m.LabelGeneration, 0}] = ""
	}
	for _, s := range m.Spaces {
		l[keyspace{KindFragment, s.Generation, s.Number}] = s.ID
		l[keyspace{KindRank, s.Generation, s.Number}] = s.ID
	}
	for _, s := range m.Selections {
		l[keyspace{KindSelection, s.Generation, s.Number}] = s.Name
	}
	for _, d := range m.Models {
		l[keyspace{KindModel, d.Generation, d.Number}] = d.Name
	}
	return l
}

// files returns the expansion indexes that spaces and selections name, sorted.
func (m *Meta) files() (names []string) {
	for _, s := range m.Spaces {
		names = append(names, s.Expansion)
	}
	for _, s := range m.Selections {
		names = append(names, s.Expansion)
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	slices.Sort(names)
	return slices.Compact(names)
}

func encodeMeta(m *Meta) ([]byte, error) {
	var buf bytes.Buffer
	enc := msgpack.NewEncoder(&buf)
	enc.SetSortMapKeys(true)
	enc.SetOmitEmpty(true)
	enc.UseCompactInts(true)
	if err := enc.Encode(recordSpaces(m)); err != nil {
		return nil, fmt.Errorf("meta: %w", err)
	}
	return buf.Bytes(), nil
}

// decodeMeta reads and checks a Meta.
func decodeMeta(d disk.Dir, b []byte) (*Meta, error) {
	m := new(Meta)
	if err := disk.Unmarshal(b, m); err != nil {
		return nil, d.Damaged("meta", err)
	}
	if err := d.CheckVersion(m.Version); err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, d.Damaged("meta", err)
	}
	nameSpaces(m, spaces.Recorded)
	return m, nil
}

func (m *Meta) check() error {
	if m.Generation == 0 || m.Kind > index.Dependency {
		return disk.Malformed("generation or kind")
	}
	if m.Kind == index.Dependency && m.OneAlphabet {
		return disk.Malformed("dependency trees of one alphabet")
	}
	left := uint64(m.Samples)
	for _, in := range m.Inputs {
		if uint64(in.Samples) > left {
			return disk.Malformed("input %q", in.Name)
		}
		left -= uint64(in.Samples)
	}
	for i, s := range m.Spaces {
		if s.Number != uint32(i) || s.Generation == 0 || s.Generation > m.Generation {
			return disk.Malformed("space %q", s.ID)
		}
	}
	seen := map[keyspace]bool{}
	valid := func(p keyspace) bool {
		ok := p.generation > 0 && p.generation <= m.Generation && !seen[p]
		seen[p] = true
		return ok
	}
	for _, s := range m.Selections {
		if int(s.Space) >= len(m.Spaces) || !valid(keyspace{KindSelection, s.Generation, s.Number}) {
			return disk.Malformed("selection %q", s.Name)
		}
	}
	for _, d := range m.Models {
		if !valid(keyspace{KindModel, d.Generation, d.Number}) {
			return disk.Malformed("model %q", d.Name)
		}
	}
	names := m.files()
	for i, name := range names {
		if !disk.IsExpansionName(name) || len(m.Files) != len(names) || m.Files[i].Name != name {
			return disk.Malformed("file name %q", name)
		}
	}
	return nil
}

// recordSpaces returns a copy of m in which the ID of a space lists all options. So the ID keeps its meaning
// if a later version changes a default.
func recordSpaces(m *Meta) *Meta {
	c := *m
	c.Spaces, c.Models = slices.Clone(m.Spaces), slices.Clone(m.Models)
	nameSpaces(&c, spaces.RecordID)
	return &c
}

// nameSpaces renames all spaces in m: in its list of spaces, and where models name them.
func nameSpaces(m *Meta, name func(string) string) {
	for i := range m.Spaces {
		m.Spaces[i].ID = name(m.Spaces[i].ID)
	}
	for i := range m.Models {
		d := &m.Models[i]
		d.Kernel = name(d.Kernel)
		if id := d.Settings[spaceSetting]; id != "" {
			d.Settings = maps.Clone(d.Settings)
			d.Settings[spaceSetting] = name(id)
		}
	}
}

// spaceSetting is the name of the setting that names the space of a linear model.
const spaceSetting = "space"
