package svm

import (
	"fmt"
	"math"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/codec"
)

// The bytes of every kernel model begin with its kernel:
//
//	version, kind of the trees, 1 for one alphabet, 1 for normalised
//	lambda, space (spaces.RecordID)

// AppendKernel appends the beginning of a kernel model over trees of a kind.
func AppendKernel(dst []byte, version byte, k *Kernel, kind index.Kind, oneAlphabet bool) []byte {
	dst = append(dst, version, byte(kind))
	dst = codec.AppendBool(dst, oneAlphabet)
	dst = codec.AppendBool(dst, k.Normalize)
	dst = codec.AppendFloat(dst, k.Lambda)
	return codec.AppendString(dst, spaces.RecordID(k.Space.ID()))
}

// ReadKernel reads what AppendKernel appended behind the version; what is wrong with it is
// d.Err.
func ReadKernel(d *codec.Reader) (k Kernel, kind index.Kind, oneAlphabet bool) {
	kind, oneAlphabet = index.Kind(d.Byte()), d.Bool()
	k.Normalize, k.Lambda = d.Bool(), d.Float()
	id := d.Text()
	if d.Err == nil && !(k.Lambda >= 0 && k.Lambda <= math.MaxFloat64) {
		d.Err = fmt.Errorf("a decay of %v", k.Lambda)
	}
	if d.Err == nil {
		var space spaces.Request
		space, d.Err = spaces.ParseRecorded(id)
		k.Space = space.Space
	}
	return k, kind, oneAlphabet
}

// ReadTree reads a tree over s, appended as a string by index.AppendTree; a zero tree where
// there is an error.
func ReadTree(d *codec.Reader, s *index.Symbols) (t index.Tree) {
	if b := d.Bytes(); d.Err == nil {
		d.Err = index.DecodeTree(b, s, &t)
	}
	return t
}
