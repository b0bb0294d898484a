package schemas

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// GraphView reads the graph column of a batch. Its strings are valid as long as the batch.
type GraphView struct {
	graph                                             *array.Struct
	objects, attributes, relations                    *array.List
	name, head, quantity, attrText, attrForm          *array.String
	predicate, lemma                                  *array.String
	objBegin, objEnd, attrBegin, attrEnd              *array.Int32
	subject, object, relationBegin, relationEnd       *array.Int32
	objConfidence, attrConfidence, relationConfidence *array.Float32
	objStatus, attrStatus, relationStatus             *array.String
}

// NewGraphView returns a view of the graph column of rec.
func NewGraphView(rec arrow.Record) (*GraphView, error) {
	g, err := Column[*array.Struct](rec, ColGraph)
	if err != nil {
		return nil, err
	}
	if err := sameType(rec, ColGraph, GraphType()); err != nil {
		return nil, err
	}
	v := &GraphView{graph: g, objects: g.Field(0).(*array.List), relations: g.Field(1).(*array.List)}
	o := v.objects.ListValues().(*array.Struct)
	v.name, v.head, v.quantity = o.Field(0).(*array.String), o.Field(1).(*array.String), o.Field(2).(*array.String)
	v.attributes = o.Field(3).(*array.List)
	v.objBegin, v.objEnd = o.Field(4).(*array.Int32), o.Field(5).(*array.Int32)
	v.objConfidence = o.Field(6).(*array.Float32)
	a := v.attributes.ListValues().(*array.Struct)
	v.attrText, v.attrForm = a.Field(0).(*array.String), a.Field(1).(*array.String)
	v.attrBegin, v.attrEnd = a.Field(2).(*array.Int32), a.Field(3).(*array.Int32)
	v.attrConfidence = a.Field(4).(*array.Float32)
	r := v.relations.ListValues().(*array.Struct)
	v.subject, v.predicate, v.lemma = r.Field(0).(*array.Int32), r.Field(1).(*array.String), r.Field(2).(*array.String)
	v.object, v.relationBegin, v.relationEnd = r.Field(3).(*array.Int32), r.Field(4).(*array.Int32), r.Field(5).(*array.Int32)
	v.relationConfidence = r.Field(6).(*array.Float32)
	v.objStatus, v.attrStatus = o.Field(7).(*array.String), a.Field(5).(*array.String)
	v.relationStatus = r.Field(7).(*array.String)
	return v, nil
}

// Null reports whether row i has no graph: the graph, its objects or its relations are null.
func (v *GraphView) Null(i int) bool {
	return v.graph.IsNull(i) || v.objects.IsNull(i) || v.relations.IsNull(i)
}

// At sets g to what the caption of row i asserts. It reuses the memory of g.
func (v *GraphView) At(i int, g *SceneGraph) {
	v.WholeAt(i, g)
	g.KeepAsserted()
}

// WholeAt sets g to the graph of row i, with denied and hypothetical things. It reuses the memory
// of g.
func (v *GraphView) WholeAt(i int, g *SceneGraph) {
	begin, end := v.objects.ValueOffsets(i)
	g.Objects = Resize(g.Objects, int(end-begin))
	for j := begin; j < end; j++ {
		o := &g.Objects[j-begin]
		k := int(j)
		o.Name, o.Head, o.Quantity = v.name.Value(k), v.head.Value(k), v.quantity.Value(k)
		o.Begin, o.End, o.Confidence, o.Status = v.objBegin.Value(k), v.objEnd.Value(k), v.objConfidence.Value(k), v.objStatus.Value(k)
		ab, ae := v.attributes.ValueOffsets(k)
		o.Attributes = Resize(o.Attributes, int(ae-ab))
		for n := ab; n < ae; n++ {
			m := int(n)
			o.Attributes[n-ab] = Attribute{Text: v.attrText.Value(m), Form: v.attrForm.Value(m), Begin: v.attrBegin.Value(m), End: v.attrEnd.Value(m), Confidence: v.attrConfidence.Value(m), Status: v.attrStatus.Value(m)}
		}
	}
	begin, end = v.relations.ValueOffsets(i)
	g.Relations = Resize(g.Relations, int(end-begin))
	for j := begin; j < end; j++ {
		k := int(j)
		g.Relations[j-begin] = Relation{Subject: v.subject.Value(k), Predicate: v.predicate.Value(k), Lemma: v.lemma.Value(k), Object: v.object.Value(k),
			Begin: v.relationBegin.Value(k), End: v.relationEnd.Value(k), Confidence: v.relationConfidence.Value(k), Status: v.relationStatus.Value(k)}
	}
}

// TokensView reads the tokens column of a batch.
type TokensView struct {
	tokens     *array.List
	begin, end *array.Int32
	tag, lemma *array.String
	quality    *array.Float32 // nil for graphs of earlier versions
}

// NewTokensView returns a view of the tokens column of rec.
func NewTokensView(rec arrow.Record) (*TokensView, error) {
	l, err := Column[*array.List](rec, ColTokens)
	if err != nil {
		return nil, err
	}
	hasQuality := sameType(rec, ColTokens, EarlierTokens().Type) != nil
	if hasQuality {
		if err := sameType(rec, ColTokens, TokensType()); err != nil {
			return nil, err
		}
	}
	t := l.ListValues().(*array.Struct)
	v := &TokensView{tokens: l, begin: t.Field(0).(*array.Int32), end: t.Field(1).(*array.Int32),
		tag: t.Field(2).(*array.String), lemma: t.Field(3).(*array.String)}
	if hasQuality {
		v.quality = t.Field(4).(*array.Float32)
	}
	return v, nil
}

