package table

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store/runfile"
)

// Sorter puts rows in order: by one column, unset cells last, then by a text
// column ascending, then as they came. With a limit it keeps at most twice as
// many rows (and some thousand), however many are added. What is more than the
// budget of its Spill goes to files.
//
// A row is a record, which begins with a key: the order of keys is that of rows. A
// row of four small columns and a text of 40 bytes costs some 100 bytes.
type Sorter struct {
	order   Order
	tie     int // text column, -1: none
	limit   int // 0: none
	columns int
	tail    bool // keeps the last rows of the order instead
	spill   Spill

	all    *runfile.Sorter // of records
	rows   int             // in it
	bytes  int             // of them
	kept   int             // bytes after the last cut
	cuts   int
	floor  entry // of the last row that was kept at the last cut
	full   bool  // there was one
	best   best  // of AdmitsRank
	record []byte
}

// Spill is where a Sorter puts the rows that it cannot keep: a directory that does
// not exist, and is gone after Rows or Close.
type Spill struct {
	FS     vfs.FS
	Dir    string
	Budget int // bytes of memory, twice that while rows are cut; 0 is 128 MiB
}

// entry is the number in the column sorted by, or the first eight bytes of the text, such that its
// order is the rows'.
type entry struct {
	key  uint64
	last bool // unset: after all others
}

const (
	// slack is how many rows are kept beyond twice the limit before they are cut, and
	// slackBytes how much memory beyond twice that of the rows after the last cut.
	slack      = 4096
	slackBytes = 4 << 20
	// defaultBudget holds a million rows of a listing.
	defaultBudget = 128 << 20
)

// NewSorter returns an empty sorter for rows of n columns that keeps the first
// limit, 0 for all; tie is the column that decides between equals, -1 for none.
func NewSorter(n int, order Order, tie, limit int, spill Spill) *Sorter {
	spill.Budget = cmp.Or(spill.Budget, defaultBudget)
	s := &Sorter{order: order, tie: tie, limit: limit, columns: n, spill: spill}
	s.all = s.empty()
	return s
}

// NewTailSorter is NewSorter that keeps the last limit rows.
func NewTailSorter(n int, order Order, tie, limit int, spill Spill) *Sorter {
	s := NewSorter(n, order, tie, limit, spill)
	s.tail = true
	return s
}

// empty returns a sorter of records. Its files are not where those of the one before are.
func (s *Sorter) empty() *runfile.Sorter {
	dir := &runfile.Dir{FS: s.spill.FS, Path: fmt.Sprintf("%s-%d", s.spill.Dir, s.cuts)}
	return runfile.NewSorter(dir, runfile.SortOptions{Key: keyOf, Budget: s.spill.Budget})
}

// Admits says whether a row with this cell in the column sorted by can still come
// among the rows kept. It reads no other cell, so that a caller can ask before
// it renders the rest.
func (s *Sorter) Admits(r *Row) bool {
	if !s.full {
		return true
	}
	return s.turn(cmpKey(s.entry(r), s.floor)) <= 0
}

// turn is a comparison, turned round where the last rows come first.
func (s *Sorter) turn(c int) int {
	if s.tail {
		return -c
	}
	return c
}

// Add copies a row.
func (s *Sorter) Add(r *Row) error {
	s.record = s.appendRecord(s.record[:0], s.entry(r), r)
	if err := s.all.Add(s.record); err != nil {
		return err
	}
	s.rows++
	s.bytes += len(s.record)
	if s.limit > 0 && (s.rows >= 2*s.limit+slack || s.rows > s.limit && s.bytes >= 2*s.kept+slackBytes) {
		return s.cut()
	}
	return nil
}

// Rows calls f for the rows in order, in one Row that it refills. It can be
// called once.
func (s *Sorter) Rows(f func(*Row) error) error {
	r := NewRow(s.columns)
	return s.each(func(_ int, record []byte) error {
		unpack(record, r)
		return f(r)
	})
}

// each calls f for the records to be kept, in order: it is the end of s.all.
func (s *Sorter) each(f func(i int, record []byte) error) error {
	it, err := s.all.Sort()
	if err != nil {
		return err
	}
	from, to := 0, s.rows
	switch {
	case s.limit == 0:
	case s.tail:
		from = max(0, to-s.limit)
	default:
		to = min(to, s.limit)
	}
	for i := 0; i < to && err == nil && it.Next(); i++ {
		if i >= from {
			err = f(i-from, it.Value())
		}
	}
	return errors.Join(err, it.Close())
}

// Close removes files that Rows has not removed; it may be called at any time.
func (s *Sorter) Close() error { return s.all.Close() }

