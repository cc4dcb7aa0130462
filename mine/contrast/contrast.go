package contrast

import (
	"fstore/mine/association"
	"fstore/mine/query"
	"fstore/store/runfile"
)

// Side is one of the two corpora.
type Side struct {
	Label   string // "" stands for every sample without the other side's label
	Samples uint64
	N       uint64 // the size of the side, in units of Options.Per
}

// Row is a fragment or a construction with its frequencies in both corpora. [Contrast.Each] reuses one Row.
type Row struct {
	*query.Row
	Name         string // the name of a construction, which has no Code and no Order
	FreqA, FreqB uint64 // the frequencies in A and B, in units of Options.Count
	DocsA, DocsB uint64 // the numbers of documents with the fragment; 0 if the store has no documents
	*Measures

	members *members
	count   *counter
	of      *Contrast // the contrast that keeps the row in memory; nil after Settle
	place   uint32    // 1 + the index of the row in that contrast
}

// Dispersion says how a fragment's hits are spread over the documents of A or, if `ofB` is set, of B. The
// unit of hits is Options.Count. Call Dispersion before the next row is read. With Options.Brief, only rows
// of Recall have a dispersion.
func (r *Row) Dispersion(ofB bool) association.Dispersion {
	if ofB {
		return r.count.b.dispersion(&r.count.s.b)
	}
	return r.count.a.dispersion(&r.count.s.a)
}

// EachMember calls f for the other fragments of the row, the highest order first, then by text. It can be
// called once per row. Without Options.Members it does nothing.
func (r *Row) EachMember(f func(*Member) error) error {
	if r.members == nil {
		return nil
	}
	return r.members.each(r.ID, f)
}

// Contrast is a comparison whose rows can be read. It is for one goroutine.
type Contrast struct {
	Options   Options // with the defaults filled in
	A, B      Side
	Both      uint64 // the number of samples that are in both corpora; they count in both
	Fragments uint64 // the number of fragments that occur on a side and are in at least MinDocs documents
	Few       uint64 // the number of fragments that occur on a side, but in fewer documents than MinDocs
	MinDocs   uint64 // how many documents of both sides together a fragment must be in; 0: no limit
	Known     uint64 // the number of fragments of the reference that are stored
	Rows      uint64 // the number of rows, each of which is one test
	Tests     uint64 // the number of tests to which p-values are adjusted: of this contrast, or of all labels
	Documents bool   // whether the store has documents
	// BothDocuments is the number of documents with samples on both sides. WithoutDocument is the number of
	// samples of A or B without a document. The document test leaves out both.
	BothDocuments, WithoutDocument uint64
	// Permutations is the number of permutations of the document test. AllDivisions says whether these are
	// all that exist.
	Permutations int
	AllDivisions bool

	// Shares says whether a side's frequencies are shares of its size, such as sentences with a fragment
	// among all sentences. Then G², X² and odds ratio come from 2×2 tables. NewEach sets Shares for all its
	// contrasts or for none.
	Shares bool

	t        *query.Table
	count    *counter
	ids      []uint32
	counts   []uint32
	places   []uint32
	inUnit   []byte
	known    uint64  // fragments of the last reading that the reference has
	few      uint64  // fragments of the last reading that are in too few documents
	chosen   idSet   // fragments that have a row; nil: every fragment
	kept     kept    // fragments in memory, for Options.Brief
	held     *groups // used instead of kept if the store keeps groups in memory, else nil
	heldRows []heldRow
	mayBe    []query.Row     // scratch of Settle
	members  *runfile.Sorter // members of the rows; nil without Options.Members
	times    map[pair]uint64 // number of rows with each pair of frequencies; nil once measures is set
	measures map[pair]*Measures
	tested   *tested // the p-values of the document test; nil: p-values are in measures
}

// lookEvery is how many fragments are read between two reports of progress.
const lookEvery = 4096

// Close removes the files of a contrast with Options.Members. Without Members it does nothing.
func (c *Contrast) Close() error {
	if c.members == nil {
		return nil
	}
	return c.members.Close()
}
