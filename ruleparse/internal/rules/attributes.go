package rules

import (
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// attributive adds the adjectives, the names and the nouns before an object that the model
// left out, names of several words as one: "a Van Gogh museum", "San Francisco skyline".
func (b *building) attributive() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	for i := range x.Nodes {
		if at[i] < 0 || x.Nodes[i].Attribute {
			continue
		}
		j := x.Nodes[i].From
		for k := i - 1; k >= 0 && x.Nodes[k].Attribute && x.Nodes[k].To == j && !IsQuantity(ts, x.Nodes[k].From, j); k-- {
			j = x.Nodes[k].From
		}
		for j > 0 && !x.InNode[j-1] {
			to := j
			switch {
			case qualifies(&ts[j-1]), participial(ts, j-1):
				j--
			case j > 1 && measures(ts, j-2) && !x.InNode[j-2]:
				j -= 2 // "a four lane road"
			default:
				if j = x.name(ts, i, j); j == to {
					j = x.classifier(ts, i, j)
				}
			}
			if j == to {
				break
			}
			insertAttribute(&g.Objects[at[i]], schemas.Attribute{Text: phrase(low, ts, j, to), Form: schemas.Pre, Begin: ts[j].Begin, End: ts[to-1].End})
		}
	}
}

// participial reports whether token i is a participle right after an article or "his" and its
// like, so that it is said of the noun after it: "their opening goal", "in matching hats".
func participial(ts []tokens.Token, i int32) bool {
	if i == 0 || ts[i].Tag != penn.VBG && ts[i].Tag != penn.VBN || ts[i].Be {
		return false
	}
	return ts[i-1].Tag == penn.PRPS || ts[i-1].In(" a an the ") || ts[i].Low == "matching" && (ts[i-1].In(" in of with ") || ts[i-1].Tag == penn.VBG)
}

// name is where the name begins that ends before token to, or to where none does. A word
// of a predicate of object k is no part of it.
func (x *Reading) name(ts []tokens.Token, k int, to int32) int32 {
	from := to
	for from > 0 && !x.InNode[from-1] && names(ts, from-1) && !x.relates(k, from-1) {
		from--
	}
	return from
}

// names reports whether token i is a word of a name. A word that begins a sentence has a
// capital anyway and may be mistyped: "Tow cats".
func names(ts []tokens.Token, i int32) bool {
	t := &ts[i]
	mistyped := i == 0 && !t.Capitals && (len(ts) == 1 || !ts[1].Capital) && (t.Entry < 0 || t.In(" te thee tow "))
	if !t.Capital || mistyped || t.Entry < 0 && coded(t.Low) {
		return false
	}
	return t.Kind == tokens.Letters && penn.IsNoun(t.Tag) && !t.Measure && len(t.Low) > 1 && !t.In(drawn) && !hollow(t.Low)
}

// hollow reports whether a word says nothing of a thing beside it, but where it is sold or
// how many there are.
func hollow(w string) bool {
	return wordclass.Has(boilerplate, w) || wordclass.Has(unspecific, w) || wordclass.Has(quantityNouns, w) || wordclass.Has(quantityWords, w)
}

// classifier is where the nouns begin that end before token to and say what kind of thing
// object k is, or to: "a sippy cup", "a green exit sign", "seven business people".
func (x *Reading) classifier(ts []tokens.Token, k int, to int32) int32 {
	from := to
	for from > 0 && !x.InNode[from-1] && penn.IsNoun(ts[from].Tag) && classifies(ts, from-1) && !x.relates(k, from-1) {
		from--
	}
	return from
}

