package table

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A record is a row as a Sorter stores it: the length of its key in four bytes, the key, and the cells. The
// key ends with the text of the column Sorter.tie, which the cells do not repeat.

// keyAt is the position of the key in a record, after the length of the key.
const keyAt = 4

// keyOf returns the key of a record. Sorting records by their keys, as bytes, sorts their rows.
func keyOf(record []byte) []byte { return record[keyAt : keyAt+binary.LittleEndian.Uint32(record)] }

// appendNumberKey appends to dst
//   - for an ascending key: the number of its bytes after the leading zeros, then these bytes
//   - for a descending key, which is inverted: the number of its leading bytes 0xFF, then the other bytes
func appendNumberKey(dst []byte, key uint64, descending bool) []byte {
	n := (bits.Len64(key) + 7) / 8
	head := n
	if descending {
		n = (bits.Len64(^key) + 7) / 8
		head = 8 - n
	}
	dst = append(dst, byte(head))
	for ; n > 0; n-- {
		dst = append(dst, byte(key>>(8*n-8)))
	}
	return dst
}

// appendTextKey appends a text and an end mark that is smaller than any continuation of the text. A zero byte
// in the text becomes zero and 0xFF. For descending order, all bytes are complemented.
func appendTextKey(dst, text []byte, descending bool) []byte {
	from := len(dst)
	for _, b := range text {
		if dst = append(dst, b); b == 0 {
			dst = append(dst, 0xFF)
		}
	}
	dst = append(dst, 0, 0)
	if descending {
		for i := from; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	return dst
}

// A packed cell is a tag, and then a number: eight bytes for a float, else a uvarint.
const (
	packedUnset = iota // then the number of successive unset cells
	packedText         // then the length of the text and the text
	packedKey          // then the length of the text, which is the end of the key
	packedUint
	packedInt
	packedFloat
)

func pack(dst []byte, r *Row, tie int) []byte {
	for i := 0; i < len(r.cells); i++ {
		switch c := r.cells[i]; {
		case !c.set:
			from := i
			for i+1 < len(r.cells) && !r.cells[i+1].set {
				i++
			}
			dst = binary.AppendUvarint(append(dst, packedUnset), uint64(i+1-from))
		case c.kind == Float:
			dst = binary.LittleEndian.AppendUint64(append(dst, packedFloat), c.bits)
		case c.kind == Uint:
			dst = binary.AppendUvarint(append(dst, packedUint), c.bits)
		case c.kind == Int:
			dst = binary.AppendUvarint(append(dst, packedInt), c.bits)
		case i == tie:
			dst = binary.AppendUvarint(append(dst, packedKey), uint64(len(r.Text(i))))
		default:
			text := r.Text(i)
			dst = binary.AppendUvarint(append(dst, packedText), uint64(len(text)))
			dst = append(dst, text...)
		}
	}
	return dst
}

func unpack(record []byte, r *Row) {
	r.Clear()
	key := keyOf(record)
	p := record[keyAt+len(key):]
	for i := 0; i < len(r.cells); i++ {
		tag := p[0]
		if tag == packedFloat {
			r.SetFloat(i, math.Float64frombits(binary.LittleEndian.Uint64(p[1:])))
			p = p[9:]
			continue
		}
		n, k := binary.Uvarint(p[1:])
		p = p[1+k:]
		switch tag {
		case packedUnset:
			i += int(n) - 1
		case packedText:
			r.SetText(i, p[:n])
			p = p[n:]
		case packedKey:
			r.SetText(i, key[len(key)-int(n):])
		case packedUint:
			r.SetUint(i, n)
		case packedInt:
			r.SetInt(i, int64(n))
		}
	}
}
