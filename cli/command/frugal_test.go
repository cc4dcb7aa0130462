package command

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	for live, want := range map[uint64]int{0: 100, 1 << 20: 100, 64 << 20: 100, 128 << 20: 50, 256 << 20: 25, 1 << 40: 25} {
		if got := percentOf(live, smallGrowth); got != want {
			t.Errorf("%d bytes: %d %%, want %d", live, got, want)
		}
	}

	// The setting for a large heap must end when the heap is small again, and when the command ends.
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	end := Frugal()
	percent := func() int {
		now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(now)
		return int(now[0].Value.Uint64())
	}
	reaches := func(want int) {
		t.Helper()
		for range 1000 {
			runtime.GC()
			if percent() == want {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Errorf("%d %%, want %d", percent(), want)
	}
	large := make([]byte, 512<<20)
	reaches(25)
	runtime.KeepAlive(large)
	reaches(100)
	end()
	runtime.GC()
	if now := percent(); now != 77 {
		t.Errorf("%d %% after the command, want 77", now)
	}
}
