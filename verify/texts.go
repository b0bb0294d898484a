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
	if uneven, err := unparallel(rec, keys, bad); err != nil || uneven {
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
			view.At(end, &pool)
			for _, p := range pool.Positives {
				positives[p.ID] = true
			}
		}
		for ; begin < end; begin++ {
			view.At(begin, &pool)
			key := keys.Value(begin)
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
		if int(n.Of) < 0 || int(n.Of) >= len(pool.Positives) {
			bad("the negative %q is of positive %d of %d", n.Text, n.Of, len(pool.Positives))
		}
		if positives[scenegraph.TextID(n.Text)] {
			bad("the negative %q says what a positive of its image says", n.Text)
		}
		if n.Method == "" || !slices.Contains(changes, n.Changed) || !slices.Contains(categories, n.Category) {
			bad("the negative %q has neg_method %q, neg_changed %q, neg_category %q", n.Text, n.Method, n.Changed, n.Category)
		}
	}
}

// unparallel tells the rows whose lists differ in length.
func unparallel(rec arrow.Record, keys *array.String, bad func(key, what string, args ...any)) (bool, error) {
	uneven := false
	for _, fields := range [][]arrow.Field{schemas.PositiveFields(), schemas.NegativeFields()} {
		var first *array.List
		for _, f := range fields {
			l, err := schemas.Column[*array.List](rec, f.Name)
			if err != nil {
				return false, err
			}
			if first == nil {
				first = l
			}
			for i := range l.Len() {
				a, b := first.ValueOffsets(i)
				from, to := l.ValueOffsets(i)
				if to-from != b-a {
					uneven = true
					bad(keys.Value(i), "%s has %d elements and %s %d", fields[0].Name, b-a, f.Name, to-from)
				}
			}
		}
	}
	return uneven, nil
}
