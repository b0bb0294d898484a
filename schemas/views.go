package schemas

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// GraphView reads the graph column of a batch. Strings it gives are those of
// the batch and live as long as it does.
type GraphView struct {
	objects, attributes, relations              *array.List
	name, head, quantity, attrText, attrForm    *array.String
	predicate, lemma                            *array.String
	objBegin, objEnd, attrBegin, attrEnd        *array.Int32
	subject, object, relationBegin, relationEnd *array.Int32
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
	v := &GraphView{objects: g.Field(0).(*array.List), relations: g.Field(1).(*array.List)}
	o := v.objects.ListValues().(*array.Struct)
	v.name, v.head, v.quantity = o.Field(0).(*array.String), o.Field(1).(*array.String), o.Field(2).(*array.String)
	v.attributes = o.Field(3).(*array.List)
	v.objBegin, v.objEnd = o.Field(4).(*array.Int32), o.Field(5).(*array.Int32)
	a := v.attributes.ListValues().(*array.Struct)
	v.attrText, v.attrForm = a.Field(0).(*array.String), a.Field(1).(*array.String)
	v.attrBegin, v.attrEnd = a.Field(2).(*array.Int32), a.Field(3).(*array.Int32)
	r := v.relations.ListValues().(*array.Struct)
	v.subject, v.predicate, v.lemma = r.Field(0).(*array.Int32), r.Field(1).(*array.String), r.Field(2).(*array.String)
	v.object, v.relationBegin, v.relationEnd = r.Field(3).(*array.Int32), r.Field(4).(*array.Int32), r.Field(5).(*array.Int32)
	return v, nil
}

// At fills g with the graph of row i and reuses its memory.
func (v *GraphView) At(i int, g *SceneGraph) {
	begin, end := v.objects.ValueOffsets(i)
	g.Objects = resize(g.Objects, int(end-begin))
	for j := begin; j < end; j++ {
		o := &g.Objects[j-begin]
		k := int(j)
		o.Name, o.Head, o.Quantity = v.name.Value(k), v.head.Value(k), v.quantity.Value(k)
		o.Begin, o.End = v.objBegin.Value(k), v.objEnd.Value(k)
		ab, ae := v.attributes.ValueOffsets(k)
		o.Attributes = resize(o.Attributes, int(ae-ab))
		for n := ab; n < ae; n++ {
			m := int(n)
			o.Attributes[n-ab] = Attribute{v.attrText.Value(m), v.attrForm.Value(m), v.attrBegin.Value(m), v.attrEnd.Value(m)}
		}
	}
	begin, end = v.relations.ValueOffsets(i)
	g.Relations = resize(g.Relations, int(end-begin))
	for j := begin; j < end; j++ {
		k := int(j)
		g.Relations[j-begin] = Relation{v.subject.Value(k), v.predicate.Value(k), v.lemma.Value(k), v.object.Value(k),
			v.relationBegin.Value(k), v.relationEnd.Value(k)}
	}
}

// TokensView reads the tokens column of a batch.
type TokensView struct {
	tokens     *array.List
	begin, end *array.Int32
	tag, lemma *array.String
}

// NewTokensView returns a view of the tokens column of rec.
func NewTokensView(rec arrow.Record) (*TokensView, error) {
	l, err := Column[*array.List](rec, ColTokens)
	if err != nil {
		return nil, err
	}
	if err := sameType(rec, ColTokens, TokensType()); err != nil {
		return nil, err
	}
	t := l.ListValues().(*array.Struct)
	return &TokensView{l, t.Field(0).(*array.Int32), t.Field(1).(*array.Int32),
		t.Field(2).(*array.String), t.Field(3).(*array.String)}, nil
}

// At returns the tokens of row i in the memory of tokens.
func (v *TokensView) At(i int, tokens []Token) []Token {
	begin, end := v.tokens.ValueOffsets(i)
	tokens = resize(tokens, int(end-begin))
	for j := begin; j < end; j++ {
		k := int(j)
		tokens[j-begin] = Token{v.begin.Value(k), v.end.Value(k), v.tag.Value(k), v.lemma.Value(k)}
	}
	return tokens
}

// PoolView reads the columns of positives, and of negatives where the batch
// has them.
type PoolView struct {
	pos, neg                                                *array.List
	text, kind, negText, negMethod, negChanged, negCategory *array.String
	id                                                      *array.Int64
	of                                                      *array.Int16
	score                                                   *array.Float32
}

// NewPoolView returns a view of the texts of rec.
func NewPoolView(rec arrow.Record) (*PoolView, error) {
	fields := PositiveFields()
	v := &PoolView{}
	if rec.Schema().HasField(ColNeg) {
		fields = append(fields, NegativeFields()...)
	}
	lists := make([]*array.List, len(fields))
	for i, f := range fields {
		l, err := Column[*array.List](rec, f.Name)
		if err != nil {
			return nil, err
		}
		if err := sameType(rec, f.Name, f.Type); err != nil {
			return nil, err
		}
		lists[i] = l
	}
	v.pos = lists[0]
	v.text, v.kind = lists[0].ListValues().(*array.String), lists[1].ListValues().(*array.String)
	v.id = lists[2].ListValues().(*array.Int64)
	if len(lists) > 3 {
		v.neg = lists[3]
		v.negText, v.of = lists[3].ListValues().(*array.String), lists[4].ListValues().(*array.Int16)
		v.negMethod, v.negChanged = lists[5].ListValues().(*array.String), lists[6].ListValues().(*array.String)
		v.negCategory, v.score = lists[7].ListValues().(*array.String), lists[8].ListValues().(*array.Float32)
	}
	return v, nil
}

// At fills p with the texts of row i and reuses its memory.
func (v *PoolView) At(i int, p *Pool) {
	begin, end := v.pos.ValueOffsets(i)
	p.Positives = resize(p.Positives, int(end-begin))
	for j := begin; j < end; j++ {
		k := int(j)
		p.Positives[j-begin] = Positive{v.text.Value(k), v.kind.Value(k), v.id.Value(k)}
	}
	p.Negatives = p.Negatives[:0]
	if v.neg == nil {
		return
	}
	begin, end = v.neg.ValueOffsets(i)
	p.Negatives = resize(p.Negatives, int(end-begin))
	for j := begin; j < end; j++ {
		k := int(j)
		p.Negatives[j-begin] = HardNegative{v.negText.Value(k), v.of.Value(k), v.negMethod.Value(k),
			v.negChanged.Value(k), v.negCategory.Value(k), v.score.Value(k)}
	}
}

// resize returns s with length n; elements keep the memory that they own.
func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