// classifies reports whether token i can be a noun before another that says what kind. A word
// that nobody knows may be two ("of thebad girl"), one in "-ing" a verb and another say nothing
// without the word before it ("in orange color balloons") unless the phrase begins with it.
func classifies(ts []tokens.Token, i int32) bool {
	t := &ts[i]
	if t.Tag != penn.NN && t.Tag != penn.NNP || t.Kind != tokens.Letters || len(t.Low) == 1 || t.Measure || coded(t.Low) {
		return false
	}
	if t.In(unclassifying) || t.In(anybody) || t.In(media) || t.In(stockOf) || hollow(t.Low) {
		return false
	}
	unknown := t.Flags == 0 && (!t.Capital || i == 0)
	doubtful := t.Flags&tokens.VerbIng != 0 || t.In(neverFirst)
	if i == 0 {
		return !unknown && !doubtful
	}
	l := &ts[i-1]
	if l.Person() && t.Flags&tokens.VerbBase != 0 || measures(ts, i-1) {
		return false // "firefighters vent house roof", "a four lane road"
	}
	return !unknown && !doubtful || determines(l) || unknown && l.Tag == penn.JJ || doubtful && l.Tag == penn.IN
}

// relates reports whether token i is a word of a predicate of object k with one
// before it.
func (x *Reading) relates(k int, i int32) bool {
	return slices.ContainsFunc(x.edgesOf(k), func(e analysis.Relation) bool { return slices.Contains(e.Candidate.Words[:e.Candidate.N], i) })
}

// qualifies reports whether t is an adjective that says what kind, or a word with
// a hyphen, which before a noun mostly is one.
func qualifies(t *tokens.Token) bool {
	adjectival := t.Flags&tokens.Adjective != 0 && (t.Tag == penn.JJ || t.Tag == penn.JJS) || penn.IsNoun(t.Tag) && strings.Contains(t.Low, " - ")
	return adjectival && t.Kind == tokens.Letters && !t.In(unqualifying) && !t.In(quantityWords)
}

// wornColour reports whether token i is the colour of "a woman in blue", or the second of "in blue
// and white".
func wornColour(ts []tokens.Token, i int) bool {
	return firstWorn(ts, i) || secondWorn(ts, i)
}

// secondWorn reports whether token i is a colour that is worn with the one before a conjunction.
func secondWorn(ts []tokens.Token, i int) bool {
	return i > 3 && ts[i-1].Tag == penn.CC && ts[i].In(colours) && firstWorn(ts, i-2)
}

// firstWorn reports whether token i is the first colour that is worn.
func firstWorn(ts []tokens.Token, i int) bool {
	if i < 2 || wornFrom(ts, i) < 0 || !ts[i].In(colours) {
		return false
	}
	return (i+1 == len(ts) || !ts[i+1].In(colours)) && !garment(ts, i+1)
}

// garment reports whether a noun is named from token i on, perhaps after another
// colour and adjectives: "in blue and white striped pants", "on white background".
func garment(ts []tokens.Token, i int) bool {
	if i+1 < len(ts) && ts[i].Tag == penn.CC && ts[i+1].In(colours) {
		i += 2
	}
	from := i
	for ; i < len(ts); i++ {
		switch t := &ts[i]; {
		case penn.IsNoun(t.Tag) && t.Flags&tokens.VerbIng == 0:
			return true
		case i+1 < len(ts) && t.Flags&tokens.VerbIng != 0 && ts[i+1].In(" boots jacket pants shorts suit "):
			return true // "jogging pants"
		case t.Tag == penn.JJ, t.Tag == penn.VBN, t.Flags&tokens.VerbIng != 0 && !animate(t.Low) && !t.In(postureVerbs):
		default:
			return false
		}
	}
	return i > from // "wearing black shorts" mistyped
}

// wornFrom is the "in" or "wearing" before the colour at token i, or -1.
func wornFrom(ts []tokens.Token, i int) int {
	from := i - 1
	if ts[from].In(shades) {
		from--
	}
	if from < 1 || !ts[from].In(wearing) {
		return -1
	}
	return from
}

// saidOf is where what is dressed in a colour ends, of which "in" is token i: "a room that
// is painted in blue", "a man is in blue".
func saidOf(ts []tokens.Token, i int32) int32 {
	if i > 0 && ts[i-1].In(dyed) {
		i--
	}
	for ; i > 0 && (ts[i-1].Be || relates(&ts[i-1])); i-- {
	}
	return i
}

