package linearize

var ScaleL2 = normalizeL2

// Batches is how many batches the stream holds.
func (s *Stream) Batches() int { return cap(s.free) }
