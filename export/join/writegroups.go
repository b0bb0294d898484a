package join

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/internal/parquetio"
	"capgraph/store"
)

// writeGroups writes the texts of all tars and lists the samples without a text.
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
		var unmatched []place
		for record, err := range g.unmatched.readRecords(of) {
			if err != nil {
				return err
			}
			unmatched = append(unmatched, parsePlace(record))
		}
		slices.SortFunc(unmatched, place.compare)
		for _, p := range unmatched {
			list.rows.Write([]string{path.Base(g.tars[p.tar]), p.key})
		}
	}
	if err := w.finishOutput(); err != nil {
		return err
	}
	return list.publishList()
}

// placed is a row of texts and the place of a sample that it belongs to.
type placed struct {
	rowOf
	at place
}

// writeGroup writes the texts of each tar of group number of.
func (g *grouper) writeGroup(ctx context.Context, of int, w output) error {
	records, err := g.groups[of].readTexts()
	if err != nil {
		return err
	}
	defer releaseAll(records)
	ends := make([]int64, len(records)) // for each record, the number of the group's rows up to its end
	end := int64(0)
	for i, rec := range records {
		end += rec.NumRows()
		ends[i] = end
	}
	var all []placed
	for record, err := range g.joined.readRecords(of) {
		if err != nil {
			return err
		}
		row := int64(binary.LittleEndian.Uint64(record))
		in := sort.Search(len(ends), func(i int) bool { return row < ends[i] })
		if in == len(ends) {
			return scratchError(fmt.Errorf("row %d of %d is missing", row, end))
		}
		rec := records[in]
		all = append(all, placed{rowOf{rec, int(row - ends[in] + rec.NumRows())}, parsePlace(record[8:])})
	}
	slices.SortFunc(all, func(a, b placed) int { return a.at.compare(b.at) })
	for tar := of * g.tarsOfGroup; tar < min((of+1)*g.tarsOfGroup, len(g.tars)); tar++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, _ := slices.BinarySearchFunc(all, uint32(tar)+1, func(p placed, tar uint32) int { return cmp.Compare(p.at.tar, tar) })
		name := strings.TrimSuffix(path.Base(g.tars[tar]), ".tar")
		if err := w.writeTexts(ctx, name, all[:n]); err != nil {
			return fmt.Errorf("the texts of %s: %w", g.tars[tar], err)
		}
		all = all[n:]
	}
	return nil
}

// readTexts closes the file of a group for writing and returns its texts.
func (f *group) readTexts() (records []arrow.Record, err error) {
	defer func() {
		if err != nil {
			releaseAll(records)
			err = scratchError(err)
		}
	}()
	if err := f.texts.Close(); err != nil {
		return nil, err
	}
	if err := f.buffer.Flush(); err != nil {
		return nil, err
	}
	size, err := f.file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	r, err := parquetio.NewReader(f.file, size, parquetio.ReaderOptions{})
	if err != nil {
		return nil, err
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		records = append(records, rec)
	}
}

func releaseAll(records []arrow.Record) {
	for _, rec := range records {
		rec.Release()
	}
}

// list is an output file that lists texts or samples without a counterpart.
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
