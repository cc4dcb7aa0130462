package disk

import "github.com/vmihailenco/msgpack/v5"

// maxDepth is a nesting depth that no value of a store reaches.
const maxDepth = 16

// Unmarshal decodes msgpack bytes from an untrusted file into v. It refuses deep nesting, and lengths larger
// than the bytes that follow. The msgpack library alone would allocate as many bytes as a wrong length says.
func Unmarshal(b []byte, v any) error {
	rest, err := skipValue(b, 0)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return Malformed("msgpack: trailing bytes")
	}
	return msgpack.Unmarshal(b, v)
}

func skipValue(b []byte, depth int) (rest []byte, err error) {
	if len(b) == 0 || depth > maxDepth {
		return nil, Malformed("msgpack: truncated, or too deep")
	}
	head := b[0]
	b = b[1:]
	size, items := uint64(0), uint64(0)
	switch {
	case head <= 0x7F, head >= 0xE0, head == 0xC0, head == 0xC2, head == 0xC3:
	case head <= 0x8F: // maps
		items = 2 * uint64(head&0x0F)
	case head <= 0x9F: // arrays
		items = uint64(head & 0x0F)
	case head <= 0xBF: // strings
		size = uint64(head & 0x1F)
	case head >= 0xC4 && head <= 0xC6: // byte strings
		size, b, err = length(b, 1<<(head-0xC4))
	case head == 0xCA: // 32-bit floats
		size = 4
	case head == 0xCB:
		size = 8
	case head >= 0xCC && head <= 0xD3: // integers
		size = 1 << ((head - 0xCC) % 4)
	case head >= 0xD9 && head <= 0xDB: // str
		size, b, err = length(b, 1<<(head-0xD9))
	case head >= 0xDC: // arrays and maps
		items, b, err = length(b, 2<<((head-0xDC)%2))
		if head >= 0xDE {
			items *= 2
		}
	default: // extensions
		err = Malformed("msgpack: type %#x", head)
	}
	if err == nil && (size > uint64(len(b)) || items > uint64(len(b))) { // an item takes at least one byte
		err = Malformed("msgpack: length")
	}
	if err != nil {
		return nil, err
	}
	b = b[size:]
	for ; items > 0 && err == nil; items-- {
		b, err = skipValue(b, depth+1)
	}
	return b, err
}

// length reads a big-endian number of n bytes.
func length(b []byte, n int) (v uint64, rest []byte, err error) {
	if len(b) < n {
		return 0, nil, Malformed("msgpack: truncated")
	}
	for _, x := range b[:n] {
		v = v<<8 | uint64(x)
	}
	return v, b[n:], nil
}
