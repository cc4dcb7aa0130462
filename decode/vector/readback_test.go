package vector

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/vmihailenco/msgpack/v5"
)

// row is a vector as it is read back. Each format has a reader here that shares no code with its writer.
type row struct {
	Sample   string    `json:"sample"   msgpack:"sample"`
	Labels   []float64 `json:"labels"   msgpack:"labels"`
	Features []uint32  `json:"features" msgpack:"features"`
	Values   []float64 `json:"values"   msgpack:"values"`
}

var readers = map[string]func(t testing.TB, b []byte) []row{
	"svmlight": readSVMLight, "vw": readVW, "jsonl": readJSONL, "msgpack": readMsgpack,
	"npz": readNPZ, "arrow": readArrowFile, "arrows": readArrowStream, "parquet": readParquet,
	"mtx": readMTX,
}

func must[T any](t testing.TB) func(x T, err error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// number reads a decimal.
func number(t testing.TB, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// labels reads numbers that are joined by ','.
func labels(t testing.TB, joined string) (list []float64) {
	t.Helper()
	for _, one := range strings.Split(joined, ",") {
		list = append(list, number(t, one))
	}
	return list
}

func lines(b []byte) []string {
	return strings.SplitAfter(string(b), "\n")[:bytes.Count(b, []byte("\n"))]
}

func readSVMLight(t testing.TB, b []byte) (rows []row) {
	for _, line := range lines(b) {
		f := strings.Fields(line)
		r := row{Labels: labels(t, f[0])}
		for _, entry := range f[1:] {
			r.entry(t, entry)
		}
		rows = append(rows, r)
	}
	return rows
}

// entry adds id:value, or id where the value is 1.
func (r *row) entry(t testing.TB, text string) {
	id, value, ok := strings.Cut(text, ":")
	if !ok {
		value = "1"
	}
	feature, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	r.Features = append(r.Features, uint32(feature))
	r.Values = append(r.Values, number(t, value))
}

// readVW reads `label 'tag |namespace id:value …`.
func readVW(t testing.TB, b []byte) (rows []row) {
	for _, line := range lines(b) {
		head, body, ok := strings.Cut(line, "|")
		if !ok || !strings.HasPrefix(body, " ") && body != "\n" {
			t.Fatalf("%q: no features in the namespace without a name", line)
		}
		label, tag, _ := strings.Cut(strings.TrimSuffix(head, " "), " ")
		r := row{Labels: labels(t, label), Sample: strings.TrimPrefix(tag, "'")}
		for _, entry := range strings.Fields(body) {
			r.entry(t, entry)
		}
		rows = append(rows, r)
	}
	return rows
}

func readJSONL(t testing.TB, b []byte) (rows []row) {
	for _, line := range lines(b) {
		var r row
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		rows = append(rows, r)
	}
	return rows
}

// readMTX reads comments `%row N TAB labels TAB name`, the size, and entries `row column value`.
func readMTX(t testing.TB, b []byte) (rows []row) {
	entries := -1
	for i, line := range lines(b) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case i == 0 && line != "%%MatrixMarket matrix coordinate real general":
			t.Fatalf("begins with %q", line)
		case strings.HasPrefix(line, "%row "):
			f := strings.SplitN(line, "\t", 3)
			rows = append(rows, row{Labels: labels(t, f[1]), Sample: f[2]})
		case strings.HasPrefix(line, "%"):
		case entries < 0:
			var n, width int
			if _, err := fmt.Sscan(line, &n, &width, &entries); err != nil || n != len(rows) {
				t.Fatalf("size %q of %d rows, %v", line, len(rows), err)
			}
		default:
			f := strings.Fields(line)
			r := &rows[must[int](t)(strconv.Atoi(f[0]))-1]
			r.entry(t, f[1]+":"+f[2])
			entries--
		}
	}
	if entries != 0 {
		t.Fatalf("%d entries are missing", entries)
	}
	return rows
}

func readMsgpack(t testing.TB, b []byte) (rows []row) {
	for len(b) > 0 {
		n := binary.BigEndian.Uint32(b)
		frame := b[4 : 4+n]
		b = b[4+n:]
		var r row
		d := msgpack.NewDecoder(bytes.NewReader(frame))
		d.DisallowUnknownFields(true)
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if _, err := d.DecodeInterface(); err != io.EOF {
			t.Fatalf("after the message: %v", err)
		}
		rows = append(rows, r)
	}
	return rows
}

