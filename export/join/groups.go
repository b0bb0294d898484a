package join

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/internal/parquetio"
)

// grouper partitions the texts by groups of tars, with the places of the samples that they belong to.
// All samples of a tar are in one group.
type grouper struct {
	*joiner
	tarsOfGroup int
	columns     []int         // of the texts, without their column key
	schema      *arrow.Schema // of these columns
	groups      []group
	unmatched   *spill // places of samples without a text, by group
	joined      *spill // by group, the row of a text in the group's file and the place of a sample that it belongs to
}

// group is the file of a group's texts. A text that belongs to several of its samples is there once.
type group struct {
	file   *os.File
	buffer *bufio.Writer
	texts  *parquetio.Writer
	rows   int64
}

func (g *grouper) openGroups() error {
	var fields []arrow.Field
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
		if g.groups[len(g.groups)-1].texts, err = parquetio.NewWriter(of.buffer, g.schema, parquetio.WriterOptions{RowGroupBytes: groupRowBytes}); err != nil {
			return fmt.Errorf("%s: %w", g.texts.files[0], err)
		}
	}
	var err error
	g.unmatched, err = newSpill(n)
	return err
}

// Close removes the files.
func (g *grouper) Close() {
	for _, of := range g.groups {
		of.file.Close()
		_ = os.Remove(of.file.Name())
	}
	for _, s := range []*spill{g.unmatched, g.joined} {
		if s != nil {
			s.Close()
		}
	}
}

func (g *grouper) groupOf(tar uint32) int { return int(tar) / g.tarsOfGroup }

func (g *grouper) addUnmatched(p place) error {
	return g.unmatched.addRecord(g.groupOf(p.tar), appendPlace(nil, p))
}

// match is what matchParts found for a text: what is isJoined, hasNoSample or isRepeated; at is the sample,
// if there is one.
type match struct {
	row  int64
	what byte
	at   place
}

// sortedMatches yields the matches sorted by row and then by place.
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
				return cmp.Or(cmp.Compare(a.row, b.row), a.at.compare(b.at))
			})
			for _, m := range all {
				if !yield(m, nil) {
					return
				}
			}
		}
	}
}

// pick is a row of a batch and the sample that it belongs to.
type pick struct {
	row int
	at  place
}

// scatterTexts reads the texts again and adds each to the groups of its samples. It lists the texts without a
// sample.
func (g *grouper) scatterTexts(ctx context.Context, matches *spill) error {
	next, stop := iter.Pull2(sortedMatches(matches))
	defer stop()
	list, err := g.newList(textsWithoutSample, "file", "row", g.options.Column, "reason")
	if err != nil {
		return err
	}
	defer list.temp.Discard()
	if g.joined, err = newSpill(len(g.groups)); err != nil {
		return err
	}
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

// addPicks adds the picked rows of a batch to their groups, by group number. Picks of one row are adjacent.
func (g *grouper) addPicks(rec arrow.Record, picks map[int][]pick) error {
	var record []byte
	for of, list := range picks {
		group := &g.groups[of]
		var rows []rowOf
		for i, p := range list {
			if i == 0 || p.row != list[i-1].row {
				rows = append(rows, rowOf{rec, p.row})
			}
			at := group.rows + int64(len(rows)) - 1
			record = appendPlace(binary.LittleEndian.AppendUint64(record[:0], uint64(at)), p.at)
			if err := g.joined.addRecord(of, record); err != nil {
				return err
			}
		}
		group.rows += int64(len(rows))
		texts, err := gatherColumns(g.schema, rows, g.columns)
		if err != nil {
			return err
		}
		err = group.texts.Write(texts)
		texts.Release()
		if err != nil {
			return scratchError(err)
		}
	}
	return nil
}
