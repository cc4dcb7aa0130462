package number

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendFloat(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.4: "0.4", 1e6: "1000000", 123456789012: "123456789012", 1e20: "100000000000000000000", 1e21: "1e+21",
		1e-6: "0.000001", 1e-7: "1e-07", 0.30000000000000004: "0.30000000000000004", -1.5: "-1.5",
		math.Inf(-1): "-Inf", math.MaxFloat64: "1.7976931348623157e+308", math.SmallestNonzeroFloat64: "5e-324",
	} {
		if got := string(AppendFloat(nil, x)); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		text := string(AppendFloat(nil, x))
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != x {
			t.Fatalf("%v is %s, which is %v, %v", x, text, back, err)
		}
	})
}

func TestGroup(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "1": "1", "123": "123", "1234": "1,234", "123456": "123,456", "1234567": "1,234,567",
		"-123": "-123", "-1234": "-1,234", "1234.5678": "1,234.5678", "NaN": "NaN", "+Inf": "+Inf", "1e+21": "1e+21",
	} {
		if got := string(Group([]byte("x"+text), 1)); got != "x"+want {
			t.Errorf("%s: %s, want x%s", text, got, want)
		}
	}
}
