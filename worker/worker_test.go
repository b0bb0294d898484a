package worker

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/schemas"
)

// encodeRequest returns a message. An empty caption is null.
func encodeRequest(t testing.TB, metadata string, captions, images []string) []byte {
	t.Helper()
	fields := []arrow.Field{{Name: schemas.ColCaption, Type: arrow.BinaryTypes.String, Nullable: true}}
	columns := [][]string{captions}
	if images != nil {
		fields, columns = append(fields, arrow.Field{Name: schemas.ColImageKey, Type: arrow.BinaryTypes.String, Nullable: true}), append(columns, images)
	}
	with := arrow.NewMetadata([]string{metadataKey}, []string{metadata})
	schema := arrow.NewSchema(fields, &with)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i, column := range columns {
		for _, s := range column {
			if s == "" {
				b.Field(i).AppendNull()
				continue
			}
			b.Field(i).(*array.StringBuilder).Append(s)
		}
	}
	batch := b.NewRecord()
	defer batch.Release()
	data, err := encodeStream(schema, []arrow.Record{batch})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func frame(message []byte) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(message)))) + string(message)
}

// reply is a decoded reply: the texts of its rows, or its error.
type reply struct {
	rows    map[int64]string
	rejects string
	err     string
	row     int64
}

func readReplies(t *testing.T, out []byte) []reply {
	t.Helper()
	var all []reply
	for len(out) > 0 {
		n := binary.LittleEndian.Uint64(out)
		in, err := ipc.NewReader(bytes.NewReader(out[8 : 8+n]))
		if err != nil {
			t.Fatal(err)
		}
		r := reply{rows: map[int64]string{}}
		if metadata := in.Schema().Metadata(); metadata.FindKey(metadataKey) >= 0 {
			r.rejects = metadata.Values()[metadata.FindKey(metadataKey)]
		}
		for in.Next() {
			batch := in.Record()
			if batch.Schema().HasField("error") {
				r.err, r.row = batch.Column(0).(*array.String).Value(0), batch.Column(1).(*array.Int64).Value(0)
				continue
			}
			for i := range int(batch.NumRows()) {
				text := batch.Column(1).(*array.String).Value(i)
				for c := 2; c < int(batch.NumCols()); c++ {
					text += " " + batch.Column(c).ValueStr(i)
				}
				r.rows[batch.Column(0).(*array.Int64).Value(i)] = text
			}
		}
		all, out = append(all, r), out[8+n:]
	}
	return all
}

