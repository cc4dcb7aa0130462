// Package decodetest has helpers for tests of several packages in decode.
package decodetest

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"fstore/decode/read"
	"fstore/index"
)

// ReadLists reads lists and returns a line for each list: its name, its candidates, and after a bar its gold
// tree. Trees are shown as forms and heads.
func ReadLists(t *testing.T, src read.ListSource, syms *index.Symbols) (all []string) {
	t.Helper()
	var l read.List
	show := func(t *index.Tree) string {
		text := ""
		for _, k := range t.Tokens {
			text += fmt.Sprintf("%s/%d", syms.Text(index.Words, k.Form), k.Head)
		}
		return text
	}
	for n := 0; ; n++ {
		err := src.NextList(&l)
		if err == io.EOF {
			return all
		}
		if bad := (*index.InputError)(nil); errors.As(err, &bad) {
			all = append(all, bad.Msg)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range l.Trees[:l.Used] {
			if x.Name != l.Candidates[0].Name {
				t.Errorf("a tree of %s is in the list of %s", x.Name, l.Candidates[0].Name)
			}
		}
		text := l.Candidates[0].Name + ":"
		for _, c := range l.Candidates {
			text += fmt.Sprintf(" %d=%s", c.Candidate, show(c))
		}
		if l.Gold != nil {
			text += " | " + show(l.Gold)
		}
		all = append(all, text)
		if n%2 == 1 {
			src.Release() // two lists at a time stay in use
		}
	}
}
