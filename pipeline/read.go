package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
)

// ColGivenText is the column with the original text of a source's own graph, in which the graph's offsets are. Such a
// batch already has the columns of schemas.ParseFields. If the parser of a row is empty, it has no graph yet and must
// be parsed.
const ColGivenText = "given_text"

// ColGivenPhrases is the column with the phrases that are the objects of a caption, as package phrases reads them; null
// if the parser finds the objects.
const ColGivenPhrases = "given_phrases"

// findKeptTypes sets the types of the carried columns if the index has none: for each, the type in the first readable
// file with values of the column, or text.
func (c *Corpus) findKeptTypes(ctx context.Context, x *folder.Index) error {
	if len(x.Keep) == len(c.Options.Keep) || !c.Options.HasTypedColumns() {
		return nil
	}
	types := slices.Repeat([]schemas.KeptType{schemas.KeptNull}, len(c.Options.Keep))
	read := false
	for i, f := range c.Files {
		r, err := sources.Scan(ctx, c.Store, f, c.Options)
		if err != nil {
			indexed := slices.ContainsFunc(x.Files, func(f folder.SourceFile) bool { return f.Name == c.Names[i] && f.Error == "" })
			if ctx.Err() != nil || store.IsEnvironmentError(err) || indexed && store.IsUnreachable(err) {
				return classifySourceError(err)
			}
			continue
		}
		read = true
		for i, t := range r.KeptTypes() {
			if types[i] == schemas.KeptNull {
				types[i] = t
			}
		}
		if err := r.Close(); err != nil {
			return err
		}
		if !slices.Contains(types, schemas.KeptNull) {
			break
		}
	}
	if !read {
		return nil
	}
	for i, t := range types {
		if t == schemas.KeptNull {
			types[i] = schemas.KeptText
		}
	}
	x.Keep = types
	return nil
}

// checkKeptTypes returns an error if the carried columns of a file have other types than in the index.
func (c *Corpus) checkKeptTypes(file sources.File, types []schemas.KeptType, x *folder.Index) error {
	for i, want := range x.Keep {
		if types[i] != want && types[i] != schemas.KeptNull {
			return &sources.FileError{Path: file.Path, Offset: -1,
				Err:    fmt.Errorf("column %q is %s, and %s in the first file that could be read", c.Options.Keep[i], types[i], want),
				Remedy: "write it with one type in all files, or leave it out of source.keep and index anew with --redo index"}
		}
	}
	return nil
}

// Read opens a shard of an indexed corpus.
func (c *Corpus) Read(ctx context.Context, mem memory.Allocator, x *folder.Index, s folder.Shard) (Batches, error) {
	c, _, err := c.matchIndex(x)
	if err != nil {
		return nil, err
	}
	file, err := c.locateFile(x, s.File)
	if err != nil {
		return nil, classifySourceError(err)
	}
	if err := c.checkContent(file, x.Files[s.File]); err != nil {
		return nil, classifySourceError(err)
	}
	r, err := sources.Open(ctx, c.Store, file, c.Options, s.First)
	if err != nil {
		return nil, classifySourceError(err)
	}
	if err := c.checkKeptTypes(file, r.KeptTypes(), x); err != nil {
		r.Close()
		return nil, classifySourceError(err)
	}
	fields := append(schemas.CaptionFields(), c.Options.Fields(x.Keep)...)
	b := &sourceBatches{reader: r, path: file.Path, source: x.Files[s.File].Name, left: s.Rows}
	b.last = s.First.Row+s.Rows == x.Files[s.File].Rows
	b.captions = array.NewRecordBuilder(mem, arrow.NewSchema(fields, nil))
	if c.Options.HasCaptionKinds() {
		b.kinds = b.captions.Field(len(schemas.CaptionFields()) + len(c.Options.Keep)).(*array.StringBuilder)
	}
	if c.Options.HasSameImages() {
		b.same = b.captions.Field(len(fields) - 1).(*array.ListBuilder)
	}
	if c.Options.HasPhrases() {
		b.phrases = array.NewStringBuilder(mem)
	}
	if c.Options.HasGraphs() {
		b.parsed = schemas.NewParsedBuilder(mem)
		b.givenText = array.NewStringBuilder(mem)
	}
	return b, nil
}

// maxBatchBytes is the size at which a batch ends even between rows of one image. The stages after reading do not need
// all rows of an image together.
const maxBatchBytes = 2 * folder.BatchBytes

// sourceBatches turns the rows of a source into record batches.
type sourceBatches struct {
	reader    sources.Reader
	path      string
	source    string
	left      int64
	last      bool // the file ends with this shard
	row       sources.Row
	pending   bool
	run       imageRun
	ended     bool // checkEnd has run
	captions  *array.RecordBuilder
	kinds     *array.StringBuilder // of captions; nil if they are in one column
	same      *array.ListBuilder   // of captions; nil if the format has no such column
	parsed    *schemas.ParsedBuilder
	givenText *array.StringBuilder
	phrases   *array.StringBuilder // nil if the source has no such column
}