// dress adds "in blue" to the object that stands before it, and "white" where that follows.
func (b *building) dress() {
	low, ts, x, at, g := b.low, b.ts, b.x, b.at, b.g
	owner := int32(-1)
	for i, next := 0, 0; i < len(ts); i++ {
		if owner >= 0 && secondWorn(ts, i) {
			insertAttribute(&g.Objects[owner], schemas.Attribute{Text: ts[i].Low, Form: schemas.Post, Begin: ts[i].Begin, End: ts[i].End})
			continue
		}
		if !firstWorn(ts, i) {
			continue
		}
		owner = -1
		from := int32(wornFrom(ts, i))
		to := saidOf(ts, from)
		for next < len(x.Nodes) && x.Nodes[next].To <= to {
			next++
		}
		switch {
		case next == 0:
			continue
		case x.Nodes[next-1].To == to && to < from && isFinite(&ts[to]):
			owner = at[phraseHead(ts, x, int32(next-1), x.edgesFrom(next), to)]
		case x.Nodes[next-1].To == to:
			owner = at[next-1]
		case i+2 < len(ts) && secondWorn(ts, i+2) && x.concludes(ts, int32(i)+3) && ts[i].Low == "black":
			owner = x.first(at) // "zebras photographed in black and white"
		}
		if owner < 0 {
			continue
		}
		insertAttribute(&g.Objects[owner], schemas.Attribute{
			Text: phrase(low, ts, from, int32(i)+1), Form: schemas.Post, Begin: ts[from].Begin, End: ts[i].End,
		})
	}
}

// first is the first object of the text that is in the graph, or -1.
func (x *Reading) first(at []int32) int32 {
	for i := range at {
		if at[i] >= 0 {
			return at[i]
		}
	}
	return -1
}

// disguised makes attributes of adjectives and participles that the model takes for
// objects right before the object that they qualify, or its other attributes: "a hot
// bartender", "a long haired cat", "a snowy mountainous path", "a fenced in area"; and
// of a participle that is said of an object before it: "boats lined up at a dock".
func (x *Reading) disguised(ts []tokens.Token) {
	of := x.moved[:0] // what each node is, or what it qualifies
	for i := range x.Nodes {
		of = append(of, int32(i))
	}
	found, head := false, int32(-1) // head is the object that the nodes after this one lead to
	for i := len(x.Nodes) - 1; i >= 0; i-- {
		n := &x.Nodes[i]
		said := !n.Attribute && n.To-n.From == 1 && onlyParticiple(&ts[n.From])
		if said {
			x.particle(ts, i)
		}
		if i+1 == len(x.Nodes) || !x.adjoins(ts, i) {
			head = -1
		}
		switch {
		case n.Attribute:
		case head >= 0 && (said || n.To-n.From == 1 && ts[n.From].Tag == penn.JJ && qualifies(&ts[n.From])):
			n.Attribute, of[i], found = true, head, true
		case head >= 0 && x.modifies(ts, i, int(head)):
			n.Attribute, of[i], found = true, head, true
		case said && x.before(i) >= 0:
			n.Attribute, of[i], found = true, x.before(i), true
		default:
			head = int32(i)
		}
	}
	x.moved = of[:0]
	if !found {
		return
	}
	for i, o := range of {
		of[i] = of[o] // an object before may be disguised too
	}
	x.added = x.added[:0]
	for _, e := range x.Edges {
		a, b := of[e.A], of[e.B]
		if (a != e.A || b != e.B) && a < b && e.Candidate.Implied == 0 && (b == e.B || x.into(b) < 0) {
			x.added = append(x.added, analysis.Relation{A: a, B: b, Candidate: e.Candidate})
		}
	}
	x.Edges = slices.DeleteFunc(x.Edges, func(e analysis.Relation) bool { return of[e.A] != e.A || of[e.B] != e.B })
	x.include()
	for k := range x.Links {
		l := &x.Links[k]
		if n := &x.Nodes[l.Object]; of[l.Object] != l.Object && l.Attribute == l.Object-1 && x.Nodes[l.Attribute].To == n.From && n.To-n.From == 1 {
			x.Nodes[l.Attribute] = analysis.NewNode(ts, int(x.Nodes[l.Attribute].From), int(n.To), true)
		}
		l.Object = of[l.Object]
	}
	for i, o := range of {
		if o != int32(i) && (i == 0 || x.Nodes[i-1].To != x.Nodes[i].To) {
			x.Links = append(x.Links, analysis.Link{Attribute: int32(i), Object: o})
		}
	}
	x.orderLinks()
	x.dropInner()
}