// npyArray is an array of an npz file.
type npyArray struct {
	dtype, shape string
	elements     []byte
}

var npyHeader = regexp.MustCompile(`^\{'descr': '(.*)', 'fortran_order': False, 'shape': \((.*)\), \} *\n$`)

// arrays reads what is in an npz file.
func arrays(t testing.TB, b []byte) map[string]npyArray {
	t.Helper()
	z := must[*zip.Reader](t)(zip.NewReader(bytes.NewReader(b), int64(len(b))))
	all := map[string]npyArray{}
	for _, f := range z.File {
		r := must[io.ReadCloser](t)(f.Open())
		b := must[[]byte](t)(io.ReadAll(r))
		if !bytes.HasPrefix(b, []byte("\x93NUMPY\x01\x00")) {
			t.Fatalf("%s: begins with %q", f.Name, b[:8])
		}
		size := 10 + int(binary.LittleEndian.Uint16(b[8:]))
		if size%64 != 0 {
			t.Errorf("%s: a header of %d bytes", f.Name, size)
		}
		m := npyHeader.FindSubmatch(b[10:size])
		if m == nil {
			t.Fatalf("%s: header %q", f.Name, b[10:size])
		}
		all[strings.TrimSuffix(f.Name, ".npy")] = npyArray{string(m[1]), string(m[2]), b[size:]}
	}
	return all
}

// ints are the elements of an array of integers.
func (a npyArray) ints(t testing.TB) (list []uint64) {
	t.Helper()
	size := 8
	if strings.HasSuffix(a.dtype, "4") {
		size = 4
	} else if a.dtype != "<i8" {
		t.Fatalf("integers of type %s", a.dtype)
	}
	for at := 0; at < len(a.elements); at += size {
		var b [8]byte
		copy(b[:], a.elements[at:at+size])
		list = append(list, binary.LittleEndian.Uint64(b[:]))
	}
	a.long(t, len(list))
	return list
}

func (a npyArray) floats(t testing.TB) (list []float64) {
	t.Helper()
	if a.dtype != "<f8" {
		t.Fatalf("numbers of type %s", a.dtype)
	}
	for at := 0; at < len(a.elements); at += 8 {
		list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(a.elements[at:])))
	}
	a.long(t, len(list))
	return list
}

func (a npyArray) texts(t testing.TB) (list []string) {
	t.Helper()
	width := must[int](t)(strconv.Atoi(strings.TrimPrefix(a.dtype, "<U")))
	for at := 0; at < len(a.elements); at += 4 * width {
		var text []rune
		for i := range width {
			text = append(text, rune(binary.LittleEndian.Uint32(a.elements[at+4*i:])))
		}
		list = append(list, strings.TrimRight(string(text), "\x00"))
	}
	a.long(t, len(list))
	return list
}

// long checks that a shape has n elements.
func (a npyArray) long(t testing.TB, n int) {
	t.Helper()
	if want := fmt.Sprintf("%d,", n); a.shape != want {
		t.Fatalf("shape (%s), and there are %s", a.shape, want)
	}
}

func readNPZ(t testing.TB, b []byte) (rows []row) {
	all := arrays(t, b)
	if f := all["format"]; f.dtype != "|S3" || f.shape != "" || string(f.elements) != "csr" {
		t.Errorf("format %+v", f)
	}
	indptr, indices, data := all["indptr"].ints(t), all["indices"].ints(t), all["data"].floats(t)
	numbers, names := all["labels"].floats(t), all["ids"].texts(t)
	ends := indptr // any, where each row has one label
	if several, ok := all["labels_indptr"]; ok {
		ends = several.ints(t)
	}
	for i := range len(indptr) - 1 {
		r := row{Sample: names[i], Values: data[indptr[i]:indptr[i+1]]}
		for _, column := range indices[indptr[i]:indptr[i+1]] {
			r.Features = append(r.Features, uint32(column)+1)
		}
		if _, ok := all["labels_indptr"]; ok {
			r.Labels = numbers[ends[i]:ends[i+1]]
		} else {
			r.Labels = numbers[i : i+1]
		}
		rows = append(rows, r)
	}
	if shape := all["shape"].ints(t); int(shape[0]) != len(rows) {
		t.Errorf("shape %v, %d rows", shape, len(rows))
	}
	return rows
}

