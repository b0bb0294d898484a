package schemas

import (
	"errors"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

var graphs = []SceneGraph{
	{},
	{
		Objects: []Object{
			{Name: "woman", Head: "woman", Attributes: []Attribute{{"tall", Pre, 2, 6, 0.75, ""}, {"in blue", Post, 13, 20, 0.5, ""}}, Begin: 7, End: 12},
			{Name: "tennis rackets", Head: "racket", Quantity: "two", Begin: 33, End: 47, Confidence: 0.875},
		},
		Relations: []Relation{{0, "is holding", "hold", 1, 21, 31, 0.25, Denied}},
	},
	{Objects: []Object{{Name: "größe", Head: "größe", Begin: NoOffset, End: NoOffset}}},
}

// docs/format.md names the columns, in their order.
func TestColumnsAreDocumented(t *testing.T) {
	data, err := os.ReadFile("../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	same := []arrow.Field{CaptionKindField(), {Name: ColSame, Type: arrow.ListOf(arrow.PrimitiveTypes.Int64)}} // of some sources alone
	for heading, schema := range map[string]*arrow.Schema{"## The columns of graphs/": GraphsSchema(same), "## The columns of texts/": arrow.NewSchema(append(TextsSchema().Fields(), CaptionKindField()), nil)} {
		_, section, _ := strings.Cut(string(data), heading)
		section, _, _ = strings.Cut(section, "\n## ")
		var columns []string
		for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(section, -1) {
			columns = append(columns, strings.Split(strings.ReplaceAll(row[1], "`", ""), ", ")...)
		}
		var want []string
		for _, f := range schema.Fields() {
			want = append(want, f.Name)
		}
		if !slices.Equal(columns, want) {
			t.Errorf("%q lists %v, the schema has %v", heading, columns, want)
		}
	}
}

func parsedBatch(t *testing.T, mem memory.Allocator) arrow.Record {
	t.Helper()
	b := NewParsedBuilder(mem)
	defer b.Release()
	for _, g := range graphs {
		b.Append(&Parsed{Tokens: []Token{{Begin: 0, End: 1, Tag: "DT", Lemma: "a", Quality: 0.25}}, Graph: g, Parser: "p/1", Confidence: 0.5})
	}
	columns := b.NewColumns()
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	return array.NewRecord(arrow.NewSchema(ParseFields(), nil), columns, int64(len(graphs)))
}

func TestGraphsSurviveTheBatchAndItsSlices(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	rec := parsedBatch(t, mem)
	defer rec.Release()
	for from := range graphs {
		slice := rec.NewSlice(int64(from), rec.NumRows())
		v, err := NewGraphView(slice)
		if err != nil {
			t.Fatal(err)
		}
		var g SceneGraph
		for i := from; i < len(graphs); i++ {
			v.WholeAt(i-from, &g)
			want := graphs[i]
			if len(g.Objects) != len(want.Objects) || len(g.Relations) != len(want.Relations) {
				t.Fatalf("row %d from %d: got %+v, want %+v", i, from, g, want)
			}
			for j := range want.Objects {
				w, o := want.Objects[j], g.Objects[j]
				if len(w.Attributes) == 0 && len(o.Attributes) == 0 {
					w.Attributes, o.Attributes = nil, nil
				}
				if !reflect.DeepEqual(o, w) {
					t.Errorf("row %d object %d: got %+v, want %+v", i, j, o, w)
				}
			}
			for j := range want.Relations {
				if g.Relations[j] != want.Relations[j] {
					t.Errorf("row %d relation %d: got %+v, want %+v", i, j, g.Relations[j], want.Relations[j])
				}
			}
		}
		slice.Release()
	}
}

// TestTokensOfEarlierVersions reads tokens with and without quality.
func TestTokensOfEarlierVersions(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	rec := parsedBatch(t, mem)
	defer rec.Release()
	list := array.NewListBuilderWithField(mem, EarlierTokens().Type.(*arrow.ListType).ElemField())
	defer list.Release()
	one := list.ValueBuilder().(*array.StructBuilder)
	list.Append(true)
	one.Append(true)
	appendInt32(one, 0, 0)
	appendInt32(one, 1, 1)
	appendString(one, 2, "DT")
	appendString(one, 3, "a")
	tokens := list.NewArray()
	defer tokens.Release()
	earlier := array.NewRecord(arrow.NewSchema([]arrow.Field{Field(ColTokens, tokens.DataType())}, nil), []arrow.Array{tokens}, 1)
	defer earlier.Release()
	for _, c := range []struct {
		rec  arrow.Record
		want float32
	}{{rec, 0.25}, {earlier, 0}} {
		v, err := NewTokensView(c.rec)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := v.At(0, nil), (Token{0, 1, "DT", "a", c.want}); len(got) != 1 || got[0] != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestKeepLeavesTheOtherRows(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	rec := parsedBatch(t, mem)
	defer rec.Release()
	for _, keep := range [][]bool{{true, true, true}, {false, false, false}, {true, false, true}, {false, true, false}} {
		out, err := Keep(mem, rec, keep)
		if err != nil {
			t.Fatal(err)
		}
		v, err := NewGraphView(out)
		if err != nil {
			t.Fatal(err)
		}
		var g SceneGraph
		row := 0
		for i, k := range keep {
			if !k {
				continue
			}
			v.At(row, &g)
			if len(g.Objects) != len(graphs[i].Objects) {
				t.Errorf("keep %v: row %d is not row %d of the batch", keep, row, i)
			}
			row++
		}
		if int(out.NumRows()) != row {
			t.Errorf("keep %v: %d rows, want %d", keep, out.NumRows(), row)
		}
		out.Release()
	}
}

func TestPoolsSurviveTheBatch(t *testing.T) {
	pools := []Pool{
		{Positives: []Positive{{"A red bus.", KindCaption, -7, 1, 3, []int32{-5, 1, 9}}}},
		{Positives: []Positive{{"a dog", KindObject, 1, 0.875, 12, []int32{2}}, {"a dog on a mat", KindRelation, 2, 0.5, 1, []int32{}}},
			Negatives: []HardNegative{{Text: "a cat on a mat", Of: 1, Method: "replace_object", Changed: ChangedObject, Category: CategoryRelation, Score: -0.25, Parts: []int32{-7, 8}}}},
	}
	var pb PositivesBuilder
	var nb NegativesBuilder
	for _, p := range pools {
		if err := errors.Join(pb.Append(p.Positives), nb.Append(p.Negatives)); err != nil {
			t.Fatal(err)
		}
	}
	pos := pb.NewColumns()
	empty := array.NewRecord(arrow.NewSchema(PositiveFields(), nil), pos, 2)
	for _, c := range pos {
		c.Release()
	}
	rec := Assign(empty, NegativeFields(), nb.NewColumns())
	empty.Release()
	defer rec.Release()
	v, err := NewPoolView(rec)
	if err != nil {
		t.Fatal(err)
	}
	var p Pool
	for i, want := range pools {
		if err := v.At(i, &p); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p.Positives, want.Positives) || len(p.Negatives) != len(want.Negatives) {
			t.Errorf("row %d: got %+v, want %+v", i, p, want)
		}
		for j := range want.Negatives {
			if !reflect.DeepEqual(p.Negatives[j], want.Negatives[j]) {
				t.Errorf("row %d negative %d: got %+v, want %+v", i, j, p.Negatives[j], want.Negatives[j])
			}
		}
	}
}

// TestTextsBeyondOffsets: offsets are int32, and 2 GiB of texts are beyond them.
// The pages of the text are never touched.
func TestTextsBeyondOffsets(t *testing.T) {
	pages, err := syscall.Mmap(-1, 0, math.MaxInt32, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Munmap(pages)
	long := unsafe.String(&pages[0], len(pages))
	var pb PositivesBuilder
	var nb NegativesBuilder
	for i, err := range []error{
		errors.Join(pb.Append([]Positive{{Text: "a dog"}}), nb.Append([]HardNegative{{Text: "a cat"}})),
		pb.Append([]Positive{{Text: long}}), nb.Append([]HardNegative{{Text: long}}),
	} {
		if i == 0 && err != nil || i > 0 && (err == nil || !strings.Contains(err.Error(), "more than 2 GiB")) {
			t.Errorf("texts %d: %v", i, err)
		}
	}
}

// One row whose lists are not parallel does not spoil those after it.
func TestListsThatAreNotParallel(t *testing.T) {
	var texts, kinds PositivesBuilder
	if err := errors.Join(texts.Append([]Positive{{Text: "a"}}), texts.Append([]Positive{{Text: "b"}}),
		kinds.Append([]Positive{{Kind: "x"}, {Kind: "y"}}), kinds.Append([]Positive{{Kind: "z"}})); err != nil {
		t.Fatal(err)
	}
	columns := texts.NewColumns()
	columns[1] = kinds.NewColumns()[1]
	v, err := NewPoolView(array.NewRecord(arrow.NewSchema(PositiveFields(), nil), columns, 2))
	if err != nil {
		t.Fatal(err)
	}
	var p Pool
	if err := v.At(0, &p); err == nil || err.Error() != "pos has 1 values and pos_kind has 2: they should be parallel" {
		t.Error(err)
	}
	if err := v.At(1, &p); err != nil || p.Positives[0].Text != "b" || p.Positives[0].Kind != "z" || len(p.Positives[0].Parts) != 0 {
		t.Errorf("%v, %+v", err, p)
	}
}

func TestAWrongColumnIsNamed(t *testing.T) {
	rec := parsedBatch(t, memory.DefaultAllocator)
	defer rec.Release()
	if _, err := Column[*array.String](rec, ColText); err == nil {
		t.Error("a missing column gave no error")
	}
	if _, err := Column[*array.Int64](rec, ColParser); err == nil {
		t.Error("a column of another type gave no error")
	}
	if _, err := NewPoolView(rec); err == nil {
		t.Error("a batch without texts gave a view of them")
	}
}
