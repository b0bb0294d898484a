package verify_test

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/schemas"
)

// column puts a value into all rows of a column of graphs/ or texts/.
func (f damaged) column(pass folder.Pass, name string, value any) {
	f.rewrite(pass, first, func(rec arrow.Record) arrow.Record {
		b := array.NewBuilder(memory.DefaultAllocator, rec.Column(rec.Schema().FieldIndices(name)[0]).DataType())
		for range rec.NumRows() {
			switch v := value.(type) {
			case string:
				b.(*array.StringBuilder).Append(v)
			case int64:
				b.(*array.Int64Builder).Append(v)
			case float32:
				b.(*array.Float32Builder).Append(v)
			}
		}
		return replace(rec, name, b.NewArray())
	})
}

// damagesOfRows are wrong values in rows whose file has the hash of its entry.
var damagesOfRows = []damage{
	{"texts/ has other texts than graphs/", func(f damaged) { f.column(folder.PassTexts, schemas.ColText, "a dog") },
		"texts", `its text is "a dog", and "`},
	{"texts/ has other images than graphs/", func(f damaged) { f.column(folder.PassTexts, schemas.ColImage, "x.jpg") },
		"texts", `its image is "x.jpg", and "`},
	{"texts/ has other image keys than graphs/", func(f damaged) { f.column(folder.PassTexts, schemas.ColImageKey, "x") },
		"texts", `its image_key is "x", and "`},
	{"texts/ has another key than graphs/", func(f damaged) { f.column(folder.PassTexts, schemas.ColKey, "x") },
		"texts", graphsFile + ` has the row "14cf795772c2-000000000" in its place`},
	{"texts/ lacks a row", func(f damaged) {
		f.rewrite(folder.PassTexts, first, func(rec arrow.Record) arrow.Record { return rec.NewSlice(1, rec.NumRows()) })
	}, "texts", graphsFile + ` has the row "14cf795772c2-000000000" in its place`},
	{"graphs/ lacks a row", func(f damaged) {
		f.rewrite(folder.PassParse, first, func(rec arrow.Record) arrow.Record { return rec.NewSlice(0, rec.NumRows()-1) })
	}, "texts", graphsFile + " has no row in its place"},

	{"a negative is no number", func(f damaged) {
		f.texts(func(p *schemas.Pool) { p.Negatives[0].Score = float32(math.NaN()) })
	}, "texts", "is NaN"},
	{"a negative is infinite", func(f damaged) {
		f.texts(func(p *schemas.Pool) { p.Negatives[0].Score = float32(math.Inf(1)) })
	}, "texts", "is +Inf"},
	{"a negative is empty", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Negatives[0].Text = " " }) }, "texts", `the negative " " is empty`},
	{"a positive is empty", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Positives[1].Text = "" }) }, "texts", `the positive "" is empty`},
	{"a negative is two lines", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Negatives[0].Text = "a\nb" }) }, "texts", `the negative "a\nb" is more than one line`},
	{"a negative comes twice", func(f damaged) {
		f.texts(func(p *schemas.Pool) { p.Negatives = append(p.Negatives, p.Negatives[0]) })
	}, "texts", "says what one before it says"},
	{"a positive comes twice", func(f damaged) {
		f.texts(func(p *schemas.Pool) { p.Positives = append(p.Positives, p.Positives[1]) })
	}, "texts", "says what one before it says"},
	{"the caption is none", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Positives[0].Kind = schemas.KindObject }) },
		"texts", `positive 0, is "object": the first and no other is "caption"`},
	{"a paraphrase follows another", func(f damaged) {
		f.texts(func(p *schemas.Pool) {
			p.Positives[1].Kind, p.Positives[2].Kind = schemas.KindParaphrase, schemas.KindParaphrase
		})
	}, "texts", "follows another and not what it says again"},
	{"a caption is of another", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Positives[1].Kind = schemas.KindCaption }) },
		"texts", `positive 1, is "caption": the first and no other is "caption"`},
	{"a method is unknown", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Negatives[0].Method = "guess" }) }, "texts", `neg_method "guess"`},
	{"a method changes something else", func(f damaged) {
		f.texts(func(p *schemas.Pool) {
			p.Negatives[0].Method, p.Negatives[0].Changed = "fill_object", schemas.ChangedAction
		})
	}, "texts", `neg_method "fill_object", neg_changed "action"`},
	{"a method has another category", func(f damaged) {
		f.texts(func(p *schemas.Pool) {
			n := &p.Negatives[0]
			n.Method, n.Changed, n.Category = "join", schemas.ChangedJoin, schemas.CategoryNone
		})
	}, "texts", `neg_category "none", which do not go together`},
	{"a method of the caption edits a part of it", func(f damaged) {
		f.texts(func(p *schemas.Pool) {
			n := &p.Negatives[0]
			n.Method, n.Changed, n.Category, n.Of = "swap_nouns", schemas.ChangedOrder, schemas.CategoryNone, 1
		})
	}, "texts", "has neg_of 1"},
	{"a negative changes more than one thing", func(f damaged) {
		f.texts(func(p *schemas.Pool) {
			n := &p.Negatives[0]
			n.Method, n.Changed, n.Category, n.Of = "replace_object", schemas.ChangedObject, schemas.CategoryRelation, 0
			n.Text = "another " + p.Positives[0].Text + " too"
		})
	}, "texts", "in more than one place, and its neg_method is replace_object"},

	{"a graph is surer than sure", func(f damaged) {
		f.column(folder.PassParse, schemas.ColConfidence, float32(2))
	}, "graphs", "its confidence is 2, not 0 to 1"},
	{"a graph's confidence is no number", func(f damaged) {
		f.column(folder.PassParse, schemas.ColConfidence, float32(math.NaN()))
	}, "graphs", "its confidence is NaN"},
	{"a graph is nobody's", func(f damaged) { f.column(folder.PassParse, schemas.ColParser, "") }, "graphs", "its parser is empty"},
	{"a row is before the first", func(f damaged) {
		f.column(folder.PassParse, schemas.ColSourceRow, int64(-1))
	}, "graphs", "its source_row is -1"},
	{"a row is of another file", func(f damaged) { f.column(folder.PassParse, schemas.ColSource, "x.tsv") },
		"graphs", `its source is "x.tsv", and its shard is of "cc12m.tsv"`},
	{"an object is said elsewhere", func(f damaged) {
		f.graphs(func(p *schemas.Parsed) { p.Graph.Objects[0].End-- })
	}, "graphs", " is where the text says "},
}
