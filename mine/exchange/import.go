package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/exchange/portable"
	"fstore/mine/query"
	"fstore/mine/recount"
	"fstore/mine/selection"
	"fstore/store"
)

// ImportOptions say what Import does. The zero value of a field is its default.
type ImportOptions struct {
	Name      string // the name of the selection
	Overwrite bool   // whether to replace a selection that already has the name
	// Space is the name or ID of the space of a list of fragments; "" means the only space of the store. A
	// file that Export wrote names its own space.
	Space string
	// SkipAbsent leaves out fragments with a symbol that no sample has. Otherwise they are bad input.
	SkipAbsent bool
	// NFC converts the fragments to Unicode form NFC before they are looked up.
	NFC bool

	Progress index.Progress // nil reports nothing
}

// Imported reports what Import did. Decided says it in one line.
type Imported struct {
	Fragments uint32
	Absent    int // fragments that were left out, see SkipAbsent
	Twice     int // lines that repeat a fragment
	Decided   string
}

// Import makes a selection from a file that Export wrote, or from a list of fragments (see package portable).
// It puts the selection into w.Meta. It counts support and occurrences in the store's trees. Other statistics
// come from the file, or are 0. Import needs memory for the whole file. Bad input is an *index.InputError
// that names the file.
func Import(ctx context.Context, w *store.Writer, r io.Reader, file string, o ImportOptions) (*Imported, error) {
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
	if err := selection.CheckName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return nil, err
	}
	m := &importing{ctx: ctx, o: &o, w: w, file: file}
	err := m.run(r)
	return &m.out, err
}

type importing struct {
	ctx   context.Context
	o     *ImportOptions
	w     *store.Writer
	file  string
	space index.Space
	info  store.SelectionInfo
	added int // how many of the statistics come before the file's own statistics
	all   []store.Entry
	out   Imported
}

func (m *importing) run(r io.Reader) error {
	x, err := portable.NewReader(r, m.file)
	if err != nil {
		return err
	}
	if err := m.describe(x.Header); err != nil {
		return err
	}
	if err := m.read(x); err != nil {
		return err
	}
	if err := m.count(); err != nil {
		return err
	}
	err = selection.WriteAll(m.ctx, m.w, m.space, m.info, m.all)
	m.out.Fragments = uint32(len(m.all))
	m.out.Decided = fmt.Sprintf("selection %s from %s: %s of space %s", m.o.Name, m.file, index.Plural(len(m.all), "fragment"), m.space.ID())
	if m.out.Absent > 0 {
		m.out.Decided += fmt.Sprintf("; %s that no sample can have left out", index.Thousands(m.out.Absent))
	}
	if m.out.Twice > 0 {
		m.out.Decided += fmt.Sprintf("; %s there already", index.Thousands(m.out.Twice))
	}
	m.out.Decided += m.unfound()
	if len(x.Unread) > 0 {
		m.out.Decided += fmt.Sprintf("; %s of a table not read (what fstore export writes has them)", strings.Join(x.Unread, " and "))
	}
	return err
}

// describe sets the space and the info of the new selection. The header h is nil if the file is a list.
func (m *importing) describe(h *portable.Header) error {
	name := m.o.Space
	if h != nil {
		if name != "" {
			if _, err := spaces.Parse(name); err != nil {
				return fmt.Errorf("%w: %w", query.ErrNoSpace, err)
			}
			if id := spaces.Recorded(h.Space); len(spaces.Named(name, []string{id})) == 0 {
				return index.Usagef("%s is of space %s, not %s", m.file, id, name)
			}
		}
		name = spaces.RecordID(spaces.Recorded(h.Space))
	}
	space, info, err := query.SpaceOf(m.w.Store(), name)
	if err != nil {
		return err
	}
	m.space = space
	m.info = store.SelectionInfo{
		Name: m.o.Name, Space: info.Number, By: "list",
		Columns: []string{query.SupportColumn, query.OccurrencesColumn}, Settings: map[string]string{},
	}
	if h != nil {
		m.info.By, m.info.Columns = h.By, h.Columns
		m.info.Settings = h.Settings
	}
	m.info.Settings[selection.ImportedSetting] = m.file
	m.info.Settings[query.SamplesSetting] = strconv.FormatUint(uint64(m.w.Meta().Samples), 10)
	counted := []string{query.SupportColumn, query.OccurrencesColumn}
	if !slices.ContainsFunc(m.info.Columns, func(c string) bool { return slices.Contains(counted, c) }) {
		m.info.Columns = append(counted, m.info.Columns...)
		m.added = len(counted)
	}
	if c := m.info.Columns; len(c) < 2 || c[0] != query.SupportColumn || c[1] != query.OccurrencesColumn {
		return &index.InputError{File: m.file, Fatal: true, Msg: "the first statistics are not support and occurrences"}
	}
	return nil
}

