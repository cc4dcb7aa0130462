package conll09

import (
	"strconv"
	"strings"
	"testing"

	"fstore/decode/internal/readtest"
)

func TestExtremes(t *testing.T) {
	const n = 100_000
	row := func(id, head int) string {
		return strconv.Itoa(id) + "\tw\tl\tl\tX\tX\t_\t_\t" + strconv.Itoa(head) + "\t_\tdep\t_\t_\t_\n"
	}
	var chain, star strings.Builder
	for i := range n {
		chain.WriteString(row(i+1, i))
		star.WriteString(row(i+1, min(i, 1)))
	}
	wide := strings.TrimSuffix(row(1, 0), "\n") + strings.Repeat("\t_", n) + "\n"
	reader.Extremes(t, map[string]readtest.Extreme{
		"chain":   {Text: chain.String(), Items: n},
		"star":    {Text: star.String(), Items: n},
		"16 MiB":  {Text: "1\t" + strings.Repeat("x", 16<<20) + row(1, 0)[3:], Items: 1},
		"columns": {Text: wide + "\n" + row(1, 0), Refused: 1, Items: 1},
	})
}
