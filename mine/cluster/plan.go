package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
	"fstore/store/runfile"
)

// planMeta describes the plan's file. For each part there is a section with the new ids of its symbols: one
// block for each class that is adopted (index.Symbols.Adopt), with four bytes for each id. Other sections
// have the symbols of all parts, and one block that says how often each production occurs.
type planMeta struct {
	planHead
	Samples     uint32
	Kind        index.Kind
	OneAlphabet bool
	Relabel     map[string]string // labels of parts that are spelled differently in the store, with that spelling
	Spaces      []plannedSpace
}

// planHead is the part of planMeta that Status reads.
type planHead struct{ Parts []plannedPart }

// plannedPart is the plan's record of a part.
type plannedPart struct {
	Sum    uint64 // checksum of the part's file
	First  uint32 // the id of its first sample
	Offset uint64 // sentences of the first piece's input that are in earlier parts
}

// plannedSpace says how the growth of a space is divided.
type plannedSpace struct {
	ID    string
	Wide  uint64      // number of heads where an option leaves out fragments, see index.Spanned
	Cuts  []place     // where the ranges of all tasks except the first begin
	Roots []grow.Root // some first steps, and about how often they occur
}

func idsName(part int) string { return fmt.Sprintf("ids-%05d", part) }

// Spelling returns the number that a label stands for; ok is false if the label is no number. Labels with the
// same number are one label.
type Spelling func(label string) (number float64, ok bool)

// Plan does the task between the tasks that read and those that grow. The result wrote is false if the plan
// was there already.
func (t *Task) Plan(ctx context.Context, number Spelling) (wrote bool, err error) {
	parts, err := t.openParts(nil)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, closeAll(parts)) }()
	return t.once(planName, func() (bool, error) { return t.planned(parts) }, func() error {
		p := &planner{t: t, ctx: ctx, parts: parts, syms: index.NewSymbols()}
		if err := p.number(number); err != nil {
			return err
		}
		if p.w, err = create(t.FS, t.Dir, planName, t.sum); err != nil {
			return err
		}
		if err := p.fill(); err != nil {
			return errors.Join(err, p.w.abort())
		}
		return p.w.finish(&p.meta)
	})
}

// planned says whether there is a whole plan for these parts.
func (t *Task) planned(parts []*part) (bool, error) {
	var m planMeta
	is, err := t.isDone(planName, &m)
	for i := range parts {
		is = is && i < len(m.Parts) && m.Parts[i].Sum == parts[i].sum
	}
	return is, err
}

// part is an open part file.
type part struct {
	*file
	meta partMeta
}

// openParts opens the files of all parts. If m is not nil, they must be the files from which that plan was
// made.
func (t *Task) openParts(m *planMeta) (all []*part, err error) {
	for i := range t.Job.Parts {
		p := &part{}
		if p.file, err = t.open(PartName(i+1), &p.meta); err != nil {
			return nil, errors.Join(err, closeAll(all))
		}
		all = append(all, p)
		if m != nil && (i >= len(m.Parts) || m.Parts[i].Sum != p.sum) {
			return nil, errors.Join(&Error{Dir: t.Dir, Kind: ErrOther, Detail: p.name + " is not what the plan was made of: run fstore cluster plan again"}, closeAll(all))
		}
	}
	return all, nil
}

func closeAll(parts []*part) (err error) {
	for _, p := range parts {
		err = errors.Join(err, p.close())
	}
	return err
}

// planner makes the plan.
type planner struct {
	t     *Task
	ctx   context.Context
	parts []*part
	w     *writer
	syms  *index.Symbols
	meta  planMeta
	occ   []uint64 // occurrences of productions
	pilot []byte   // trees with ids of syms, each after its length
	picks int      // number of trees in pilot
}

// The method number gives samples their ids and numbers. It also decides how labels are spelled.
func (p *planner) number(number Spelling) error {
	samples := uint64(0)
	sentences, input := 0, -1 // sentences so far in the present input
	for i, part := range p.parts {
		m := &part.meta
		planned := plannedPart{Sum: part.sum, First: uint32(samples)}
		pieces := p.t.Job.Parts[i]
		if len(m.Pieces) < len(pieces) {
			return part.damaged("it has other pieces than the job")
		}
		for k, piece := range pieces {
			if piece.Input != input {
				sentences, input = 0, piece.Input
			}
			if k == 0 {
				planned.Offset = uint64(sentences)
			}
			sentences += m.Pieces[k].Sentences
		}
		if m.Samples > 0 {
			if samples == 0 {
				p.meta.Kind, p.meta.OneAlphabet = m.Kind, m.OneAlphabet
			}
			x := index.Tree{Kind: m.Kind, OneAlphabet: m.OneAlphabet}
			if err := index.CheckSame(p.meta.Kind, p.meta.OneAlphabet, &x); err != nil {
				return &index.InputError{File: m.Inputs[0], Msg: err.Error()}
			}
		}
		p.meta.Parts = append(p.meta.Parts, planned)
		if samples += uint64(m.Samples); samples >= 1<<32-1 {
			return errors.New("too many samples for one store")
		}
	}
	if p.meta.Samples = uint32(samples); samples == 0 {
		return ErrNoSamples
	}
	return p.spell(number)
}

// ErrNoSamples says that no part has any sample.
var ErrNoSamples = errors.New("no samples")