// At returns the tokens of row i. It reuses the memory of tokens.
func (v *TokensView) At(i int, tokens []Token) []Token {
	begin, end := v.tokens.ValueOffsets(i)
	tokens = Resize(tokens, int(end-begin))
	for j := begin; j < end; j++ {
		k := int(j)
		t := Token{Begin: v.begin.Value(k), End: v.end.Value(k), Tag: v.tag.Value(k), Lemma: v.lemma.Value(k)}
		if v.quality != nil {
			t.Quality = v.quality.Value(k)
		}
		tokens[j-begin] = t
	}
	return tokens
}

// PoolView reads the columns of positives, and of negatives if the batch has them.
type PoolView struct {
	pos, neg                                                []namedList // neg is nil if the batch has no negatives
	text, kind, negText, negMethod, negChanged, negCategory *array.String
	id                                                      *array.Int64
	confidence                                              *array.Float32
	of                                                      *array.Int16
	score                                                   *array.Float32
	count                                                   *array.Int64
	posParts, negParts                                      *array.List
}

type namedList struct {
	name string
	*array.List
}

// NewPoolView returns a view of the texts of rec.
func NewPoolView(rec arrow.Record) (v *PoolView, err error) {
	v = &PoolView{}
	if v.pos, err = namedLists(rec, PositiveFields()); err != nil {
		return nil, err
	}
	v.text, v.kind = v.pos[0].ListValues().(*array.String), v.pos[1].ListValues().(*array.String)
	v.id, v.confidence = v.pos[2].ListValues().(*array.Int64), v.pos[3].ListValues().(*array.Float32)
	v.count, v.posParts = v.pos[4].ListValues().(*array.Int64), v.pos[5].ListValues().(*array.List)
	if !rec.Schema().HasField(ColNeg) {
		return v, nil
	}
	if v.neg, err = namedLists(rec, NegativeFields()); err != nil {
		return nil, err
	}
	v.negText, v.of = v.neg[0].ListValues().(*array.String), v.neg[1].ListValues().(*array.Int16)
	v.negMethod, v.negChanged = v.neg[2].ListValues().(*array.String), v.neg[3].ListValues().(*array.String)
	v.negCategory, v.score = v.neg[4].ListValues().(*array.String), v.neg[5].ListValues().(*array.Float32)
	v.negParts = v.neg[6].ListValues().(*array.List)
	return v, nil
}

func namedLists(rec arrow.Record, fields []arrow.Field) ([]namedList, error) {
	all := make([]namedList, len(fields))
	for i, f := range fields {
		l, err := Column[*array.List](rec, f.Name)
		if err != nil {
			return nil, err
		}
		if err := sameType(rec, f.Name, f.Type); err != nil {
			return nil, err
		}
		all[i] = namedList{f.Name, l}
	}
	return all, nil
}

// At sets p to the texts of row i. It reuses the memory of p. Lists that are not parallel, and a
// negative without a positive, are errors; p is then undefined.
func (v *PoolView) At(i int, p *Pool) error {
	at, n, err := listBegins(v.pos, i)
	if err != nil {
		return err
	}
	p.Positives = Resize(p.Positives, n)
	for j := range n {
		p.Positives[j] = Positive{v.text.Value(at[0] + j), v.kind.Value(at[1] + j), v.id.Value(at[2] + j), v.confidence.Value(at[3] + j), v.count.Value(at[4] + j), partsAt(v.posParts, at[5]+j)}
	}
	if at, n, err = listBegins(v.neg, i); err != nil {
		return err
	}
	p.Negatives = Resize(p.Negatives, n)
	for j := range n {
		of := v.of.Value(at[1] + j)
		if of < 0 || int(of) >= len(p.Positives) {
			return fmt.Errorf("neg_of %d is no index of its %d positives", of, len(p.Positives))
		}
		p.Negatives[j] = HardNegative{Text: v.negText.Value(at[0] + j), Of: of, Method: v.negMethod.Value(at[2] + j),
			Changed: v.negChanged.Value(at[3] + j), Category: v.negCategory.Value(at[4] + j), Score: v.score.Value(at[5] + j), Parts: partsAt(v.negParts, at[6]+j)}
	}
	return nil
}

// listBegins returns the index at which the values of row i begin in each list, and their number n.
// Lists of different lengths are an error.
func listBegins(lists []namedList, i int) (at [7]int, n int, err error) {
	for k, l := range lists {
		from, to := l.ValueOffsets(i)
		if k == 0 {
			n = int(to - from)
		} else if int(to-from) != n {
			return at, 0, fmt.Errorf("%s has %d values and %s has %d: they should be parallel", lists[0].name, n, l.name, to-from)
		}
		at[k] = int(from)
	}
	return at, n, nil
}

// partsAt returns list i of hashes. It shares the memory of the batch.
func partsAt(lists *array.List, i int) []int32 {
	from, to := lists.ValueOffsets(i)
	return lists.ListValues().(*array.Int32).Int32Values()[from:to:to]
}

// Resize returns s with length n. It keeps the elements up to the capacity of s, with their memory.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
