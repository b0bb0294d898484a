package join

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/internal/parquetio"
	"capgraph/store"
)

// The columns of a group before those of the texts. All rows of a tar are in one group.
var placeFields = []arrow.Field{
	{Name: "join tar", Type: arrow.PrimitiveTypes.Int64}, {Name: "join number", Type: arrow.PrimitiveTypes.Int64}, {Name: "key", Type: arrow.BinaryTypes.String},
}

// grouper collects texts with their places, by groups of tars.
type grouper struct {
	*joiner
	tarsOfGroup int
	columns     []int         // of the texts, without their own key
	schema      *arrow.Schema // of a group
	groups      []group
	lonely      *spill // places of samples without a text, by group
}

type group struct {
	file   *os.File
	buffer *bufio.Writer
	rows   *parquetio.Writer
}

func (g *grouper) openGroups() error {
	fields := slices.Clone(placeFields)
	for i, f := range g.texts.schema.Fields() {
		if f.Name != "key" {
			g.columns, fields = append(g.columns, i), append(fields, f)
		}
	}
	g.schema = arrow.NewSchema(fields, nil)
	n := (len(g.tars) + g.tarsOfGroup - 1) / g.tarsOfGroup
	for range n {
		f, err := scratchFile()
		if err != nil {
			return err
		}
		of := group{file: f, buffer: bufio.NewWriterSize(f, 64<<10)}
		g.groups = append(g.groups, of)
		if g.groups[len(g.groups)-1].rows, err = parquetio.NewWriter(of.buffer, g.schema, parquetio.WriterOptions{RowGroupBytes: groupRowBytes}); err != nil {
			return fmt.Errorf("%s: %w", g.texts.files[0], err)
		}
	}
	var err error
	g.lonely, err = newSpill(n)
	return err
}

// Close removes the files.
func (g *grouper) Close() {
	for _, of := range g.groups {
		of.file.Close()
		_ = os.Remove(of.file.Name())
	}
	if g.lonely != nil {
		g.lonely.Close()
	}
}

func (g *grouper) groupOf(tar uint32) int { return int(tar) / g.tarsOfGroup }

func (g *grouper) addLonely(p place) error {
	return g.lonely.addRecord(g.groupOf(p.tar), appendPlace(nil, p))
}

// match is what becomes of a text.
type match struct {
	row  int64
	what byte
	at   place
}

// sortedMatches yields the matches in the order of rows, and of the places of each.
func sortedMatches(from *spill) iter.Seq2[match, error] {
	return func(yield func(match, error) bool) {
		for part := range from.parts {
			var all []match
			for record, err := range from.readRecords(part) {
				if err != nil {
					yield(match{}, err)
					return
				}
				all = append(all, match{int64(binary.LittleEndian.Uint64(record)), record[8], parsePlace(record[9:])})
			}
			slices.SortFunc(all, func(a, b match) int {
				return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.at.tar, b.at.tar), cmp.Compare(a.at.number, b.at.number))
			})
			for _, m := range all {
				if !yield(m, nil) {
					return
				}
			}
		}
	}
}

// pick is a row of a batch, and where it goes.
type pick struct {
	row int
	at  place
}

// scatterTexts reads the texts again, adds each to the groups of its samples, and lists those without one.
func (g *grouper) scatterTexts(ctx context.Context, matches *spill) error {
	next, stop := iter.Pull2(sortedMatches(matches))
	defer stop()
	list, err := g.newList(textsWithoutSample, "file", "row", g.options.Column, "reason")
	if err != nil {
		return err
	}
	defer list.temp.Discard()
	column := g.texts.schema.FieldIndices(g.options.Column)[0]
	m, err, more := next()
	row := int64(0)
	for b, batchErr := range g.texts.readBatches() {
		if err := cmp.Or(batchErr, ctx.Err()); err != nil {
			return err
		}
		picks := map[int][]pick{}
		end := row + b.rec.NumRows()
		for ; more && err == nil && m.row < end; m, err, more = next() {
			i := int(m.row - row)
			if m.what == isJoined {
				of := g.groupOf(m.at.tar)
				picks[of] = append(picks[of], pick{i, m.at})
				continue
			}
			reason := "no sample has it"
			if value := g.options.By.ofText(textAt(b.rec.Column(column), i)); value == "" {
				reason = "empty"
			} else if m.what == isRepeated {
				reason = "another text before has it"
			}
			list.rows.Write([]string{b.file, strconv.FormatInt(b.row+int64(i), 10), textAt(b.rec.Column(column), i), reason})
		}
		row = end
		if err == nil {
			err = g.addPicks(b.rec, picks)
		}
		b.rec.Release()
		if err != nil {
			return err
		}
	}
	if row != g.summary.Texts || more {
		return fmt.Errorf("%s changed while it was read: join again", g.options.Texts)
	}
	return list.publishList()
}

