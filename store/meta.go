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

// FormatVersion is the version of the layout that this package writes.
const FormatVersion = disk.FormatVersion

// Meta says what a store holds: one value under one key. What Meta does not name does
// not exist. Which Meta counts is in FSTORE, see the package's documentation.
type Meta struct {
	Version    uint32
	Generation uint32 // of the run that wrote this: what the numbers of its files begin with

	Kind        index.Kind // of the samples
	OneAlphabet bool
	Samples     uint32 // ids are 0..Samples-1
	Sentences   uint64 // K-best candidates of one sentence count once
	Words       uint64
	Documents   uint32
	Lists       Lists
	Inputs      []InputSamples           // that the samples are from, in their order
	Symbols     [index.NumClasses]uint32 // largest id of each class

	LabelGeneration uint32 // of the label bitmaps
	Labels          uint32

	Settings map[string]string // what else a run decided and a later run must know

	Spaces     []SpaceInfo // Spaces[i].Number == i
	Selections []SelectionInfo
	Models     []ModelInfo
	Files      []FileInfo // beside the database, those that the above name
	Tables     []string   // that hold all of this; in the copy beside the database only

	History []Event
}

// InputSamples is how many samples, one after another, are from one input. The name is ""
// where that was not recorded; so are samples beyond those of all.
type InputSamples struct {
	Name    string
	Samples uint32
}

// SpaceInfo describes the fragments of one space.
type SpaceInfo struct {
	Number     uint32 // in keys, from 0
	ID         string // index.Space.ID
	Generation uint32 // of its fragments and ranks

	MinSupport uint32
	MaxOrder   int // 0: any
	Closed     bool
	Places     bool // posting lists tell places

	Fragments  []uint64 // stored, by order; index 0 is unused
	Templates  []uint64 // different ones of them, by order; nil where the space has none
	Candidates []uint64 // counted, by order
	Below      []uint64 // of them below MinSupport, by order
	WideHeads  uint64   // heads where an option leaves out fragments, see index.Spanned

	Features       uint32 // largest feature id: the number of fragments
	VocabularyHash uint64
	Expansion      string // file with the expansion index, "" where there is none
}

// HasPlaces says whether places can be told of the fragments, see package posting: those of an
// older version have none where one node can begin several matches.
func (i *SpaceInfo) HasPlaces(space index.Space) bool {
	_, several := space.(index.Valued)
	return i.Places || !several
}

// Limits are those that the space is indexed within.
func (i *SpaceInfo) Limits() index.Limits {
	return index.Limits{MinSupport: i.MinSupport, MaxOrder: i.MaxOrder, Closed: i.Closed}
}

// SelectionInfo describes a named choice of fragments, see [Entry].
type SelectionInfo struct {
	Name       string
	Number     uint32 // in keys
	Generation uint32
	Space      uint32 // the number of the space it chose from

	By       string   // the objective
	Columns  []string // the names of Entry.Stats
	Settings map[string]string

	Features       uint32 // largest feature id: the number of entries
	VocabularyHash uint64
	Expansion      string
}

// ModelInfo describes a trained model, whose bytes are its learner's business.
type ModelInfo struct {
	Name       string
	Number     uint32 // in keys
	Generation uint32

	Learner        string
	Kernel         string // the space's ID, for a kernel machine
	Selection      string // the selection that a linear model or a kernel is over; "": none
	VocabularyHash uint64 // of the space or selection; 0 for a kernel over all of a space
	Settings       map[string]string
	Bytes          int64
}

// FileInfo is a file beside the database.
type FileInfo = disk.File

// Event is one run that wrote to the store.
type Event struct {
	Command string // the command line
	Version string // of the program
	Seed    int64
	Time    int64 // unix seconds
	Inputs  []Input
	Decided string // the line that the run ended with
	Reading string // the options of reading that change trees; "" where that was not recorded
}

// Input is a file that a run read.
type Input struct {
	Name string
	Size int64
	Hash uint64 // xxh3
}

// Space returns the space with this ID, nil where there is none.
func (m *Meta) Space(id string) *SpaceInfo {
	return find(m.Spaces, func(s *SpaceInfo) bool { return s.ID == id })
}

// Selection returns the selection with this name, nil where there is none.
func (m *Meta) Selection(name string) *SelectionInfo {
	return find(m.Selections, func(s *SelectionInfo) bool { return s.Name == name })
}

// Model returns the model with this name, nil where there is none.
func (m *Meta) Model(name string) *ModelInfo {
	return find(m.Models, func(d *ModelInfo) bool { return d.Name == name })
}

// find returns where the first that is wanted is, nil where none is.
func find[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// SpaceIDs returns the IDs of the spaces, by number.
func (m *Meta) SpaceIDs() []string {
	ids := make([]string, len(m.Spaces))
	for i := range m.Spaces {
		ids[i] = m.Spaces[i].ID
	}
	return ids
}

// InputNames returns what names the input that a sample is from, "" where it is not known.
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

// live are the places of the generational keys that m names, with the name of what is there.
func (m *Meta) live() map[place]string {
	l := map[place]string{}
	if m.LabelGeneration > 0 {
		l[place{KindLabel, m.LabelGeneration, 0}] = ""
	}
	for _, s := range m.Spaces {
		l[place{KindFragment, s.Generation, s.Number}] = s.ID
		l[place{KindRank, s.Generation, s.Number}] = s.ID
	}
	for _, s := range m.Selections {
		l[place{KindSelection, s.Generation, s.Number}] = s.Name
	}
	for _, d := range m.Models {
		l[place{KindModel, d.Generation, d.Number}] = d.Name
	}
	return l
}

// files are the names of the files beside the database that m names.
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

// check holds the invariants that the rest of the package relies on.
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
	seen := map[place]bool{}
	valid := func(p place) bool {
		ok := p.generation > 0 && p.generation <= m.Generation && !seen[p]
		seen[p] = true
		return ok
	}
	for _, s := range m.Selections {
		if int(s.Space) >= len(m.Spaces) || !valid(place{KindSelection, s.Generation, s.Number}) {
			return disk.Malformed("selection %q", s.Name)
		}
	}
	for _, d := range m.Models {
		if !valid(place{KindModel, d.Generation, d.Number}) {
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

// recordSpaces returns m as it is written: with all options of spaces (spaces.RecordID), so that it
// means the same when a default changes. An older version left out the options that were its defaults.
func recordSpaces(m *Meta) *Meta {
	c := *m
	c.Spaces, c.Models = slices.Clone(m.Spaces), slices.Clone(m.Models)
	nameSpaces(&c, spaces.RecordID)
	return &c
}

// nameSpaces gives the spaces that m names other names.
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

// spaceSetting is the setting of a linear model that names a space.
const spaceSetting = "space"