// dropInner drops the nodes that end within the one before them.
func (x *Reading) dropInner() {
	kept := 0
	for i, n := range x.Nodes {
		if i > 0 && n.To == x.Nodes[i-1].To {
			x.moved = append(x.moved, int32(kept-1))
			continue
		}
		x.moved = append(x.moved, int32(kept))
		x.Nodes[kept] = n
		kept++
	}
	x.Nodes = x.Nodes[:kept]
	x.move()
}

// modifies reports whether object i belongs to the name of object head, since only
// attributes and names stand between and the model implies what relates the two: "an
// island nautical map". A plural or a number between says that they are two.
func (x *Reading) modifies(ts []tokens.Token, i, head int) bool {
	n := &x.Nodes[i]
	t := &ts[n.To-1]
	if noun := penn.IsNoun(t.Tag) && (t.Tag == penn.NN || t.Capital) && n.To < x.Nodes[head].From; !noun && !(penn.IsVerb(t.Tag) && t.Capital) || !penn.IsNoun(ts[x.Nodes[head].From].Tag) {
		return false
	}
	for k := i + 1; k < head; k++ {
		if numbers(&ts[x.Nodes[k].From]) {
			return false
		}
	}
	if h := &x.Nodes[head]; ts[n.From].Capital && !ts[n.From].Capitals && capitalised(ts[n.From:h.To]) && t.Tag != penn.NNS && !n.Alive {
		return true
	}
	return slices.ContainsFunc(x.edgesOf(head), func(e analysis.Relation) bool { return int(e.A) == i && e.Candidate.Implied != 0 })
}

// onlyParticiple reports whether t is a past participle and never a noun.
func onlyParticiple(t *tokens.Token) bool {
	return strings.HasSuffix(t.Low, "ed") && t.Flags&tokens.VerbParticiple != 0 && t.Flags&tokens.AnyNoun == 0
}

// particle takes the particle after a participle, node i, into it: "lined up".
func (x *Reading) particle(ts []tokens.Token, i int) {
	n := &x.Nodes[i]
	if int(n.To) == len(ts) || x.InNode[n.To] || !ts[n.To].In(" in off up ") {
		return
	}
	if ts[n.To].Tag == penn.RP || i+1 < len(x.Nodes) && x.Nodes[i+1].From == n.To+1 {
		x.InNode[n.To] = true
		*n = analysis.NewNode(ts, int(n.From), int(n.To)+1, false)
	}
}

// before is the object before node i that is related to it, or -1.
func (x *Reading) before(i int) int32 {
	if of := x.edgesOf(i); len(of) > 0 {
		return of[0].A
	}
	return -1
}

// adjoins reports whether node i + 1 follows node i, perhaps after a comma where node i
// is an adjective and never a noun: "a snowy, icy street".
func (x *Reading) adjoins(ts []tokens.Token, i int) bool {
	to, next := x.Nodes[i].To, x.Nodes[i+1].From
	return to == next || to+1 == next && ts[to].Tag == penn.Comma && ts[to-1].Flags&(tokens.Adjective|tokens.AnyNoun) == tokens.Adjective
}
