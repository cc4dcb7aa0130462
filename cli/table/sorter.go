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

// Sorter sorts rows by one column, with unset cells last. Rows with equal cells are sorted by a text column,
// and then in the order of Add. With a limit, it holds at most 2·limit + slack rows at a time. Rows that do
// not fit into Spill.Budget go to files.
//
// Rows are stored as records. A record begins with a key, and the keys sort like the rows. A row with four
// short columns and a text of 40 bytes takes some 100 bytes.
type Sorter struct {
	order   Order
	tie     int // the text column that decides between equal rows; -1: none
	limit   int // the number of rows to keep; 0: all
	columns int
	tail    bool // keep the last rows, not the first
	spill   Spill

	all    *runfile.Sorter // sorts the records
	rows   int             // number of records in all
	bytes  int             // total length of the records in all
	kept   int             // total length of the records kept at the last cut
	cuts   int
	floor  entry // the entry of the last row kept at the last cut
	full   bool  // floor is set
	best   best  // for AdmitsRank
	record []byte
}

// Spill says where a Sorter puts rows that do not fit into memory. The directories Dir-0, Dir-1 and so on
// must not exist before. Sorter.Rows and Sorter.Close remove them.
type Spill struct {
	FS     vfs.FS
	Dir    string
	Budget int // bytes of memory, twice as much during a cut; 0 is 128 MiB
}

// entry is the cell that a row is sorted by, as a number. A row with a smaller entry comes first. For a text,
// the entry has its first eight bytes.
type entry struct {
	key  uint64
	last bool // the cell is unset: the row comes last
}

const (
	// Add calls the method `cut` at 2·limit + slack rows, or at 2·kept + slackBytes bytes.
	slack      = 4096
	slackBytes = 4 << 20
	// defaultBudget is enough memory for a list of a million fragments.
	defaultBudget = 128 << 20
)

// NewSorter returns an empty sorter for rows of n columns. It keeps `limit` rows (0: all), and sorts equal
// rows by the text column `tie` (-1: none).
func NewSorter(n int, order Order, tie, limit int, spill Spill) *Sorter {
	spill.Budget = cmp.Or(spill.Budget, defaultBudget)
	s := &Sorter{order: order, tie: tie, limit: limit, columns: n, spill: spill}
	s.all = s.empty()
	return s
}

// NewTailSorter is like NewSorter, but keeps the last rows.
func NewTailSorter(n int, order Order, tie, limit int, spill Spill) *Sorter {
	s := NewSorter(n, order, tie, limit, spill)
	s.tail = true
	return s
}

// empty returns a new sorter of records, with a new directory.
func (s *Sorter) empty() *runfile.Sorter {
	dir := &runfile.Dir{FS: s.spill.FS, Path: fmt.Sprintf("%s-%d", s.spill.Dir, s.cuts)}
	return runfile.NewSorter(dir, runfile.SortOptions{Key: keyOf, Budget: s.spill.Budget})
}

// Admits reports whether a row can still be kept. It looks only at the cell in the sorted column, so callers
// can ask before they fill the other cells.
func (s *Sorter) Admits(r *Row) bool {
	if !s.full {
		return true
	}
	return s.turn(cmpKey(s.entry(r), s.floor)) <= 0
}

// turn reverses the result of a comparison if the sorter keeps the last rows.
func (s *Sorter) turn(c int) int {
	if s.tail {
		return -c
	}
	return c
}

// Add adds a copy of a row.
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

// appendRecord appends the record of r, see record.go.
func (s *Sorter) appendRecord(dst []byte, e entry, r *Row) []byte {
	from := len(dst)
	dst = append(dst, make([]byte, keyAt)...)
	switch c := r.cells[s.order.Column]; {
	case e.last:
		dst = append(dst, 0xFF)
	case c.kind != Text:
		dst = appendNumberKey(dst, e.key, s.order.Descending)
	case s.order.Column == s.tie && !s.order.Descending:
		dst = append(dst, 0) // the text of column s.tie follows
	default:
		dst = appendTextKey(append(dst, 0), r.Text(s.order.Column), s.order.Descending)
	}
	if s.tie >= 0 {
		dst = append(dst, r.Text(s.tie)...)
	}
	binary.LittleEndian.PutUint32(dst[from:], uint32(len(dst)-from-keyAt))
	return pack(dst, r, s.tie)
}

// Rows calls f for each kept row, in order. All calls get the same Row, refilled. Rows can be called only
// once.
func (s *Sorter) Rows(f func(*Row) error) error {
	r := NewRow(s.columns)
	return s.each(func(_ int, record []byte) error {
		unpack(record, r)
		return f(r)
	})
}

// each calls f for each record that is kept, in order. After that, s.all cannot be used any more.
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

// Close removes files that Rows has not removed. It can be called at any time.
func (s *Sorter) Close() error { return s.all.Close() }

// cut keeps the first s.limit rows (the last ones if s.tail is set), and removes the others.
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

// entry returns the entry of r. Descending keys are inverted, so a smaller key always sorts first.
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
			key = 0 // -0 equals 0
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

// AdmitsRank is like Admits, but also compares texts, by their rank among all texts. The row itself needs no
// text. Call AdmitsRank once for each row, before Add. There must be a limit.
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

type ranked struct {
	entry
	rank uint32
}

func (e ranked) compare(x ranked) int {
	return cmp.Or(cmpKey(e.entry, x.entry), cmp.Compare(e.rank, x.rank))
}

// best is a heap of the best rows so far, with the worst of these rows on top.
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

// Order says what rows are sorted by.
type Order struct {
	Column     int
	Descending bool
}

// ParseOrder parses the value of --sort: the name of a column, optionally with :asc or :desc. By default,
// numbers are sorted descending and texts ascending.
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

// Unknown returns the message that no column has this name. It suggests a similar name and lists all columns.
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

// Aliases maps other names of columns to the names in tables.
var Aliases = map[string]string{"freq": "occurrences"}

func unalias(name string) string { return cmp.Or(Aliases[name], name) }
