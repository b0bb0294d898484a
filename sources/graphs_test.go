package sources

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

const factualCSV = "image_id,region_id,caption,scene_graph\r\n" +
	`1,11,"a ""red"" bus, parked","( bus , is , red ) , ( bus , is , parked )"` + "\r\n" +
	"1,12,two men,\"( men , is , 2 )\"\n" +
	"2,13,a wall,( wall\n" +
	"2,14,short row\n" +
	"2,17,a café,( caf\xe9 )\n" +
	"2,18,a café,\"( café , is , \xe9 )\"\n" +
	"2,19,a café,\"( café , \xe9 , wall )\"\n" +
	"3,15,\"two\nlines\",( line )\n" +
	"3,11,again,( wall )\n" +
	"3,21,a bell,( bell\a )\n" +
	"3,16,nothing,\n"

func TestFactualCSV(t *testing.T) {
	for name, data := range map[string][]byte{"plain": []byte(factualCSV), "bom": append(bytes.Clone(byteOrderMark), factualCSV...), "zstd": zstded(t, []byte(factualCSV))} {
		t.Run(name, func(t *testing.T) {
			opts := write(t, "graphs", data)
			rows, _, err := read(t, opts, schemas.Position{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range rows {
				s := fmt.Sprintf("%d|%s|%s|%q|%s|", r.SourceRow, r.Key, r.ImageKey, r.Caption, r.Reject)
				if r.Graph != nil {
					s += fmt.Sprintf("%d objects|%s", len(r.Graph.Objects), r.Parser)
				}
				got = append(got, s)
			}
			want := []string{
				`0|11|1|"a \"red\" bus, parked"||1 objects|factual/csv`,
				`1|12|1|"two men"||1 objects|factual/csv`,
				`2|13|2|"a wall"|malformed_graph|`,
				`3|00000-000000003|00000-000000003|""|malformed|`,
				`4|17|2|"a café"|invalid_utf8|`,
				`5|18|2|"a café"|invalid_utf8|`,
				`6|19|2|"a café"|invalid_utf8|`,
				`7|15|3|"two\nlines"||1 objects|factual/csv`,
				`8|11|3|"again"|duplicate_key|`,
				`9|21|3|"a bell"|malformed_graph|`,
				`10|16|3|"nothing"||0 objects|factual/csv`,
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
	checkResume(t, write(t, "graphs", []byte(strings.ReplaceAll(factualCSV, "3,11,", "3,20,"))))
}

// graphsFile is a file as a run writes it to graphs/, but for the rows of its
// row groups.
func graphsFile(t testing.TB, graphs []schemas.SceneGraph, texts []string, groupRows int) []byte {
	t.Helper()
	mem := memory.DefaultAllocator
	schema := schemas.GraphsSchema([]arrow.Field{{Name: "width", Type: arrow.PrimitiveTypes.Int64, Nullable: true}})
	captions := array.NewRecordBuilder(mem, arrow.NewSchema(schema.Fields()[:8], nil))
	defer captions.Release()
	parsed := schemas.NewParsedBuilder(mem)
	defer parsed.Release()
	for i, g := range graphs {
		for j, s := range []string{fmt.Sprint("k", i), "image", "a.jpg", "Caption ", "corpus"} {
			captions.Field(j).(*array.StringBuilder).Append(s)
		}
		captions.Field(5).(*array.Int64Builder).Append(int64(i))
		captions.Field(6).(*array.Int64Builder).Append(640)
		captions.Field(7).(*array.StringBuilder).Append(texts[i])
		parsed.Append(&schemas.Parsed{Graph: g, Parser: "t5/large", Confidence: 0.5})
	}
	rec := captions.NewRecord()
	defer rec.Release()
	rec = schemas.Assign(rec, schemas.ParseFields(), parsed.NewColumns())
	defer rec.Release()
	return batchFile(t, rec, groupRows)
}

// batchFile is a Parquet file of a batch.
func batchFile(t testing.TB, rec arrow.Record, groupRows int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := parquetio.NewWriter(&b, rec.Schema(), parquetio.WriterOptions{RowGroupRows: groupRows})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var busGraph = schemas.SceneGraph{
	Objects: []schemas.Object{
		{Name: "bus", Head: "bus", Begin: 6, End: 9, Attributes: []schemas.Attribute{{Text: "red", Form: schemas.Pre, Begin: 2, End: 5}}},
		{Name: "road", Head: "road", Begin: schemas.NoOffset, End: schemas.NoOffset},
	},
	Relations: []schemas.Relation{{Subject: 0, Predicate: "on", Lemma: "on", Object: 1, Begin: 10, End: 12}},
}

func TestOwnGraphs(t *testing.T) {
	beyond := schemas.SceneGraph{Objects: []schemas.Object{{Name: "bus", Begin: 6, End: 90}}}
	dangling := schemas.SceneGraph{Objects: busGraph.Objects[:1], Relations: busGraph.Relations}
	bare := schemas.SceneGraph{Objects: []schemas.Object{{Name: "bus", Head: "bus", Attributes: []schemas.Attribute{{Form: schemas.Pre}}}}}
	unsaid := schemas.SceneGraph{Objects: busGraph.Objects, Relations: []schemas.Relation{{Object: 1}}}
	// The keys of counts are cut at tabs.
	tab := schemas.SceneGraph{Objects: []schemas.Object{{Name: "tennis\tracket", Head: "racket"}}}
	tabs := schemas.SceneGraph{Objects: busGraph.Objects, Relations: []schemas.Relation{{Predicate: "next to", Lemma: "next\tto", Object: 1}}}
	graphs := []schemas.SceneGraph{busGraph, {}, beyond, dangling, busGraph, bare, unsaid, tab, tabs}
	opts := write(t, "graphs", graphsFile(t, graphs, []string{
		"a red bus on it", "a", "a red bus", "a red bus on it", "a red bus on it", "a bus", "a red bus", "a tennis racket", "a red bus",
	}, 2))
	opts.Keep = []string{"width"}
	rows, _, err := read(t, opts, schemas.Position{})
	if err != nil || len(rows) != len(graphs) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range []string{"", "", RejectMalformedGraph, RejectMalformedGraph, "", RejectMalformedGraph, RejectMalformedGraph, RejectMalformedGraph, RejectMalformedGraph} {
		if rows[i].Reject != want {
			t.Errorf("row %d: %q: %s", i, rows[i].Reject, rows[i].Detail)
		}
	}
	r := rows[0]
	if !reflect.DeepEqual(*r.Graph, busGraph) {
		t.Errorf("graph %+v", r.Graph)
	}
	r.Graph = nil
	want := Row{
		Key: "k0", ImageKey: "image", Image: "a.jpg", Caption: "Caption ", Text: "a red bus on it", Parser: "t5/large",
		Confidence: 0.5, Keep: []Kept{{Type: schemas.KeptInt, Int: 640}},
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got %+v\nwant %+v", r, want)
	}
	checkResume(t, opts)
}

func TestGraphsWithoutTheirColumns(t *testing.T) {
	opts := write(t, "graphs", []byte("id,text\n1,a bus\n"))
	if _, err := open(t, opts, schemas.Position{}); err == nil || !strings.Contains(err.Error(), `has no column "caption"; its header is id, text`) {
		t.Error(err)
	}
	opts = write(t, "graphs", parquetOf(t, webRows(2)))
	if _, err := open(t, opts, schemas.Position{}); err == nil || !strings.Contains(err.Error(), `has no column "key"`) {
		t.Error(err)
	}
}
