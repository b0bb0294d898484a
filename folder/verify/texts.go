package verify

import (
	"errors"

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
	pools := poolCheck{said: map[int64]bool{}}
	return c.done(folder.PassTexts, func(s folder.Shard, e *folder.Entry) error {
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
	pool schemas.Pool
	said map[int64]bool // the ids of the positives of an image
	ids  []int64        // those of the texts of a row
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
		end := begin
		clear(p.said)
		for ; end < keys.Len() && images.Value(end) == images.Value(begin); end++ {
			if view.At(end, &p.pool) != nil { // told below
				continue
			}
			for _, pos := range p.pool.Positives {
				p.said[pos.ID] = true
			}
		}
		for ; begin < end; begin++ {
			key := keys.Value(begin)
			tell := func(what string, args ...any) { bad(key, what, args...) }
			if err := view.At(begin, &p.pool); err != nil {
				tell("%v", err)
				continue
			}
			found.rows++
			found.add("positives", len(p.pool.Positives))
			found.add("negatives", len(p.pool.Negatives))
			if len(p.pool.Negatives) == 0 {
				found.add("without_negative", 1)
			}
			p.positives(texts.Value(begin), tell)
			p.negatives(tell)
		}
	}
	return nil
}
