package index

import (
	"math"
	"testing"
)

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 123: "123", 1204: "1,204", 123456: "123,456", 1234567: "1,234,567",
		-123: "-123", -1204: "-1,204", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	if got := Thousands(uint64(math.MaxUint64)); got != "18,446,744,073,709,551,615" {
		t.Error(got)
	}
}
