package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/phrases"
	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/stages"
)

// metadataKey is the key in a schema's metadata whose value is the call or the rejects, as JSON.
const metadataKey = "capgraph"

// The values of call.Name.
const (
	callGraphs = "graphs"
	callTexts  = "texts"
	callUnits  = "units" // graphs and texts
)

// call is the JSON of a request.
type call struct {
	Name string `json:"call"`
	// Set are settings, "key=value", of the sections of pipeline.yaml that affect graphs and texts.
	Set []string `json:"set"`
	// Vocabulary is the output folder of a run, or empty for the word counts of public captions.
	Vocabulary string `json:"vocabulary"`
}

// request is a decoded request. It shares no memory with the message.
type request struct {
	call     call
	captions []stages.Caption // without null captions and repeated ones
	repeats  [][2]int64       // rows, each with an earlier row of the same text; neither has a known image
}

// decodeRequest decodes a message. It returns an error for any invalid bytes.
func decodeRequest(message []byte) (r *request, err error) {
	defer func() {
		if p := recover(); p != nil { // Arrow's decoder panics at invalid messages
			r, err = nil, fmt.Errorf("the request is no Arrow IPC stream: %v", p)
		}
	}()
	if err := checkStream(message); err != nil {
		return nil, fmt.Errorf("the request is no Arrow IPC stream of strings: %w", err)
	}
	in, err := ipc.NewReader(bytes.NewReader(message), ipc.WithAllocator(boundedAllocator{memory.NewGoAllocator(), len(message) + allocationSlack}))
	if err != nil {
		return nil, fmt.Errorf("the request is no Arrow IPC stream: %w", err)
	}
	defer in.Release()
	r = new(request)
	metadata := in.Schema().Metadata()
	at := metadata.FindKey(metadataKey)
	if at < 0 {
		return nil, fmt.Errorf("the request has no metadata %q", metadataKey)
	}
	decoder := json.NewDecoder(strings.NewReader(metadata.Values()[at]))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r.call); err != nil {
		return nil, fmt.Errorf("the metadata %q of the request: %w", metadataKey, err)
	}
	if !in.Next() {
		if err := in.Err(); err != nil {
			return nil, fmt.Errorf("the request's batch: %w", err)
		}
		return r, nil
	}
	if err := r.readCaptions(in.Record()); err != nil {
		return nil, err
	}
	return r, nil
}

// allocationSlack is how many bytes a buffer of Arrow may be larger than its message, for padding.
const allocationSlack = 1 << 12

// boundedAllocator panics in place of allocating a buffer that is larger than a message of this size can fill.
type boundedAllocator struct {
	memory.Allocator
	most int
}

// Allocate implements memory.Allocator.
func (a boundedAllocator) Allocate(size int) []byte {
	if size < 0 || size > a.most {
		panic(fmt.Sprintf("a buffer of %d bytes", size))
	}
	return a.Allocator.Allocate(size)
}

// Reallocate implements memory.Allocator.
func (a boundedAllocator) Reallocate(size int, b []byte) []byte {
	if size < 0 || size > a.most {
		panic(fmt.Sprintf("a buffer of %d bytes", size))
	}
	return a.Allocator.Reallocate(size, b)
}

// readCaptions copies the captions of a batch. A caption without key gets its text as key. A caption without image_key
// gets one made from its key, so that it has its own image. So the result for a caption does not depend on its
// neighbours.
func (r *request) readCaptions(batch arrow.Record) error {
	texts, err := textColumn(batch, schemas.ColCaption)
	if err != nil {
		return err
	}
	if texts == nil {
		return fmt.Errorf("the request has no column %q", schemas.ColCaption)
	}
	images, err := textColumn(batch, schemas.ColImageKey)
	if err != nil {
		return err
	}
	keys, err := textColumn(batch, schemas.ColKey)
	if err != nil {
		return err
	}
	given, err := textColumn(batch, sources.Phrases)
	if err != nil {
		return err
	}
	seen := map[string]int64{}
	for i := range int(batch.NumRows()) {
		text, ok := texts(i)
		if !ok {
			continue
		}
		c := stages.Caption{Row: int64(i), Text: text, Key: text}
		if given != nil {
			c.Phrases, c.HasPhrases = given(i)
			if plain, _, err := phrases.Unmark(text); err == nil && c.HasPhrases && phrases.AreMarked(text) {
				c.Text = plain // the marks of the phrases are removed from the caption
			}
		}
		ofImage, ofKey := false, false
		if images != nil {
			c.ImageKey, ofImage = images(i)
		}
		if keys != nil {
			if key, ok := keys(i); ok {
				c.Key, ofKey = key, true
			}
		}
		if !ofImage {
			c.ImageKey = "\x00" + c.Key // differs from every given image_key
			same := text
			if c.HasPhrases {
				same += "\x00" + c.Phrases
			}
			if first, repeated := seen[same]; repeated && !ofKey {
				r.repeats = append(r.repeats, [2]int64{c.Row, first})
				continue
			}
			seen[same] = c.Row
		}
		r.captions = append(r.captions, c)
	}
	return nil
}

// textColumn returns a function that copies the string in row i of a column, and reports whether it is not null. The
// function is nil if the batch has no such column.
func textColumn(batch arrow.Record, name string) (func(i int) (string, bool), error) {
	at := batch.Schema().FieldIndices(name)
	if len(at) == 0 {
		return nil, nil
	}
	var value func(i int) string
	column := batch.Column(at[0])
	switch c := column.(type) {
	case *array.String:
		value = c.Value
	case *array.LargeString:
		value = c.Value
	default:
		return nil, fmt.Errorf("column %q of the request is %s, not string", name, column.DataType())
	}
	return func(i int) (string, bool) {
		if column.IsNull(i) {
			return "", false
		}
		s := strings.Clone(value(i))
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, string(utf8.RuneError)) // which cleaning rejects
		}
		return s, true
	}, nil
}
