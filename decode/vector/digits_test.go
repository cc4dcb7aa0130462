package vector

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestAppendID(t *testing.T) {
	check := func(id uint32) {
		t.Helper()
		if got, want := string(appendID([]byte("x"), id)), "x"+strconv.FormatUint(uint64(id), 10); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	for id := uint32(1); id < 1<<17; id++ {
		check(id)
	}
	for power := uint32(10); power < math.MaxUint32/10; power *= 10 {
		for _, id := range []uint32{power - 1, power, power + 1, 9 * power, 10 * (power - 1)} {
			check(id)
		}
	}
	check(math.MaxUint32)
	r := rand.New(rand.NewPCG(1, 1))
	for range 1 << 17 {
		check(1 + r.Uint32N(math.MaxUint32)>>r.IntN(20))
	}
}
