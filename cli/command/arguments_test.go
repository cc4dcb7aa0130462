package command

import (
	"testing"
)

func TestUnits(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "64": 64, "64MiB": 64 << 20, "64 mib": 64 << 20, "1GB": 1e9, "1.5k": 1500, "2Ki": 2048,
		"10t": 1e13, "500b": 500, "18446744073709551615": 1<<64 - 1,
	} {
		if got, err := scaled(text, byteUnits); got != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1XB", "NaN", "Inf", "18446744073709551615k", "1.5.2", "0x10"} {
		if got, err := scaled(text, byteUnits); err == nil {
			t.Errorf("%s: %d", text, got)
		}
	}
}
