package vector

import (
	"fmt"

	"fstore/decode/jsontext"
)

// attributes are what arrow and parquet say of the whole table, as keys and values.
func (o *Options) attributes() (keys, values []string) {
	classes := []byte{'{'}
	for i, c := range o.Classes {
		if i > 0 {
			classes = append(classes, ',')
		}
		classes = jsontext.Append(classes, []byte(c.Number))
		classes = append(classes, ':')
		classes = jsontext.Append(classes, []byte(c.Name))
	}
	return []string{"n_features", "vocabulary", "classes"},
		[]string{fmt.Sprint(o.Features), o.Vocabulary, string(append(classes, '}'))}
}