// read reads the fragments, sorts them and removes duplicates.
func (m *importing) read(x *portable.Reader) error {
	m.o.Progress.Step("read", "fragments", 0)
	for n := 0; ; n++ {
		if n&0xFFF == 0 {
			if err := m.ctx.Err(); err != nil {
				return err
			}
			m.o.Progress.Add(0x1000)
		}
		row, err := x.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if m.o.NFC {
			row.Fragment = norm.NFC.String(row.Fragment)
		}
		c, err := m.space.ParseText(row.Fragment, m.w.Symbols())
		switch {
		case errors.Is(err, index.ErrAbsent) && m.o.SkipAbsent:
			m.out.Absent++
			continue
		case errors.Is(err, index.ErrAbsent):
			return x.Bad(row.Fragment + ": the space has no such label, word or production" + m.otherForm(row.Fragment) + " (--skip-absent leaves such fragments out)")
		case err != nil && x.Header == nil && (row.Fragment == "fragment" || strings.Contains(row.Fragment, "\t") || strings.HasPrefix(row.Fragment, `"`)):
			return x.Bad(fmt.Sprintf("%s: %v (a table is imported whole, with the header that names its columns)", row.Fragment, err))
		case err != nil:
			return x.Bad(fmt.Sprintf("%s: %v", row.Fragment, err))
		}
		stats := make([]float64, len(m.info.Columns))
		copy(stats[m.added:], row.Stats)
		m.all = append(m.all, store.Entry{Code: c, Score: row.Score, Weight: row.Weight, Stats: stats})
	}
	if len(m.all) == 0 && m.out.Absent == 0 && x.Header == nil {
		return &index.InputError{File: m.file, Fatal: true, Msg: "no fragments"}
	}
	slices.SortStableFunc(m.all, func(a, b store.Entry) int { return slices.Compare(a.Code, b.Code) })
	before := len(m.all)
	m.all = slices.CompactFunc(m.all, func(a, b store.Entry) bool { return string(a.Code) == string(b.Code) })
	m.out.Twice = before - len(m.all)
	return nil
}

// unfound says how many fragments are in no sample, and which occurrences were not counted.
func (m *importing) unfound() (text string) {
	none := 0
	for i := range m.all {
		if m.all[i].Stats[0] == 0 {
			none++
		}
	}
	if none > 0 {
		text = fmt.Sprintf("; %s of support 0", index.Thousands(none))
	}
	spanned, ok := m.space.(index.Spanned)
	if ok && m.w.Meta().Spaces[m.info.Space].WideHeads > 0 {
		option, _ := spanned.Span()
		text += "; the counts leave out dependents further apart than " + option
	}
	return text
}

// count sets the support and the occurrences of each fragment, from the stored samples.
func (m *importing) count() error {
	x, err := selection.ExpansionOf(m.space, m.w.Symbols(), func(f func(index.Code) error) error {
		m.o.Progress.Step("index", "fragments", int64(len(m.all)))
		for i := range m.all {
			if i&0xFFF == 0 {
				m.o.Progress.Add(0x1000)
			}
			if err := f(m.all[i].Code); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	n, err := (&recount.Run{
		St: m.w.Store(), Space: m.space, Syms: m.w.Symbols(), X: x,
		Samples: m.w.Meta().Samples, Workers: runtime.GOMAXPROCS(0), Progress: m.o.Progress,
	}).Count(m.ctx)
	for i := range m.all {
		m.all[i].Stats[0], m.all[i].Stats[1] = float64(n.Support[i]), n.Occurrences[i]
	}
	return err
}

// otherForm returns a hint if the space has the fragment in another Unicode form, because users cannot see
// the difference.
func (m *importing) otherForm(text string) string {
	for _, form := range [...]norm.Form{norm.NFC, norm.NFD} {
		other := form.String(text)
		if _, err := m.space.ParseText(other, m.w.Symbols()); err == nil && other != text {
			return index.FormHint(text, []string{other})
		}
	}
	return ""
}
