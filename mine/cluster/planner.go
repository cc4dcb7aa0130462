package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store/runfile"
)

// Spelling returns the number that a label stands for, and whether the label is a number. Labels with the
// same number are one label.
type Spelling func(label string) (number float64, ok bool)

// Plan does the task that follows all Read tasks and comes before all Grow tasks. It returns false if the
// plan existed already.
func (t *Task) Plan(ctx context.Context, number Spelling) (wrote bool, err error) {
	parts, err := t.openParts(nil)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, closeAll(parts)) }()
	return t.once(planName, func() (bool, error) { return t.isPlanned(parts) }, func() error {
		p := &planner{t: t, ctx: ctx, parts: parts, syms: index.NewSymbols()}
		if err := p.numberSamples(number); err != nil {
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

// isPlanned says whether there is an undamaged plan for these parts.
func (t *Task) isPlanned(parts []*partFile) (bool, error) {
	var m planMeta
	is, err := t.isDone(planName, &m)
	for i := range parts {
		is = is && i < len(m.Parts) && m.Parts[i].Sum == parts[i].sum
	}
	return is, err
}

type planner struct {
	t     *Task
	ctx   context.Context
	parts []*partFile
	w     *writer
	syms  *index.Symbols
	meta  planMeta
	occ   []uint64 // occurrences of productions
	pilot []byte   // trees with ids of syms, each after its length
	picks int      // number of trees in pilot
}

// numberSamples computes First and Offset of each plannedPart. It also decides how labels are spelled.
func (p *planner) numberSamples(number Spelling) error {
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

// spell fills p.meta.Relabel. It returns a usage error if an option asked for labels or documents, but no
// sample has any.
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

// adopt adds the symbols and features of part i to the plan. Only samples with the flag isNovel have new
// features.
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

// divide divides the growth of a space into the ranges of the tasks.
func (p *planner) divide(s grow.SpaceLimits, planned *plannedSpace) error {
	v, err := p.pilotOf(s)
	if err != nil {
		return err
	}
	scale := uint64(p.meta.Samples) / max(uint64(v.trees), 1)
	for _, first := range slices.Sorted(maps.Keys(v.occ)) {
		planned.Roots = append(planned.Roots, grow.Root{Step: index.Unpack(first), Occ: v.occ[first] * max(scale, 1)})
	}
	planned.Cuts = cut(v.weight, p.t.Job.Ranges, grow.Divisible(s.Space))
	return nil
}

// pilotOf grows the fragments of as many of the plan's trees as can be grown quickly.
func (p *planner) pilotOf(s grow.SpaceLimits) (*pilot, error) {
	for n := min(p.picks, fewPilot); ; n /= 2 {
		v, err := p.grow(s, n, mostVisited)
		if errors.Is(err, errEnough) && n > 1 {
			continue
		}
		if err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
		more := min(uint64(p.picks), uint64(n)*(mostVisited/4)/uint64(max(mostVisited-v.left, 1)))
		if more <= 2*uint64(n) || err != nil {
			return v, nil
		}
		if w, err := p.grow(s, int(more), 4*mostVisited); err == nil {
			return w, nil
		}
		return v, nil
	}
}

// grow grows n of the plan's trees, evenly chosen. After more than maxVisits fragments it returns errEnough.
func (p *planner) grow(s grow.SpaceLimits, n, maxVisits int) (*pilot, error) {
	v := &pilot{trees: n, occ: map[uint64]uint64{}, weight: map[rangeStart]uint64{}, left: maxVisits}
	l := s.Limits
	l.NoSamples = true
	if uint32(n) < p.meta.Samples {
		l.MinSupport = uint32(max(2, uint64(l.MinSupport)*uint64(n)/uint64(p.meta.Samples)))
	}
	items := s.Space.NewItems(p.syms)
	var t index.Tree
	rest := p.pilot
	for i := range p.picks {
		var tree []byte
		tree, rest, _ = runfile.CutBlock(rest)
		if i*n/p.picks == (i+1)*n/p.picks { // this tree is not chosen
			continue
		}
		if err := index.DecodeTree(tree, p.syms, &t); err != nil {
			return nil, err
		}
		items.Add(uint32(i), &t, index.All, l)
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
	}
	items.Seal()
	_, err := items.Grow(index.All, index.Weights{}, l, v)
	return v, err
}
