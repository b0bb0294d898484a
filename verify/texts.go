package verify

import (
	"errors"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"capgraph/folder"
	"capgraph/schemas"
)

// texts looks at the rows of texts/, beside those of graphs/, and at the figures
// of their entries.
func (c *check) texts() error {
	var columns []string
	for _, f := range schemas.TextsSchema().Fields() {
		columns = append(columns, f.Name)
	}
	return c.ofShards(folder.PassTexts, func(c *check, s folder.Shard, e *folder.Entry) error {
		var pools poolCheck
		beside := c.beside(s.Name, e)
		defer beside.close()
		var found figures
		err := c.rows(folder.PassTexts, s.Name, columns, func(rec arrow.Record, bad badRow) error {
			return errors.Join(beside.compare(rec, bad), pools.batch(rec, &found, bad))
		})
		if err != nil {
			return err
		}
		c.figures(e, found, "positives", "negatives", "without_negative")
		return nil
	})
}

// poolCheck looks at the texts of rows and reuses its memory.
type poolCheck struct {
	pools  []schemas.Pool // of the rows of an image
	pool   *schemas.Pool  // that of the row at hand
	said   []int64        // the ids of the positives of an image, sorted
	ids    []int64        // those of the texts of a row
	normal []byte
}

// batch tells what is wrong with the rows of a batch of whole images.
func (p *poolCheck) batch(rec arrow.Record, found *figures, bad badRow) error {
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
		faults := p.image(view, begin, end)
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
			p.positives(texts.Value(row), tell)
			p.negatives(tell)
		}
		begin = end
	}
	return nil
}

// image reads the pools of an image's rows, and what all of them say. A row that
// cannot be read has an error.
func (p *poolCheck) image(view *schemas.PoolView, begin, end int) (faults []error) {
	p.pools = schemas.Resize(p.pools, max(len(p.pools), end-begin))
	p.said = p.said[:0]
	for i := begin; i < end; i++ {
		pool := &p.pools[i-begin]
		err := view.At(i, pool)
		faults = append(faults, err)
		if err != nil {
			continue
		}
		for _, pos := range pool.Positives {
			p.said = append(p.said, pos.ID)
		}
	}
	slices.Sort(p.said)
	return faults
}