// addPicks adds rows of a batch to their groups.
func (g *grouper) addPicks(rec arrow.Record, picks map[int][]pick) error {
	for of, list := range picks {
		places := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(placeFields, nil))
		rows := make([]rowOf, len(list))
		for i, p := range list {
			places.Field(0).(*array.Int64Builder).Append(int64(p.at.tar))
			places.Field(1).(*array.Int64Builder).Append(int64(p.at.number))
			places.Field(2).(*array.StringBuilder).Append(p.at.key)
			rows[i] = rowOf{rec, p.row}
		}
		first := places.NewRecord()
		places.Release()
		columns := slices.Clone(first.Columns())
		for _, c := range g.columns {
			gathered, err := gatherColumn(rows, c)
			if err != nil {
				return fmt.Errorf("column %q: %w", rec.ColumnName(c), err)
			}
			columns = append(columns, gathered)
		}
		joined := array.NewRecord(g.schema, columns, int64(len(rows)))
		err := g.groups[of].rows.Write(joined)
		joined.Release()
		first.Release()
		for _, c := range columns[len(placeFields):] {
			c.Release()
		}
		if err != nil {
			return scratchError(err)
		}
	}
	return nil
}

// rowOf is a row of a record.
type rowOf struct {
	rec arrow.Record
	row int
}

// gatherColumn returns a column of rows, which may be of several records. Rows that follow each other are
// copied together.
func gatherColumn(rows []rowOf, column int) (arrow.Array, error) {
	var parts []arrow.Array
	for begin := 0; begin < len(rows); {
		end := begin + 1
		for end < len(rows) && rows[end].rec == rows[begin].rec && rows[end].row == rows[end-1].row+1 {
			end++
		}
		part := array.NewSlice(rows[begin].rec.Column(column), int64(rows[begin].row), int64(rows[end-1].row+1))
		defer part.Release()
		parts = append(parts, part)
		begin = end
	}
	return array.Concatenate(parts, memory.DefaultAllocator)
}

// writeGroups writes the texts of each tar, in its order, and lists the samples without one.
func (g *grouper) writeGroups(ctx context.Context) error {
	list, err := g.newList(samplesWithoutText, "tar", "key")
	if err != nil {
		return err
	}
	defer list.temp.Discard()
	w, err := g.newOutput()
	if err != nil {
		return err
	}
	for of := range g.groups {
		if err := g.writeGroup(ctx, of, w); err != nil {
			return err
		}
		var lonely []place
		for record, err := range g.lonely.readRecords(of) {
			if err != nil {
				return err
			}
			lonely = append(lonely, parsePlace(record))
		}
		slices.SortFunc(lonely, func(a, b place) int {
			return cmp.Or(cmp.Compare(a.tar, b.tar), cmp.Compare(a.number, b.number))
		})
		for _, p := range lonely {
			list.rows.Write([]string{path.Base(g.tars[p.tar]), p.key})
		}
	}
	if err := w.finishOutput(); err != nil {
		return err
	}
	return list.publishList()
}

// writeGroup writes the texts of the tars of a group.
func (g *grouper) writeGroup(ctx context.Context, of int, w output) error {
	f := &g.groups[of]
	if err := f.rows.Close(); err != nil {
		return scratchError(err)
	}
	if err := f.buffer.Flush(); err != nil {
		return scratchError(err)
	}
	size, err := f.file.Seek(0, io.SeekEnd)
	if err != nil {
		return scratchError(err)
	}
	r, err := parquetio.NewReader(f.file, size, parquetio.ReaderOptions{})
	if err != nil {
		return err
	}
	byTar := map[int64][]rowOf{}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return scratchError(err)
		}
		defer rec.Release()
		tars := rec.Column(0).(*array.Int64)
		for i := range int(rec.NumRows()) {
			byTar[tars.Value(i)] = append(byTar[tars.Value(i)], rowOf{rec, i})
		}
	}
	number := func(r rowOf) int64 { return r.rec.Column(1).(*array.Int64).Value(r.row) }
	for tar := of * g.tarsOfGroup; tar < min((of+1)*g.tarsOfGroup, len(g.tars)); tar++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := byTar[int64(tar)]
		slices.SortFunc(rows, func(a, b rowOf) int { return cmp.Compare(number(a), number(b)) })
		name := strings.TrimSuffix(path.Base(g.tars[tar]), ".tar")
		if err := w.writeTexts(name, rows); err != nil {
			return fmt.Errorf("the texts of %s: %w", g.tars[tar], err)
		}
	}
	return nil
}

// list is a file of the output that lists what has no counterpart.
type list struct {
	temp store.Temp
	rows *csv.Writer
}

func (g *grouper) newList(name string, header ...string) (*list, error) {
	temp, err := g.options.Store.Create(store.Join(g.options.Output, listsFolder, name))
	if err != nil {
		return nil, err
	}
	l := &list{temp, csv.NewWriter(temp)}
	l.rows.Comma = '\t'
	return l, l.rows.Write(header)
}

func (l *list) publishList() error {
	l.rows.Flush()
	if err := l.rows.Error(); err != nil {
		return err
	}
	return l.temp.Publish()
}
