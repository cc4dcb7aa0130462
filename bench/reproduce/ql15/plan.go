package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// plan says which rows of the two tables the flags ask for.
type plan struct {
	systems []system // rows of table 2
	// Table 3 has a row for each of these values of C. Without values there is no table 3.
	counts []int
	dep    system
	deep   *settings // the settings for dep: -max-orders is only its largest value
}

// plan makes the plan from the flags. It returns an error if a row would have no setting to try.
func (s *settings) plan() (*plan, error) {
	if s.epochs < 1 || s.polyOrder < 1 {
		return nil, errors.New("-epochs and -poly-order: at least 1")
	}
	p := &plan{}
	for name := range strings.SplitSeq(s.systems, ",") {
		x, err := systemNamed(name)
		if err == nil {
			_, err = x.grid(s, s.minCount)
		}
		if err != nil {
			return nil, err
		}
		p.systems = append(p.systems, x)
	}
	var err error
	if p.counts, err = numbers("counts", s.counts, strconv.Atoi); err != nil || len(p.counts) == 0 {
		return p, err
	}
	if p.deep, err = s.deepest(); err != nil {
		return nil, err
	}
	if p.dep, err = systemNamed("dep"); err != nil {
		return nil, err
	}
	_, err = p.dep.grid(p.deep, p.counts[0])
	return p, err
}

// deepest returns the settings with only the largest of -max-orders.
func (s *settings) deepest() (*settings, error) {
	orders, err := numbers("max-orders", s.orders, strconv.Atoi)
	if err != nil {
		return nil, err
	}
	if len(orders) == 0 {
		return nil, errors.New("-max-orders: expected one at least")
	}
	deep := *s
	deep.orders = strconv.Itoa(slices.Max(orders))
	return &deep, nil
}
