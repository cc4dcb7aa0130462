package posting

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// bitmap returns a bitmap over the bytes of l. The library trusts what it reads: values that
// do not ascend, or are not as many as is said, would make later calls wrong. So everything is
// checked first: there are as many ids as the support says, ascending, all below the limit.
func (l *list) bitmap() (*roaring.Bitmap, error) {
	bm := roaring.New()
	n, err := bm.FromBuffer(l.ids)
	if err == nil {
		err = bm.Validate()
	}
	switch {
	case err != nil:
		return nil, malformed(err.Error())
	case n != int64(len(l.ids)):
		return nil, malformed("trailing bytes")
	case bm.GetCardinality() != uint64(l.support):
		return nil, malformed("bitmap of another size")
	case bm.Maximum() >= l.limit: // there is one: support > maxList
		return nil, malformed(beyond)
	}
	return bm, nil
}

// appendRoaringIDs appends the samples in the roaring form.
func (l *list) appendRoaringIDs(dst []uint32) ([]uint32, error) {
	bm, err := l.bitmap()
	if err != nil {
		return dst, err
	}
	from, to := len(dst), len(dst)+int(l.support)
	dst = slices.Grow(dst, int(l.support))[:to]
	bm.ManyIterator().NextMany(dst[from:])
	return dst, nil
}