// ask sends messages to one worker and returns its replies.
func ask(t *testing.T, messages ...[]byte) []reply {
	t.Helper()
	in := ""
	for _, m := range messages {
		in += frame(m)
	}
	var out bytes.Buffer
	if err := Serve(context.Background(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	return readReplies(t, out.Bytes())
}

const (
	graphsCall = `{"call":"graphs"}`
	textsCall  = `{"call":"texts","set":["seed=0"]}`
)

func TestWorkerAnswersInOrder(t *testing.T) {
	captions := []string{"a man riding a big wave", "", "!!!", "a red café beside a lake", "a man riding a big wave"}
	got := ask(t, encodeRequest(t, graphsCall, nil, nil), encodeRequest(t, graphsCall, captions, nil), encodeRequest(t, graphsCall, captions[3:4], nil))
	if len(got) != 3 || len(got[0].rows) != 0 || got[0].err != "" {
		t.Fatalf("%+v", got)
	}
	if len(got[1].rows) != 2 || !strings.HasPrefix(got[1].rows[3], "a red café beside a lake") || !strings.Contains(got[1].rows[0], "riding") {
		t.Errorf("rows: %+v", got[1])
	}
	if got[1].rejects != `{"rejects":[[2,"no_letters"]],"repeats":[[4,0]]}` {
		t.Errorf("rejects: %s", got[1].rejects)
	}
	if got[2].rows[0] != got[1].rows[3] {
		t.Errorf("a caption by itself has another graph: %s", got[2].rows[0])
	}
}

// TestTheEncoderIsAsked has a caption of which the linear model alone loses the colour.
func TestTheEncoderIsAsked(t *testing.T) {
	captions := []string{"a woman in purple juggles near a fountain"}
	for _, c := range []struct{ call, want string }{
		{graphsCall, `"text":"in purple"`},
		{textsCall, "woman in purple"},
	} {
		if got := ask(t, encodeRequest(t, c.call, captions, nil))[0]; !strings.Contains(strings.TrimPrefix(got.rows[0], captions[0]), c.want) {
			t.Errorf("%s: no %q in %q (%s)", c.call, c.want, got.rows[0], got.err)
		}
	}
}

func TestTextsDoNotDependOnNeighbours(t *testing.T) {
	var captions []string
	for i := range 400 {
		captions = append(captions, "a brown horse number "+strings.Repeat("x", i%40+1)+" beside a wooden fence in a green field")
	}
	captions[399] = "two small dogs playing with a red ball on a beach"
	got := ask(t, encodeRequest(t, textsCall, captions, nil), encodeRequest(t, textsCall, captions[399:], nil), encodeRequest(t, textsCall, captions, nil))
	if len(got[0].rows) != 41 || got[0].rows[399] != got[1].rows[0] || !strings.Contains(got[1].rows[0], "replace_object") {
		t.Errorf("%d rows; %q; by itself %q", len(got[0].rows), got[0].rows[399], got[1].rows[0])
	}
	for i, text := range got[0].rows {
		if got[2].rows[i] != text {
			t.Fatalf("row %d of the same request again: %q, %q", i, text, got[2].rows[i])
		}
	}
}

func TestCaptionsOfAnImageAreTogether(t *testing.T) {
	captions := []string{"a man in a red shirt", "two dogs on a beach", "a man in a white hat"}
	apart := ask(t, encodeRequest(t, textsCall, captions, []string{"1", "2", "1"}))[0]
	adjacent := ask(t, encodeRequest(t, textsCall, []string{captions[0], captions[2], captions[1]}, []string{"1", "1", "2"}))[0]
	for row, same := range []int64{0, 2, 1} {
		if apart.rows[int64(row)] == "" || apart.rows[int64(row)] != adjacent.rows[same] {
			t.Errorf("row %d: %q, adjacent %q", row, apart.rows[int64(row)], adjacent.rows[same])
		}
	}
}

func TestBadRequestsHaveErrorsAndTheNextIsAnswered(t *testing.T) {
	good := encodeRequest(t, graphsCall, []string{"a red bus"}, nil)
	for want, message := range map[string][]byte{
		"no Arrow IPC stream":     []byte("hello"),
		"no call is named":        encodeRequest(t, `{"call":"sing"}`, []string{"a red bus"}, nil),
		"unknown field":           encodeRequest(t, `{"call":"graphs","sett":[]}`, []string{"a red bus"}, nil),
		"max_negatives":           encodeRequest(t, `{"call":"texts","set":["negatives.max_negatives=-1"]}`, []string{"a red bus"}, nil),
		"captions in memory have": encodeRequest(t, `{"call":"texts","set":["output.dir=/x"]}`, []string{"a red bus"}, nil),
		"asks a served model":     encodeRequest(t, `{"call":"graphs","set":["parse.parser=hybrid","parse.model=m","parse.endpoints=[http://a:1/v1]"]}`, []string{"a red bus"}, nil),
		"device is cuda:9999: ":   encodeRequest(t, `{"call":"graphs","set":["parse.device=cuda:9999"]}`, []string{"a red bus"}, nil),
		"parse.model":             encodeRequest(t, `{"call":"texts","set":["negatives.replacements=llm"]}`, []string{"a red bus"}, nil),
		"nosuchfolder":            encodeRequest(t, `{"call":"texts","vocabulary":"nosuchfolder"}`, []string{"a red bus"}, nil),
	} {
		got := ask(t, message, good)
		if len(got) != 2 || !strings.Contains(got[0].err, want) || got[0].row != -1 || len(got[1].rows) != 1 {
			t.Errorf("want %q: %+v", want, got)
		}
	}
}

func TestLongAndCutOffRequests(t *testing.T) {
	good := encodeRequest(t, graphsCall, []string{"a red bus"}, nil)
	in := frame(make([]byte, 9000)) + frame(good)
	var out bytes.Buffer
	if err := serveWithin(context.Background(), strings.NewReader(in), &out, 8000); err != nil {
		t.Fatal(err)
	}
	got := readReplies(t, out.Bytes())
	if len(got) != 2 || !strings.Contains(got[0].err, "pass fewer captions") || len(got[1].rows) != 1 {
		t.Errorf("%+v", got)
	}
	whole := frame(good)
	for _, cut := range []int{1, 8, 9, len(whole) - 1} {
		if err := Serve(context.Background(), strings.NewReader(whole[:cut]), io.Discard); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut off after %d bytes: %v", cut, err)
		}
	}
}

func FuzzWorker(f *testing.F) {
	f.Add(encodeRequest(f, textsCall, []string{"a man riding a big wave", ""}, []string{"1", ""}))
	f.Add(encodeRequest(f, graphsCall, []string{"日本 \U0001F600"}, nil))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x10})
	f.Fuzz(func(t *testing.T, message []byte) {
		r, err := decodeRequest(message)
		if (r == nil) != (err != nil) {
			t.Fatalf("%v and %v", r, err)
		}
		if err == nil {
			for _, c := range r.captions {
				if _, err := json.Marshal(c); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func TestGivenPhrases(t *testing.T) {
	fields := []arrow.Field{{Name: schemas.ColCaption, Type: arrow.BinaryTypes.String}, {Name: "phrases", Type: arrow.BinaryTypes.LargeString, Nullable: true}}
	with := arrow.NewMetadata([]string{metadataKey}, []string{`{"call": "graphs"}`})
	schema := arrow.NewSchema(fields, &with)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for _, row := range [][2]string{
		{"a man rides a horse", ""}, {"a man rides a horse", `["horse"]`}, {"a man rides a horse", `[[0, 99]]`},
		{"[/EN#1/people a man] rides a horse", "[/EN#1/people a man] rides a horse"},
	} {
		b.Field(0).(*array.StringBuilder).Append(row[0])
		if row[1] == "" {
			b.Field(1).AppendNull()
		} else {
			b.Field(1).(*array.LargeStringBuilder).Append(row[1])
		}
	}
	batch := b.NewRecord()
	defer batch.Release()
	message, err := encodeStream(schema, []arrow.Record{batch})
	if err != nil {
		t.Fatal(err)
	}
	r, err := decodeRequest(message)
	if err != nil {
		t.Fatal(err)
	}
	s := new(server)
	_, batches, rejects, err := s.makeBatches(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range batches {
		view, err := schemas.NewGraphView(b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(b.NumRows()) {
			var g schemas.SceneGraph
			view.WholeAt(i, &g)
			names := ""
			for _, o := range g.Objects {
				names += " " + o.Name
			}
			got = append(got, names)
		}
	}
	if want := []string{" man horse", " horse", " man"}; !slices.Equal(got, want) {
		t.Errorf("objects %q, want %q", got, want)
	}
	if len(rejects) != 1 || rejects[0].Row != 2 || rejects[0].Reason != "malformed_phrases" {
		t.Errorf("rejects %v, want row 2", rejects)
	}
}
