package count

import "github.com/RoaringBitmap/roaring/v2"

// union gathers samples.
type union struct {
	all bool
	set *roaring.Bitmap
}

func newUnion() *union { return &union{set: roaring.New()} }

// add adds a set; nil is all samples.
func (u *union) add(set *roaring.Bitmap) {
	if set == nil {
		u.all = true
		return
	}
	u.set.Or(set)
}

func (u *union) ids() []uint32 { return u.set.ToArray() }

// samples are those with hits.
func (c *Counts) samples() *roaring.Bitmap {
	set := roaring.New()
	for _, f := range c.found {
		set.Add(f.id)
	}
	return set
}