// cut keeps limit rows.
func (s *Sorter) cut() error {
	worst := s.limit - 1
	if s.tail {
		worst = 0
	}
	s.cuts++
	kept := s.empty()
	s.kept = 0
	err := s.each(func(i int, record []byte) error {
		if i == worst {
			r := NewRow(s.columns)
			unpack(record, r)
			s.floor, s.full = s.entry(r), true
		}
		s.kept += len(record)
		return kept.Add(record)
	})
	s.all, s.rows, s.bytes = kept, s.limit, s.kept
	return err
}

func cmpKey(a, b entry) int {
	if a.last != b.last {
		if a.last {
			return 1
		}
		return -1
	}
	return cmp.Compare(a.key, b.key)
}

// entry makes the key of r: unsigned, ascending in print order.
func (s *Sorter) entry(r *Row) entry {
	c := r.cells[s.order.Column]
	key := c.bits
	switch {
	case !c.set:
		return entry{last: true}
	case c.kind == Text:
		var head [8]byte
		copy(head[:], r.Text(s.order.Column))
		key = binary.BigEndian.Uint64(head[:])
	case c.kind == Int:
		key ^= 1 << 63
	case c.kind == Float:
		if math.IsNaN(math.Float64frombits(key)) {
			return entry{last: true}
		}
		if key == 1<<63 {
			key = 0 // -0 is 0
		}
		if key>>63 != 0 {
			key = ^key
		} else {
			key |= 1 << 63
		}
	}
	if s.order.Descending {
		key = ^key
	}
	return entry{key: key}
}

// AdmitsRank says whether a row can still be one of the rows kept. It does more than Admits: rank is the
// place of the row's text among all texts, so it decides between rows that are equal but for their texts,
// and the caller need not make these. Ask it once of each row that Add may get, and only with a limit.
// Rows that are sorted by their texts need no cell for it.
func (s *Sorter) AdmitsRank(r *Row, rank uint32) bool {
	e := ranked{entry{key: uint64(rank)}, rank}
	switch {
	case s.order.Column != s.tie:
		e.entry = s.entry(r)
	case s.order.Descending:
		e.key = ^e.key
	}
	if len(s.best.all) < s.limit {
		s.best.tail = s.tail
		heap.Push(&s.best, e)
		return true
	}
	if s.turn(e.compare(s.best.all[0])) > 0 {
		return false
	}
	s.best.all[0] = e
	heap.Fix(&s.best, 0)
	return true
}

// ranked is an entry with the rank of its text.
type ranked struct {
	entry
	rank uint32
}

func (e ranked) compare(x ranked) int {
	return cmp.Or(cmpKey(e.entry, x.entry), cmp.Compare(e.rank, x.rank))
}

// best are the best rows so far, the worst of them first.
type best struct {
	all  []ranked
	tail bool
}

func (b *best) Len() int { return len(b.all) }

func (b *best) Less(i, j int) bool {
	if b.tail {
		i, j = j, i
	}
	return b.all[i].compare(b.all[j]) > 0
}

func (b *best) Swap(i, j int) { b.all[i], b.all[j] = b.all[j], b.all[i] }
func (b *best) Push(x any)    { b.all = append(b.all, x.(ranked)) }

func (b *best) Pop() any {
	n := len(b.all) - 1
	x := b.all[n]
	b.all = b.all[:n]
	return x
}

// Order is what rows are sorted by.
type Order struct {
	Column     int
	Descending bool
}

// ParseOrder reads --sort: the name of a column, numbers descending and text
// ascending, or the name with :asc or :desc. A column that is named exactly so
// comes first.
func ParseOrder(spec string, columns []Column) (Order, error) {
	spec = unalias(spec)
	if i := Index(columns, spec); i >= 0 {
		return Order{i, columns[i].Kind != Text}, nil
	}
	name, descending := strings.CutSuffix(spec, ":desc")
	if !descending {
		name, _ = strings.CutSuffix(spec, ":asc")
	}
	if i := Index(columns, unalias(name)); i >= 0 && name != spec {
		return Order{i, descending}, nil
	}
	return Order{}, index.Usagef("--sort %s: %s", spec, Unknown(name, columns))
}

// Unknown says that no column has a name, which one may be meant, and which there are. A column that
// an expression has as by["LABEL"] is support:LABEL elsewhere.
func Unknown(name string, columns []Column) string {
	names, meant := make([]string, len(columns)), name
	for i, c := range columns {
		names[i] = c.Name
	}
	if label, ok := strings.CutPrefix(name, "by["); ok {
		meant = "support:" + strings.Trim(label, `"'[]`)
	}
	hint := cmp.Or(index.FormHint(meant, names), index.DidYouMean(meant, names))
	return "unknown column " + name + hint + " (columns: " + strings.Join(names, ", ") + ")"
}

// Aliases are other names of columns.
var Aliases = map[string]string{"freq": "occurrences"}

// unalias is the column that name stands for.
func unalias(name string) string { return cmp.Or(Aliases[name], name) }
