package verify

import (
	"errors"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/folder"
	"capgraph/schemas"
)

// checkTexts checks the rows of texts/, compares them with graphs/, and checks the statistics of
// their entries.
func (c *check) checkTexts() error {
	var columns []string
	for _, f := range schemas.TextsSchema().Fields() {
		columns = append(columns, f.Name)
	}
	return c.forEachShard(folder.PassTexts, func(c *check, s folder.Shard, e *folder.Entry) error {
		var pools poolCheck
		beside := c.openGraphRows(s.Name, e)
		defer beside.close()
		var found rowStats
		err := c.checkRows(folder.PassTexts, s.Name, columns, func(rec arrow.Record, bad reportRow) error {
			return errors.Join(beside.compare(rec, bad), pools.checkBatch(rec, &found, bad))
		})
		if err != nil {
			return err
		}
		c.compareStats(e, found, "positives", "negatives", "without_negative")
		return nil
	})
}

// poolCheck checks the texts of rows. It reuses its memory for each image.
type poolCheck struct {
	pools       []schemas.Pool // one for each row of the image
	pool        *schemas.Pool  // of the current row
	positiveIDs []int64        // IDs of all positives of the image, sorted
	rowIDs      []int64        // IDs of the texts of the current row
	normal      []byte
}

// checkBatch reports faults of the rows of a batch. A batch does not split images.
func (p *poolCheck) checkBatch(rec arrow.Record, found *rowStats, bad reportRow) error {
	columns, err := schemas.Strings(rec, schemas.ColKey, schemas.ColImageKey, schemas.ColText)
	if err != nil {
		return err
	}
	keys, images, texts := columns[0], columns[1], columns[2]
	view, err := schemas.NewPoolView(rec)
	if err != nil {
		return err
	}
	for begin := 0; begin < keys.Len(); {
		end := begin + 1
		for end < keys.Len() && images.Value(end) == images.Value(begin) {
			end++
		}
		faults := p.readImage(view, begin, end)
		for i, fault := range faults {
			row := begin + i
			tell := func(what string, args ...any) { bad(keys.Value(row), what, args...) }
			if fault != nil {
				tell("%v", fault)
				continue
			}
			p.pool = &p.pools[i]
			found.rows++
			found.add("positives", len(p.pool.Positives))
			found.add("negatives", len(p.pool.Negatives))
			if len(p.pool.Negatives) == 0 {
				found.add("without_negative", 1)
			}
			p.checkPositives(texts.Value(row), tell)
			p.checkNegatives(tell)
		}
		begin = end
	}
	return nil
}

// readImage reads the pools of an image's rows and collects the IDs of their positives. It returns
// an error for each row; nil if the row can be read.
func (p *poolCheck) readImage(view *schemas.PoolView, begin, end int) (faults []error) {
	p.pools = schemas.Resize(p.pools, max(len(p.pools), end-begin))
	p.positiveIDs = p.positiveIDs[:0]
	for i := begin; i < end; i++ {
		pool := &p.pools[i-begin]
		err := view.At(i, pool)
		faults = append(faults, err)
		if err != nil {
			continue
		}
		for _, pos := range pool.Positives {
			p.positiveIDs = append(p.positiveIDs, pos.ID)
		}
	}
	slices.Sort(p.positiveIDs)
	return faults
}
