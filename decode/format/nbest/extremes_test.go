package nbest

import (
	"fmt"
	"strings"
	"testing"

	"fstore/decode/internal/readtest"
)

func TestExtremes(t *testing.T) {
	const n = 200_000
	list := func(tree string) string { return "1 x\n-1\n" + tree + "\n" }
	reader.Extremes(t, map[string]readtest.Extreme{
		"deep":        {Text: list(strings.Repeat("(A ", n) + "x" + strings.Repeat(")", n)), Items: n + 1},
		"deep, open":  {Text: list(strings.Repeat("(A ", n)) + list("(a b)"), Refused: 1, Items: 2},
		"wide":        {Text: list("(A" + strings.Repeat(" x (B)", n) + ")"), Items: 2*n + 1},
		"16 MiB":      {Text: list("(A " + strings.Repeat("x", 16<<20) + ")"), Items: 2},
		"candidates":  {Text: fmt.Sprintf("%d x\n", n) + strings.Repeat("-1\n(a b)\n", n), Items: 2 * n},
		"scores":      {Text: "1 x\n" + strings.Repeat("-1 ", n) + "\n(a b)\n", Items: 2},
		"no head":     {Text: strings.Repeat("-1\n(a b)\n", n) + list("(a b)"), Refused: 1, Items: 2},
		"heads":       {Text: strings.Repeat("1 x\n", n) + list("(a b)"), Refused: n, Items: 2},
		"huge count":  {Text: "999999999 x\n-1\n(a b)\n", Refused: 1, Items: 2},
		"blank lines": {Text: strings.Repeat("\n", 10*n) + list("(a b)"), Items: 2},
	})
}