func (b *sourceBatches) Next() (arrow.Record, []folder.Reject, error) {
	var rejects []folder.Reject
	image, rows, run, size := "", 0, 0, 0
	for {
		if !b.pending {
			if b.left == 0 && !b.last {
				if err := b.checkEnd(); err != nil {
					return nil, nil, err
				}
				break
			}
			err := b.reader.Next(&b.row)
			if errors.Is(err, io.EOF) {
				if b.left > 0 {
					return nil, nil, &changedError{b.path, "has fewer rows than"}
				}
				break
			}
			if err != nil {
				return nil, nil, classifySourceError(err)
			}
			if b.left == 0 {
				return nil, nil, &changedError{b.path, "has more rows than"}
			}
			b.left--
			b.run.addImage(b.row.ImageKey)
		}
		b.pending = false
		row := &b.row
		if row.ImageKey != image || run == folder.MaxImageRows {
			image, run = row.ImageKey, 0
		}
		full := rows+len(rejects) >= folder.BatchRows || size >= folder.BatchBytes
		if full && (run == 0 || size >= maxBatchBytes) {
			b.pending = true
			break
		}
		run++
		if row.Reject != "" {
			reject := folder.Reject{
				Source: b.source, SourceRow: row.SourceRow, Key: row.Key, ImageKey: row.ImageKey, Caption: row.Caption,
				Stage: StageRead, Reason: row.Reject, Detail: row.Detail,
			}
			reject.Clip()
			rejects = append(rejects, reject)
			size += len(reject.Caption)
			continue
		}
		size += row.Size()
		b.appendRow(row)
		rows++
	}
	if rows == 0 && len(rejects) == 0 {
		return nil, nil, io.EOF
	}
	return b.takeBatch(), rejects, nil
}

// imageRun counts adjacent rows of an image. After folder.MaxImageRows rows another run begins.
type imageRun struct {
	image string
	rows  int
}

// addImage counts the next row, which is of image, and reports whether it begins a run.
func (r *imageRun) addImage(image string) (begins bool) {
	if begins = r.rows == 0 || image != r.image || r.rows == folder.MaxImageRows; begins {
		*r = imageRun{image: image}
	}
	r.rows++
	return begins
}

// checkEnd returns an error unless a run of rows of an image ends where the shard does, as it did when the file was
// indexed. It reads the first row of the next shard. An error of that row is ignored, since the other shard reports it.
func (b *sourceBatches) checkEnd() error {
	if b.ended || b.run.rows == 0 {
		return nil
	}
	b.ended = true
	var row sources.Row
	switch err := b.reader.Next(&row); {
	case errors.Is(err, io.EOF):
		return &changedError{b.path, "has fewer rows than"}
	case err == nil && !b.run.addImage(row.ImageKey):
		return &changedError{b.path, "has other rows than"}
	case store.IsEnvironmentError(err):
		return err
	}
	return nil
}

func (b *sourceBatches) appendRow(row *sources.Row) {
	text := func(i int, s string) { b.captions.Field(i).(*array.StringBuilder).Append(s) }
	text(0, row.Key)
	text(1, row.ImageKey)
	text(2, row.Image)
	text(3, row.Caption)
	text(4, b.source)
	b.captions.Field(5).(*array.Int64Builder).Append(row.SourceRow)
	for i, k := range row.Keep {
		appendKept(b.captions.Field(6+i), k)
	}
	if b.kinds != nil {
		b.kinds.Append(row.Kind)
	}
	if b.same != nil {
		b.same.Append(true)
		for _, h := range row.Same {
			b.same.ValueBuilder().(*array.Int64Builder).Append(int64(h))
		}
	}
	if b.phrases != nil && row.HasPhrases {
		b.phrases.Append(row.Phrases)
	} else if b.phrases != nil {
		b.phrases.AppendNull()
	}
	if b.parsed != nil {
		var given schemas.Parsed
		if row.Graph != nil {
			given = schemas.Parsed{Graph: *row.Graph, Parser: row.Parser, Confidence: row.Confidence}
		}
		b.parsed.Append(&given)
		b.givenText.Append(row.Text)
	}
}

func appendKept(b array.Builder, k sources.Kept) {
	if k.Null {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(k.String())
	case *array.Int64Builder:
		b.Append(k.Int)
	case *array.Float64Builder:
		b.Append(k.Float)
	case *array.BooleanBuilder:
		b.Append(k.Bool)
	}
}

func (b *sourceBatches) takeBatch() arrow.Record {
	rec := b.captions.NewRecord()
	if b.phrases != nil {
		captions := rec
		field := arrow.Field{Name: ColGivenPhrases, Type: arrow.BinaryTypes.String, Nullable: true}
		rec = schemas.Assign(captions, []arrow.Field{field}, []arrow.Array{b.phrases.NewArray()})
		captions.Release()
	}
	if b.parsed == nil {
		return rec
	}
	defer rec.Release()
	fields := append(schemas.ParseFields(), schemas.Field(ColGivenText, arrow.BinaryTypes.String))
	return schemas.Assign(rec, fields, append(b.parsed.NewColumns(), b.givenText.NewArray()))
}

func (b *sourceBatches) Close() error {
	b.captions.Release()
	if b.phrases != nil {
		b.phrases.Release()
	}
	if b.parsed != nil {
		b.parsed.Release()
		b.givenText.Release()
	}
	return b.reader.Close()
}
