package read

import (
	"errors"
	"testing"
)

func TestNumbers(t *testing.T) {
	l := NumberLabels("b,a", "", "0x1p4", "nan,2", "a")
	for joined, want := range map[string]string{
		"": "0", ",": "0", "a": "3", "b": "4", "2": "2", "0x1p4": "1", "nan": "5",
		"a,,b": "3,4", "a,b,a": "3,4", ",a,": "3", "b,2": "4,2",
	} {
		if got, err := l.Numbers(joined, ""); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", joined, got, err, want)
		}
	}
	if got, err := l.Numbers("a,x", ""); got != "" || !errors.Is(err, errUnknownLabel) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := l.Numbers("x,a,y", "-1"); got != "-1,3" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
