package linear

// Matrix is a sparse matrix in compressed rows (CSR). Row i has the columns Column[Start[i]:Start[i+1]],
// ascending, with the values Value[Start[i]:Start[i+1]]. Columns are feature ids, from 1. Column 0 is the
// bias.
type Matrix struct {
	Columns int // larger than the largest column
	Start   []int
	Column  []uint32
	Value   []float64

	bias float64
	unit bool // if set, all values are 1
}

// NewMatrix returns a matrix without rows, for feature ids up to maxID. If bias is above 0, column 0 has this
// value in every row.
func NewMatrix(maxID uint32, bias float64) *Matrix {
	return &Matrix{Columns: int(maxID) + 1, Start: []int{0}, bias: bias}
}

// Append appends a row. The ids must ascend, from 1.
func (m *Matrix) Append(ids []uint32, values []float64) {
	if m.bias > 0 {
		m.Column = append(m.Column, 0)
		m.Value = append(m.Value, m.bias)
	}
	m.Column = append(m.Column, ids...)
	m.Value = append(m.Value, values...)
	m.Start = append(m.Start, len(m.Column))
}

// Rows returns the number of rows.
func (m *Matrix) Rows() int { return len(m.Start) - 1 }

// Row returns the columns and values of row i, which share the memory of m.
func (m *Matrix) Row(i int) (columns []uint32, values []float64) {
	return m.Column[m.Start[i]:m.Start[i+1]], m.Value[m.Start[i]:m.Start[i+1]]
}

// Dot returns the dot product of row i and the dense vector w.
func (m *Matrix) Dot(i int, w []float64) (sum float64) {
	columns, values := m.Row(i)
	if m.unit {
		for _, c := range columns {
			sum += w[c]
		}
		return sum
	}
	for k, c := range columns {
		sum += float64(values[k] * w[c])
	}
	return sum
}

// dotSquares returns the product of a dense vector with the squares of row i's values.
func (m *Matrix) dotSquares(i int, w []float64) (sum float64) {
	if m.unit {
		return m.Dot(i, w)
	}
	columns, values := m.Row(i)
	for k, c := range columns {
		sum += float64(float64(values[k]*values[k]) * w[c])
	}
	return sum
}

// add adds factor times row i to the dense vector w.
func (m *Matrix) add(i int, factor float64, w []float64) {
	columns, values := m.Row(i)
	for k, c := range columns {
		w[c] += float64(factor * values[k])
	}
}

// addTimes adds factor·(row i ∘ h) to w, where ∘ multiplies element by element.
func (m *Matrix) addTimes(i int, factor float64, h, w []float64) {
	columns, values := m.Row(i)
	if m.unit {
		for _, c := range columns {
			w[c] += float64(factor * h[c])
		}
		return
	}
	for k, c := range columns {
		w[c] += float64(float64(factor*values[k]) * h[c])
	}
}

// Select returns a matrix of some rows, in the order given.
func (m *Matrix) Select(rows []int) *Matrix {
	s := &Matrix{Columns: m.Columns, Start: make([]int, 1, len(rows)+1), bias: m.bias}
	size := 0
	for _, i := range rows {
		size += m.Start[i+1] - m.Start[i]
	}
	s.Column, s.Value = make([]uint32, 0, size), make([]float64, 0, size)
	for _, i := range rows {
		columns, values := m.Row(i)
		s.Column, s.Value = append(s.Column, columns...), append(s.Value, values...)
		s.Start = append(s.Start, len(s.Column))
	}
	return s
}

// transpose returns the transposed matrix: its rows are the columns of m.
func (m *Matrix) transpose() *Matrix {
	t := &Matrix{
		Columns: m.Rows(), Start: make([]int, m.Columns+1),
		Column: make([]uint32, len(m.Column)), Value: make([]float64, len(m.Value)),
	}
	for _, c := range m.Column {
		t.Start[c+1]++
	}
	for c := range m.Columns {
		t.Start[c+1] += t.Start[c]
	}
	next := append([]int(nil), t.Start...)
	for i := range m.Rows() {
		columns, values := m.Row(i)
		for k, c := range columns {
			t.Column[next[c]], t.Value[next[c]] = uint32(i), values[k]
			next[c]++
		}
	}
	return t
}
