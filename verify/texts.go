package verify

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/pipeline"
	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/stages"
)

// The words that a column of texts/ may hold.
var (
	kinds      = []string{schemas.KindCaption, schemas.KindObject, schemas.KindRelation}
	changes    = []string{schemas.ChangedObject, schemas.ChangedAttribute, schemas.ChangedRelation, schemas.ChangedAction, schemas.ChangedOrder, schemas.ChangedJoin}
	categories = []string{schemas.CategoryObject, schemas.CategoryRelation, schemas.CategoryAttribute, schemas.CategoryNone}
)

func (c *check) texts() error {
	var columns []string
	for _, f := range schemas.TextsSchema().Fields() {
		columns = append(columns, f.Name)
	}
	return c.done(stages.PassTexts, func(s pipeline.Shard, _ *pipeline.Entry) error {
		return c.rows(stages.PassTexts, stages.Texts, s.Name, columns, checkTexts)
	})
}

// checkTexts tells what is wrong with the rows of a batch of whole images.
func checkTexts(rec arrow.Record, bad func(key, what string, args ...any)) error {
	keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
	if err != nil {
		return err
	}
	images, err := schemas.Column[*array.String](rec, schemas.ColImageKey)
	if err != nil {
		return err
	}
	texts, err := schemas.Column[*array.String](rec, schemas.ColText)
	if err != nil {
		return err
	}
	view, err := schemas.NewPoolView(rec)
	if err != nil {
		return err
	}
	var pool schemas.Pool
	for begin := 0; begin < keys.Len(); {
		end := begin
		positives := map[int64]bool{}
		for ; end < keys.Len() && images.Value(end) == images.Value(begin); end++ {
			if view.At(end, &pool) != nil { // told below
				continue
			}
			for _, p := range pool.Positives {
				positives[p.ID] = true
			}
		}
		for ; begin < end; begin++ {
			key := keys.Value(begin)
			if err := view.At(begin, &pool); err != nil {
				bad(key, "%v", err)
				continue
			}
			checkPool(&pool, texts.Value(begin), positives, func(what string, args ...any) { bad(key, what, args...) })
		}
	}
	return nil
}

// checkPool tells what is wrong with the texts of a caption; positives are the
// ids of those of its image.
func checkPool(pool *schemas.Pool, text string, positives map[int64]bool, bad func(what string, args ...any)) {
	if len(pool.Positives) == 0 || pool.Positives[0].Text != text {
		bad("its first positive is not its text")
	}
	for _, p := range pool.Positives {
		if p.ID != scenegraph.TextID(p.Text) {
			bad("the pos_id of %q is %d and should be %d", p.Text, p.ID, scenegraph.TextID(p.Text))
		}
		if !slices.Contains(kinds, p.Kind) {
			bad("the pos_kind of %q is %q", p.Text, p.Kind)
		}
	}
	for _, n := range pool.Negatives {
		if positives[scenegraph.TextID(n.Text)] {
			bad("the negative %q says what a positive of its image says", n.Text)
		}
		if n.Method == "" || !slices.Contains(changes, n.Changed) || !slices.Contains(categories, n.Category) {
			bad("the negative %q has neg_method %q, neg_changed %q, neg_category %q", n.Text, n.Method, n.Changed, n.Category)
		}
	}
}
