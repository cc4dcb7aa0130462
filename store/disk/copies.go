package disk

import (
	"cmp"
	"slices"
	"strings"
)

// copies reads the copies in the directory that are whole, the newest first; but for those, where
// sealed says which files count, that it does not name.
func (d Dir) copies(sealed *seal) (copies [][]byte) {
	names, err := d.FS.List(d.Path)
	if err != nil {
		return nil
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		if sealed != nil && !sealed.open {
			if _, named := sealed.file(name); !named {
				return true
			}
		}
		return !IsCopyName(name)
	})
	slices.SortFunc(names, func(a, b string) int { // numbers without leading zeros
		return cmp.Or(len(b)-len(a), strings.Compare(b, a))
	})
	for _, name := range names {
		b, err := d.Read(name)
		if err != nil {
			continue
		}
		if b, ok := Unsum(b); ok {
			copies = append(copies, b)
		}
	}
	return copies
}

// Copy leaves a copy, summed, of what the database says of itself, in the place of the one
// before: without it nothing in a store can be found.
func (c *Change) Copy(b []byte) error {
	name := copyName(c.from)
	if err := writeFile(c.view, c.Join(name), Sum(b)); err != nil {
		return err
	}
	for _, old := range c.view.names() {
		if IsCopyName(old) && old != name {
			if err := c.view.Remove(c.Join(old)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Copies returns the copies of the store that was there, the newest first.
func (c *Change) Copies() [][]byte {
	if c.baseErr != nil {
		return c.copies(nil)
	}
	return c.copies(c.base)
}
