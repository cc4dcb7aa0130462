package posting

import (
	"github.com/RoaringBitmap/roaring/v2"
)

// ReadBitmap returns the bitmap that is in b, and nothing else, over these bytes. The library trusts
// what it reads: values that do not ascend would make later calls wrong. So everything is checked first.
func ReadBitmap(b []byte) (*roaring.Bitmap, error) {
	if c := (portable{rest: b}); !c.read() {
		return nil, malformed("bitmap")
	}
	bm := roaring.New()
	if _, err := bm.FromBuffer(b); err != nil {
		return nil, malformed(err.Error())
	}
	return bm, nil
}

// bitmap returns a bitmap over the bytes of l, which has as many ids as the support says, all below
// the limit.
func (l *list) bitmap() (*roaring.Bitmap, error) {
	bm, err := ReadBitmap(l.ids)
	switch {
	case err != nil:
		return nil, err
	case bm.GetCardinality() != uint64(l.support):
		return nil, malformed("bitmap of another size")
	case bm.Maximum() >= l.limit: // there is one: support > maxList
		return nil, malformed(beyond)
	}
	return bm, nil
}
