package vector

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/google/go-cmp/cmp"
)

var described = Options{Features: 4288, Vocabulary: "0123456789abcdef", Classes: []Class{{"1", "letter"}, {"2", `"news"`}}}

var attributes = map[string]string{
	"n_features": "4288", "vocabulary": "0123456789abcdef", "classes": `{"1":"letter","2":"\"news\""}`,
}

// TestArrowBatches checks that the end of a batch depends only on what was written, and that the schema
// describes the columns.
func TestArrowBatches(t *testing.T) {
	r, err := ipc.NewReader(bytes.NewReader(write(t, "arrows", described, many()...)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if diff := cmp.Diff(attributes, r.Schema().Metadata().ToMap()); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	var rows []int64
	for r.Next() {
		rows = append(rows, r.RecordBatch().NumRows())
	}
	if diff := cmp.Diff([]int64{batchRows, batchRows, 10_000 - 2*batchRows}, rows); diff != "" || r.Err() != nil {
		t.Errorf("%v, batches (-want +got):\n%s", r.Err(), diff)
	}
}

// TestParquetSchema checks the columns that another reader sees.
func TestParquetSchema(t *testing.T) {
	r, err := file.NewParquetReader(bytes.NewReader(write(t, "parquet", described, few...)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	const want = `required group field_id=-1 parquetRow {
  required byte_array field_id=-1 sample (String);
  required group field_id=-1 labels (List) {
    repeated group field_id=-1 list {
      required double field_id=-1 element;
    }
  }
  required group field_id=-1 features (List) {
    repeated group field_id=-1 list {
      required int32 field_id=-1 element (Int(bitWidth=32, isSigned=false));
    }
  }
  required group field_id=-1 values (List) {
    repeated group field_id=-1 list {
      required double field_id=-1 element;
    }
  }
}
`
	if got := r.MetaData().Schema.String(); got != want {
		t.Errorf("schema\n%s", got)
	}
	about := map[string]string{}
	for key := range attributes {
		about[key] = *r.MetaData().KeyValueMetadata().FindValue(key)
	}
	if diff := cmp.Diff(attributes, about); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
}
