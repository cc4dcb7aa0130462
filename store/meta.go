package store

import (
	"bytes"
	"fmt"
	"slices"
	"sort"

	"github.com/vmihailenco/msgpack/v5"

	"fstore/index"
	"fstore/index/spaces"
)

// FormatVersion is the version of the layout that this package writes. It stands in FSTORE, so
// that it is known before anything else is read, and in Meta. This package reads oldestVersion
// to FormatVersion. The first commit to an older store makes it one of FormatVersion. A newer
// store is refused (checkVersion). The history, and what this package does with each version:
//
//	1  a new store grew in STORE.building, and a store that was replaced went to STORE.replaced;
//	   FSTORE has no numbers of states. Read; STORE.building and STORE.replaced are named in
//	   messages only (leftByOlder).
//	2  everything is in STORE: FSTORE has the number of its state, and which files wait for
//	   readers; the copy of Meta has the names of the tables. Read and written.
//
// Before it rises, testdata/stores of package cli keeps a store of the present version.
const (
	FormatVersion = 2
	oldestVersion = 1
)

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

	Fragments  []uint64 // stored, by order; index 0 is unused
	Templates  []uint64 // different ones of them, by order; nil where the space has none
	Candidates []uint64 // counted, by order
	Below      []uint64 // of them below MinSupport, by order
	WideHeads  uint64   // heads below which fragments lack, see index.Spanned

	Features       uint32 // largest feature id: the number of fragments
	VocabularyHash uint64
	Expansion      string // file with the expansion index, "" where there is none
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
type FileInfo struct {
	Name string
	Size int64
	Sum  uint64 // xxh3
}

// Event is one run that wrote to the store.
type Event struct {
	Command string // the command line
	Version string // of the program
	Seed    int64
	Time    int64 // unix seconds
	Inputs  []Input
	Decided string // the line that the run ended with
}

// Input is a file that a run read.
type Input struct {
	Name string
	Size int64
	Hash uint64 // xxh3
}

// Space returns the space with this ID, nil where there is none.
func (m *Meta) Space(id string) *SpaceInfo {
	for i := range m.Spaces {
		if m.Spaces[i].ID == id {
			return &m.Spaces[i]
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

// Selection returns the selection with this name, nil where there is none.
func (m *Meta) Selection(name string) *SelectionInfo {
	for i := range m.Selections {
		if m.Selections[i].Name == name {
			return &m.Selections[i]
		}
	}
	return nil
}

// Model returns the model with this name, nil where there is none.
func (m *Meta) Model(name string) *ModelInfo {
	for i := range m.Models {
		if m.Models[i].Name == name {
			return &m.Models[i]
		}
	}
	return nil
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

// recorded is how many samples Inputs has.
func (m *Meta) recorded() (n uint32) {
	for _, in := range m.Inputs {
		n += in.Samples
	}
	return n
}

// live are the places of the generational keys that m names.
func (m *Meta) live() map[place]bool {
	l := map[place]bool{}
	if m.LabelGeneration > 0 {
		l[place{KindLabel, m.LabelGeneration, 0}] = true
	}
	for _, s := range m.Spaces {
		l[place{KindFragment, s.Generation, s.Number}] = true
		l[place{KindRank, s.Generation, s.Number}] = true
	}
	for _, s := range m.Selections {
		l[place{KindSelection, s.Generation, s.Number}] = true
	}
	for _, d := range m.Models {
		l[place{KindModel, d.Generation, d.Number}] = true
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
func decodeMeta(dir string, b []byte) (*Meta, error) {
	m := new(Meta)
	if err := Unmarshal(b, m); err != nil {
		return nil, damaged(dir, "meta", err)
	}
	if err := checkVersion(dir, m.Version); err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, damaged(dir, "meta", err)
	}
	nameSpaces(m, spaces.Recorded)
	return m, nil
}

// check holds the invariants that the rest of the package relies on.
func (m *Meta) check() error {
	if m.Generation == 0 || m.Kind > index.Dependency {
		return malformed("generation or kind")
	}
	if m.Kind == index.Dependency && m.OneAlphabet {
		return malformed("dependency trees of one alphabet")
	}
	left := uint64(m.Samples)
	for _, in := range m.Inputs {
		if uint64(in.Samples) > left {
			return malformed("input %q", in.Name)
		}
		left -= uint64(in.Samples)
	}
	for i, s := range m.Spaces {
		if s.Number != uint32(i) || s.Generation == 0 || s.Generation > m.Generation {
			return malformed("space %q", s.ID)
		}
	}
	seen := map[place]bool{}
	for _, s := range m.Selections {
		p := place{KindSelection, s.Generation, s.Number}
		if s.Generation == 0 || s.Generation > m.Generation || int(s.Space) >= len(m.Spaces) || seen[p] {
			return malformed("selection %q", s.Name)
		}
		seen[p] = true
	}
	for _, d := range m.Models {
		p := place{KindModel, d.Generation, d.Number}
		if d.Generation == 0 || d.Generation > m.Generation || seen[p] {
			return malformed("model %q", d.Name)
		}
		seen[p] = true
	}
	names := m.files()
	for i, name := range names {
		if !isExpansionName(name) || len(m.Files) != len(names) || m.Files[i].Name != name {
			return malformed("file name %q", name)
		}
	}
	return nil
}

// checkVersion refuses what this package does not read.
func checkVersion(dir string, v uint32) error {
	switch {
	case v > FormatVersion:
		return &Error{Dir: dir, Kind: ErrVersion, Detail: fmt.Sprintf(
			"format %d, and this program reads formats %d to %d: use a newer fstore", v, oldestVersion, FormatVersion)}
	case v < oldestVersion:
		return olderVersion(dir, v, "fstore build "+dir+" INPUT… --overwrite")
	}
	return nil
}

// olderVersion is the refusal of a store that commands make again.
func olderVersion(dir string, v uint32, commands string) error {
	return &Error{Dir: dir, Kind: ErrVersion, Detail: fmt.Sprintf(
		"format %d, and this program reads formats %d to %d: make it again with: %s", v, oldestVersion, FormatVersion, commands)}
}
