package vector

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"

	"fstore/store/runfile"
)

// TestNPZArrays checks the arrays of the file other than the matrix.
func TestNPZArrays(t *testing.T) {
	o := Options{Features: 9, Vocabulary: "0123456789abcdef", Classes: []Class{{"-3", "-3"}, {"1", "Küche"}, {"2", "news"}}}
	all := arrays(t, write(t, "npz", o,
		Vector{Sample: "a#1", Label: "2", ID: []uint32{1, 9}, Value: []float64{1, 0.5}},
		Vector{Sample: strings.Repeat("é", 2000), Label: "-3"}))
	want := map[string]string{
		"indices": "<i4", "indptr": "<i8", "format": "|S3", "shape": "<i8", "data": "<f8",
		"labels": "<f8", "classes": "<U5", "class_labels": "<f8", "vocabulary": "<U16", "ids": "<U1024",
	}
	got := map[string]string{}
	for name, a := range all {
		got[name] = a.dtype
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	for _, c := range []struct{ got, want any }{
		{all["indices"].ints(t), []uint64{0, 8}},
		{all["indptr"].ints(t), []uint64{0, 2, 2}},
		{all["shape"].ints(t), []uint64{2, 9}},
		{all["labels"].floats(t), []float64{2, -3}},
		{all["classes"].texts(t), []string{"-3", "Küche", "news"}},
		{all["class_labels"].floats(t), []float64{-3, 1, 2}},
		{all["ids"].texts(t), []string{"a#1", strings.Repeat("é", 1024)}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	all = arrays(t, write(t, "npz", Options{Features: math.MaxInt32 + 1}, few...))
	if all["indices"].dtype != "<u4" {
		t.Errorf("indices beyond an int32 are %s", all["indices"].dtype)
	}
	if diff := cmp.Diff([]uint64{0, 1, 2, 4, 5}, all["labels_indptr"].ints(t)); diff != "" {
		t.Errorf("labels_indptr (-want +got):\n%s", diff)
	}
}

// TestNPZFailures lets each operation on the scratch files fail once. Each failure is returned as an error,
// and no file is left.
func TestNPZFailures(t *testing.T) {
	v := Vector{Sample: "n", Label: "1"}
	for id := range uint32(columnBuffer / 4) {
		v.ID, v.Value = append(v.ID, id+1), append(v.Value, 1)
	}
	for k := int32(0); ; k++ {
		mem := vfs.NewMem()
		index := errorfs.OnIndex(k)
		w := newNPZ(io.Discard, Options{Features: 1 << 20, Scratch: runfile.Dir{FS: errorfs.Wrap(mem, errorfs.ErrInjected.If(index)), Path: "d/scratch"}})
		var err error
		for range 3 {
			if err == nil {
				err = w.Write(&v)
			}
		}
		if err == nil {
			err = w.Close()
		}
		Discard(w)
		if reached := index.Load() < 0; reached != (err != nil) || err != nil && !strings.Contains(err.Error(), "injected error") {
			t.Fatalf("operation %d failed: %v", k, err)
		} else if !reached {
			if k < 10 {
				t.Errorf("only %d operations", k)
			}
			return
		}
		if left, err := mem.List("d"); err == nil && len(left) > 0 {
			t.Fatalf("operation %d failed, and left %v", k, left)
		}
	}
}

// TestNPZSameBytes checks that two runs write the same file.
func TestNPZSameBytes(t *testing.T) {
	o := Options{Features: 1 << 20}
	if vectors := many(); !bytes.Equal(write(t, "npz", o, vectors...), write(t, "npz", o, vectors...)) {
		t.Error("two runs differ")
	}
}
