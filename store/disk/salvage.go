package disk

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Old opens the state that an Overwrite replaces. It returns ErrNotStore if there is none.
func (c *Change) Old() (*Database, error) {
	if c.there != aStore {
		return nil, c.fail(ErrNotStore, "")
	}
	if c.baseErr != nil {
		return nil, c.baseErr
	}
	return c.openSealed(c.base)
}

// Salvage opens the old state as far as it can be read (see store.Writer.Salvage). If the seal is damaged, it
// uses the tables with these names, or all tables if tableNames is nil.
func (c *Change) Salvage(tableNames []string, onLost func(error)) (*Database, error) {
	if c.there != aStore {
		return nil, c.fail(ErrNotStore, "")
	}
	if errors.Is(c.baseErr, ErrVersion) {
		return nil, c.baseErr
	}
	tables, err := c.oldTables(tableNames)
	if err != nil {
		return nil, err
	}
	load := c.Load()
	links, d := Dir{c.FS, load.Join("links")}, Dir{c.FS, load.Join("salvage")}
	if err := errors.Join(c.FS.MkdirAll(links.Path, 0o777), c.FS.MkdirAll(d.Path, 0o777)); err != nil {
		return nil, err
	}
	v := d.viewOf(nil, 1)
	if err := v.seed(); err != nil {
		return nil, err
	}
	b, err := d.openDatabase(nil, v, false)
	if err != nil {
		return nil, err
	}
	b.Dir = c.Dir // messages should name the store
	for _, name := range tables {
		if err := b.salvageTable(name, links.Join(name)); err != nil {
			if b.fatal.broken() || !errors.Is(err, ErrDamaged) {
				return nil, errors.Join(err, b.Close())
			}
			onLost(err)
		}
	}
	return b, nil
}

// oldTables lists the valid tables of the old store, oldest first.
func (c *Change) oldTables(known []string) (tables []string, err error) {
	switch {
	case c.baseErr == nil:
		for _, f := range c.base.files {
			tables = append(tables, f.Name)
		}
	case known != nil:
		tables = slices.Clone(known)
	default:
		end := c.from
		if c.mark != nil {
			end = min(end, c.mark.next)
		}
		tables, err = c.list(func(name string) bool { return numberOf(name) < end })
	}
	tables = slices.DeleteFunc(tables, func(name string) bool { return !isDataName(name) || !isTable(name) })
	slices.SortFunc(tables, func(a, b string) int { return cmp.Compare(numberOf(a), numberOf(b)) })
	return tables, err
}

// salvageTable adds a table to the database, through a link. The database then owns the link.
func (b *Database) salvageTable(name, link string) error {
	err := vfs.LinkOrCopy(b.FS, b.Join(name), link)
	if errors.Is(err, fs.ErrNotExist) {
		return b.Damaged(name+" is missing", nil)
	}
	if err != nil {
		return err
	}
	err = b.fatal.catch(func() error { return b.db.Ingest(context.Background(), []string{link}) })
	if err != nil && !b.fatal.broken() {
		err = b.openError(err)
	}
	return err
}

// writeCopy writes b, the copy of meta (see Commit), and removes the copy of the earlier state.
func (c *Change) writeCopy(b []byte) error {
	for _, old := range c.view.fileNames() {
		if IsCopyName(old) {
			if err := c.view.Remove(c.Join(old)); err != nil {
				return err
			}
		}
	}
	return writeFile(c.view, c.Join(copyName(c.from)), summed(b))
}

// Copies returns the copies of meta (see Commit) in the old store, newest first.
func (c *Change) Copies() [][]byte {
	if c.baseErr != nil {
		return c.copies(nil)
	}
	return c.copies(c.base)
}