func readArrowStream(t testing.TB, b []byte) (rows []row) {
	r := must[*ipc.Reader](t)(ipc.NewReader(bytes.NewReader(b)))
	defer r.Release()
	for r.Next() {
		rows = append(rows, readBatch(r.RecordBatch())...)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func readArrowFile(t testing.TB, b []byte) (rows []row) {
	r := must[*ipc.FileReader](t)(ipc.NewFileReader(bytes.NewReader(b)))
	defer r.Close()
	for i := range r.NumRecords() {
		rows = append(rows, readBatch(must[arrow.RecordBatch](t)(r.RecordBatch(i)))...)
	}
	return rows
}

func readBatch(batch arrow.RecordBatch) (rows []row) {
	for i := range int(batch.NumRows()) {
		list := func(column int) (array.ListLike, int, int) {
			l := batch.Column(column).(*array.List)
			from, to := l.ValueOffsets(i)
			return l, int(from), int(to)
		}
		l, from, to := list(1)
		labels := l.ListValues().(*array.Float64).Float64Values()[from:to]
		l, from, to = list(2)
		features := l.ListValues().(*array.Uint32).Uint32Values()[from:to]
		l, from, to = list(3)
		values := l.ListValues().(*array.Float64).Float64Values()[from:to]
		// Batches are released, so the result is a copy.
		rows = append(rows, row{
			strings.Clone(batch.Column(0).(*array.String).Value(i)),
			append([]float64(nil), labels...), append([]uint32(nil), features...), append([]float64(nil), values...),
		})
	}
	return rows
}

func readParquet(t testing.TB, b []byte) (rows []row) {
	f := must[*file.Reader](t)(file.NewParquetReader(bytes.NewReader(b)))
	defer f.Close()
	for g := range f.NumRowGroups() {
		group := f.RowGroup(g)
		var part []row
		// The order is that of the schema. An empty list has one entry without a value.
		names := chunk(t, group, 0, (*file.ByteArrayColumnChunkReader).ReadBatch)
		for _, name := range names.values {
			part = append(part, row{Sample: string(name)})
		}
		chunk(t, group, 1, (*file.Float64ColumnChunkReader).ReadBatch).each(func(i int, x float64) { part[i].Labels = append(part[i].Labels, x) })
		chunk(t, group, 2, (*file.Int32ColumnChunkReader).ReadBatch).each(func(i int, x int32) { part[i].Features = append(part[i].Features, uint32(x)) })
		chunk(t, group, 3, (*file.Float64ColumnChunkReader).ReadBatch).each(func(i int, x float64) { part[i].Values = append(part[i].Values, x) })
		rows = append(rows, part...)
	}
	return rows
}

// columnChunk is a column of a row group, with the levels of its lists.
type columnChunk[T any] struct {
	values             []T
	defined, continued []int16
}

// chunk reads a column of a row group.
func chunk[T any, R file.ColumnChunkReader](t testing.TB, group *file.RowGroupReader, column int, read func(R, int64, []T, []int16, []int16) (int64, int, error)) (c columnChunk[T]) {
	t.Helper()
	r := must[file.ColumnChunkReader](t)(group.Column(column)).(R)
	for r.HasNext() {
		const n = 1000
		values, defined, continued := make([]T, n), make([]int16, n), make([]int16, n)
		entries, k, err := read(r, n, values, defined, continued)
		if err != nil {
			t.Fatal(err)
		}
		c.values = append(c.values, values[:k]...)
		c.defined, c.continued = append(c.defined, defined[:entries]...), append(c.continued, continued[:entries]...)
	}
	return c
}

// each calls f for the values of lists, with the number of the row.
func (c columnChunk[T]) each(f func(i int, x T)) {
	row, next := -1, 0
	for i, level := range c.continued {
		if level == 0 {
			row++
		}
		if c.defined[i] > 0 {
			f(row, c.values[next])
			next++
		}
	}
}
