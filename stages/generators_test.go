package stages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/negatives"
	"capgraph/schemas"
)

// A panic over one of several images at once is one of the stage, which fails
// the shard.
func TestPanicNamesTheStage(t *testing.T) {
	mem := memory.DefaultAllocator
	fields := []arrow.Field{}
	var columns []arrow.Array
	for _, name := range []string{schemas.ColKey, schemas.ColImageKey, schemas.ColText} {
		b := array.NewStringBuilder(mem)
		b.AppendValues([]string{"1", "2"}, nil)
		fields, columns = append(fields, schemas.Field(name, arrow.BinaryTypes.String)), append(columns, b.NewArray())
	}
	parsed := schemas.NewParsedBuilder(mem)
	parsed.Append(&schemas.Parsed{})
	parsed.Append(&schemas.Parsed{})
	batch := schemas.Assign(array.NewRecord(arrow.NewSchema(fields, nil), columns, 2), schemas.ParseFields(), parsed.NewColumns())
	g := &generators{newGenerator: func() (*negatives.Generator, error) { panic("broken") }}
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "broken") {
			t.Errorf("recovered %s", said)
		}
	}()
	err := g.eachImageTexts(t.Context(), batch, 2, func(*imageTexts) error { return nil })
	t.Errorf("texts were made, error %v", err)
}
