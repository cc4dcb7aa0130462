package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// planMeta describes the file of the plan, which has:
//   - the plan's ids of each part's symbols
//   - the symbols of all parts
//   - how often each production occurs
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

// plannedPart describes a part in the plan.
type plannedPart struct {
	Sum    uint64 // checksum of the part's file
	First  uint32 // the id of its first sample
	Offset uint64 // sentences of the first piece's input that are in earlier parts
}

func idsName(part int) string { return fmt.Sprintf("ids-%05d", part) }

// openParts opens the files of all parts. If m is given, but was made from other files, the error is
// ErrOther.
func (t *Task) openParts(m *planMeta) (all []*partFile, err error) {
	for i := range t.Job.Parts {
		p := &partFile{}
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

func closeAll(parts []*partFile) (err error) {
	for _, p := range parts {
		err = errors.Join(err, p.close())
	}
	return err
}

// plan is an open plan file, with the files of the parts from which it was made.
type plan struct {
	*file
	meta  planMeta
	parts []*partFile
}

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

// renumbering returns the map from symbol ids of a part to symbol ids of the plan.
func (p *plan) renumbering(part int) (*index.Renumbering, error) {
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
