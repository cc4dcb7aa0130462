package vector

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// npz writes a zip archive of NumPy arrays. scipy.sparse.load_npz makes a CSR matrix of the first group of
// arrays, with a row for each vector. numpy.load returns all arrays.
//
//	indices   int32    the column of each entry: the feature's id - 1
//	indptr    int64    rows + 1 numbers: row i has the entries from indptr[i] to indptr[i+1]
//	format    "csr"
//	shape     int64    rows, width
//	data      float64  the value of each entry
//
//	labels        float64  one for each row
//	labels_indptr int64    only if a sample has several labels: row i has the labels from
//	                       labels_indptr[i] to labels_indptr[i+1]
//	classes       text     the names of the store's labels, in byte order
//	class_labels  float64  their numbers
//	vocabulary    text     Options.Vocabulary
//	ids           text     the names of the samples, up to 1,024 characters
//
// An array begins with its size, so the contents of all arrays wait in columns until Close. Only text is
// compressed, because NumPy fills each text with zeros to the length of the longest one.
type npz struct {
	w io.Writer
	o Options
	columns
	indices, indptr, data, labels, labelEnds, names *column

	rows, entries, labelled uint64
	nameWidth               int       // length of the longest name, in characters
	numbers                 []float64 // labels of the current row
}

// maxText is the maximum number of characters of a name. Each name takes as much space as the longest name.
const maxText = 1024

func newNPZ(w io.Writer, o Options) Writer {
	n := &npz{w: w, o: o, columns: columns{scratch: &o.Scratch}}
	n.indices, n.indptr, n.data = n.column("indices"), n.column("indptr"), n.column("data")
	n.labels, n.labelEnds, n.names = n.column("labels"), n.column("labels_indptr"), n.column("ids")
	n.indptr.end, n.labelEnds.end = appendInts(nil, 0), appendInts(nil, 0)
	return n
}

func (n *npz) Write(v *Vector) (err error) {
	if n.numbers, err = appendLabels(n.numbers[:0], v.Label); err != nil {
		return err
	}
	indices := n.indices.end
	for _, id := range v.ID {
		indices = binary.LittleEndian.AppendUint32(indices, id-1)
	}
	n.indices.end = indices
	n.data.end = appendFloats(n.data.end, v.Value...)
	n.labels.end = appendFloats(n.labels.end, n.numbers...)
	n.rows++
	n.entries += uint64(len(v.ID))
	n.labelled += uint64(len(n.numbers))
	n.indptr.end = appendInts(n.indptr.end, n.entries)
	n.labelEnds.end = appendInts(n.labelEnds.end, n.labelled)
	n.nameWidth = max(n.nameWidth, appendText(n.names, v.Sample))
	return n.spill()
}

func (n *npz) Close() error { return errors.Join(n.write(), n.remove()) }

func (n *npz) write() error {
	// Numbers below 2^31 have the same bytes in the types <i4 and <u4. SciPy prefers <i4.
	index := "<i4"
	if n.o.Features > math.MaxInt32 {
		index = "<u4"
	}
	a := newArchive(n.w, n.scratch)
	a.column(index, length(n.entries), n.indices)
	a.column("<i8", length(n.rows+1), n.indptr)
	a.array("format", "|S3", "", []byte("csr"))
	a.array("shape", "<i8", length(2), appendInts(nil, n.rows, uint64(n.o.Features)))
	a.column("<f8", length(n.entries), n.data)
	a.column("<f8", length(n.labelled), n.labels)
	if n.labelled != n.rows {
		a.column("<i8", length(n.rows+1), n.labelEnds)
	}
	n.classes(a)
	vocabulary := column{name: "vocabulary"}
	a.texts(appendText(&vocabulary, n.o.Vocabulary), "", 1, &vocabulary)
	a.texts(n.nameWidth, length(n.rows), n.rows, n.names)
	return a.close()
}

// classes writes the names and numbers of the store's labels.
func (n *npz) classes(a *archive) {
	names, width := column{name: "classes"}, 0
	var numbers []float64
	for _, c := range n.o.Classes {
		var err error
		if numbers, err = appendLabels(numbers, c.Number); err != nil {
			a.err = cmp.Or(a.err, err)
			return
		}
		width = max(width, appendText(&names, c.Name))
	}
	count := uint64(len(numbers))
	a.texts(width, length(count), count, &names)
	a.array("class_labels", "<f8", length(count), appendFloats(nil, numbers...))
}

func appendFloats(dst []byte, list ...float64) []byte {
	for _, x := range list {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
	}
	return dst
}

func appendInts(dst []byte, list ...uint64) []byte {
	for _, x := range list {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	return dst
}

// appendText appends a text to a column for archive.texts, cut to maxText characters. It returns the number
// of these characters.
func appendText(c *column, text string) (width int) {
	text, width = cutText(text)
	c.end = binary.AppendUvarint(c.end, uint64(len(text)))
	c.end = append(c.end, text...)
	return width
}

// cutText returns the first characters of text, at most maxText, and their number.
func cutText(text string) (cut string, width int) {
	for i := range text {
		if width == maxText {
			return text[:i], width
		}
		width++
	}
	return text, width
}
