package option

// Doc describes an option of a space, for people and for completion.
type Doc struct {
	Name    string
	Values  []string // what it may be, or one placeholder in capitals
	Default string   // "" where that needs words, which are in Help
	Help    string   // a phrase, "" where the values say it all
}
