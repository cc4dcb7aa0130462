package index

import (
	"errors"
	"fmt"
)

// CheckSame returns an ErrMixed where t is of another kind or alphabet.
func CheckSame(kind Kind, oneAlphabet bool, t *Tree) error {
	if t.Kind == kind && t.OneAlphabet == oneAlphabet {
		return nil
	}
	describe := func(k Kind, oneAlphabet bool) string {
		switch {
		case k == Dependency:
			return "dependency trees"
		case oneAlphabet:
			return "constituency trees whose words are labels (svmtk)"
		}
		return "bracketed constituency trees"
	}
	return fmt.Errorf("%w: there are %s, and sample %s is one of %s", ErrMixed,
		describe(kind, oneAlphabet), t.Name, describe(t.Kind, t.OneAlphabet))
}

// ErrMixed says that the samples are of more than one kind or alphabet.
var ErrMixed = errors.New("samples of different kinds do not mix")
