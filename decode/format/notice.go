package format

// Notice is what is odd about samples that are legal all the same: each is said once an
// input, with its number.
type Notice uint8

const (
	// Attached says that a word does not stand apart from a bracket beside it.
	Attached Notice = iota
	// Wordless says that a tree has no word.
	Wordless
	// TwoForms says that a word is spelled with other code points elsewhere.
	TwoForms
	NumNotices
)