// spell decides how labels are spelled: labels that stand for the same number all get the spelling of the
// first one. It returns a usage error if an option asked for labels or documents, and no sample has a label
// or a document.
func (p *planner) spell(number Spelling) error {
	p.meta.Relabel = map[string]string{}
	first := map[float64]string{}
	labelled, documented := false, false
	for _, part := range p.parts {
		documented = documented || part.meta.Documented
		err := part.blocks(labelSection, func(b []byte) error {
			labelled = true
			label := string(b)
			x, ok := number(label)
			if !ok {
				return nil
			}
			if as, ok := first[x]; !ok {
				first[x] = label
			} else if as != label {
				p.meta.Relabel[label] = as
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, part := range p.parts {
		of := part.meta.MissingOption
		if strings.HasPrefix(of, "label") && !labelled || of == "document-from" && !documented {
			return index.Usagef("%s", part.meta.Missing)
		}
	}
	return nil
}

// fill writes the sections.
func (p *planner) fill() error {
	spaces, err := p.t.Choice.ForNew(p.meta.Kind)
	if err != nil {
		return err
	}
	p.t.Progress.Step("plan", "samples", int64(p.meta.Samples))
	for i := range p.parts {
		if err := p.adopt(i, spaces); err != nil {
			return err
		}
	}
	writeSymbols(p.w, p.syms)
	p.w.begin(occurrenceSection)
	p.w.block(appendOccurrences(nil, p.occ))
	for i, s := range spaces {
		planned := plannedSpace{ID: s.Space.ID()}
		for _, part := range p.parts {
			if i < len(part.meta.Wide) {
				planned.Wide += part.meta.Wide[i]
			}
		}
		if err := p.divide(s, &planned); err != nil {
			return fmt.Errorf("space %s: %w", planned.ID, err)
		}
		p.meta.Spaces = append(p.meta.Spaces, planned)
	}
	return nil
}

// adopt adopts the symbols of a part. It does not adopt features: each space interns them again from the
// novel samples of the part. The novel samples suffice, because a feature that is new in the plan is also new
// in its part.
func (p *planner) adopt(i int, spaces []grow.SpaceLimits) error {
	part := p.parts[i]
	local, err := part.symbols()
	if err != nil {
		return err
	}
	ids := p.syms.Adopt(local)
	p.w.begin(idsName(i + 1))
	for c := range index.Features {
		b, err := binary.Append(nil, binary.LittleEndian, ids[c])
		if err != nil {
			return err
		}
		p.w.block(b)
	}
	p.occ = append(p.occ, make([]uint64, p.syms.Len(index.Productions)+1-len(p.occ))...)
	err = part.occurrences(func(id int, n uint64) error {
		if id >= len(ids[index.Productions]) {
			return part.damaged("section " + occurrenceSection)
		}
		p.occ[ids[index.Productions][id]] += n
		return nil
	})
	if err != nil {
		return err
	}
	every := (p.meta.Samples + mostPilot - 1) / mostPilot
	id := p.meta.Parts[i].First
	var moved []byte
	var t index.Tree
	return part.samples(func(head, tree []byte) error {
		picked, novel := id%every == 0, len(head) > 0 && head[0]&isNovel != 0
		if id++; id&0xFFF == 0 {
			p.t.Progress.Add(0x1000)
			if err := p.ctx.Err(); err != nil {
				return err
			}
		}
		if !picked && !novel {
			return nil
		}
		if moved, err = ids.AppendTree(moved[:0], tree, p.syms); err != nil {
			return part.damaged(err.Error())
		}
		if picked {
			p.pilot = runfile.AppendBlock(p.pilot, moved)
			p.picks++
		}
		if !novel {
			return nil
		}
		if err := index.DecodeTree(moved, p.syms, &t); err != nil {
			return part.damaged(err.Error())
		}
		for _, s := range spaces {
			index.Prepare(s.Space, &t, p.syms)
		}
		return nil
	})
}

// plan is an open plan file, with the part files from which it was made.
type plan struct {
	*file
	meta  planMeta
	parts []*part
}

// openPlan opens the plan and the parts.
func (t *Task) openPlan() (*plan, error) {
	p := &plan{}
	var err error
	if p.file, err = t.open(planName, &p.meta); err != nil {
		return nil, err
	}
	if p.parts, err = t.openParts(&p.meta); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *plan) close() error { return errors.Join(p.file.close(), closeAll(p.parts)) }

// The method ids returns the renumbering from symbol ids of a part to symbol ids of the plan.
func (p *plan) ids(part int) (*index.Renumbering, error) {
	var r index.Renumbering
	c := index.Labels
	err := p.blocks(idsName(part), func(b []byte) error {
		if c >= index.Features || len(b) < 4 {
			return p.damaged("ids of part " + fmt.Sprint(part))
		}
		r[c] = make([]uint32, len(b)/4)
		_, err := binary.Decode(b, binary.LittleEndian, r[c])
		c++
		return err
	})
	if err == nil && c < index.Features {
		err = p.damaged("ids of part " + fmt.Sprint(part))
	}
	return &r, err
}

// spaces returns the spaces of the plan.
func (t *Task) spaces(p *plan) ([]grow.SpaceLimits, error) {
	spaces, err := t.Choice.ForNew(p.meta.Kind)
	if err != nil {
		return nil, err
	}
	if len(spaces) != len(p.meta.Spaces) {
		return nil, &Error{Dir: t.Dir, Kind: store.ErrDamaged, Detail: "the plan is of other spaces"}
	}
	return spaces, nil
}
