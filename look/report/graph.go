package report

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"capgraph/schemas"
)

// paletteSize is the number of object colours in the style sheet.
const paletteSize = 8

// span is the part of a caption that names an object, an attribute or a relation.
type span struct {
	begin, end int32
	class      string
}

// MarkCaption returns a caption as HTML. Objects and attributes have their colours of the drawing;
// predicates are underlined. Of overlapping spans, the first is marked.
func MarkCaption(text string, g schemas.SceneGraph) template.HTML {
	var spans []span
	for i := range g.Objects {
		o := &g.Objects[i]
		spans = append(spans, span{o.Begin, o.End, fmt.Sprintf("o c%d", i%paletteSize)})
		for _, a := range o.Attributes {
			spans = append(spans, span{a.Begin, a.End, fmt.Sprintf("a c%d", i%paletteSize)})
		}
	}
	for _, r := range g.Relations {
		spans = append(spans, span{r.Begin, r.End, "r"})
	}
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.begin != b.begin {
			return int(a.begin - b.begin)
		}
		return int(a.end - b.end)
	})
	var b strings.Builder
	at := int32(0)
	for _, s := range spans {
		if s.begin < at || s.end <= s.begin || !isRuneBoundary(text, s.begin) || !isRuneBoundary(text, s.end) {
			continue
		}
		b.WriteString(html.EscapeString(text[at:s.begin]))
		fmt.Fprintf(&b, `<span class="%s">%s</span>`, s.class, html.EscapeString(text[s.begin:s.end]))
		at = s.end
	}
	b.WriteString(html.EscapeString(text[at:]))
	return template.HTML(b.String())
}

// isRuneBoundary reports whether a character of the text begins or ends at the offset at.
func isRuneBoundary(text string, at int32) bool {
	return at >= 0 && (int(at) == len(text) || int(at) < len(text) && utf8.RuneStart(text[at]))
}

// Sizes of a drawing, in pixels.
const (
	charWidth  = 7
	boxPadding = 10
	boxHeight  = 24
	boxGap     = 46
	lineHeight = 16
	arcStep    = 26
)

// objectBox is the horizontal position and the width of a drawn object.
type objectBox struct{ x, width int }

// DrawGraph returns a graph as SVG: objects in a row, their attributes below, and relations as
// labelled arcs above.
func DrawGraph(g schemas.SceneGraph) template.HTML {
	if len(g.Objects) == 0 {
		return `<p class="none">no objects</p>`
	}
	nodes := make([]objectBox, len(g.Objects))
	x, below := 8, 0
	for i := range g.Objects {
		o := &g.Objects[i]
		chars := utf8.RuneCountInString(objectLabel(o))
		for _, a := range o.Attributes {
			chars = max(chars, utf8.RuneCountInString(a.Text))
		}
		nodes[i] = objectBox{x, chars*charWidth + 2*boxPadding}
		x += nodes[i].width + boxGap
		below = max(below, len(o.Attributes)*lineHeight)
	}
	labels, above, width := placeLabels(g.Relations, nodes, x)
	var arcs strings.Builder
	for i, r := range g.Relations {
		from, to := nodes[r.Subject], nodes[r.Object]
		x1, x2 := from.x+from.width/2, to.x+to.width/2
		top := above - labels[i].lift
		fmt.Fprintf(&arcs, `<path class="edge" marker-end="url(#arrow)" d="M%d %d C%d %d %d %d %d %d"/>`, x1, above, x1, top, x2, top, x2, above)
		fmt.Fprintf(&arcs, `<text class="edge" x="%d" y="%d">%s</text>`, (labels[i].begin+labels[i].end)/2, above-labels[i].height, html.EscapeString(r.Lemma))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="drawing"><svg role="img" aria-label="scene graph" width="%d" height="%d" viewBox="0 0 %d %d">`,
		width, above+boxHeight+below+12, width, above+boxHeight+below+12)
	b.WriteString(arcs.String())
	for i := range g.Objects {
		o, n := &g.Objects[i], nodes[i]
		fmt.Fprintf(&b, `<rect class="box c%d" x="%d" y="%d" width="%d" height="%d" rx="5"/>`, i%paletteSize, n.x, above, n.width, boxHeight)
		fmt.Fprintf(&b, `<text class="object" x="%d" y="%d">%s</text>`, n.x+n.width/2, above+boxHeight-8, html.EscapeString(objectLabel(o)))
		for j, a := range o.Attributes {
			fmt.Fprintf(&b, `<text class="attribute" x="%d" y="%d">%s</text>`, n.x+n.width/2, above+boxHeight+(j+1)*lineHeight, html.EscapeString(a.Text))
		}
	}
	b.WriteString(`</svg></div>`)
	return template.HTML(b.String())
}

// label is the position of a relation's label: its left and right end, its height above the boxes,
// and the height of the arc (lift), of which the label is at three quarters.
type label struct{ begin, end, height, lift int }

// placeLabels places the labels of relations so that they do not overlap. above is the height of
// the drawing above the boxes, wide its width, which is at least width.
func placeLabels(relations []schemas.Relation, nodes []objectBox, width int) (labels []label, above, wide int) {
	above, wide = 12, width
	for _, r := range relations {
		half := utf8.RuneCountInString(r.Lemma)*charWidth/2 + 4
		from, to := nodes[r.Subject], nodes[r.Object]
		middle := max((from.x+from.width/2+to.x+to.width/2)/2, half+4)
		l := label{begin: middle - half, end: middle + half, lift: arcHeight(r)}
		for l.height = l.lift*3/4 + 3; slices.ContainsFunc(labels, l.overlapsLabel); l.height = l.lift*3/4 + 3 {
			l.lift += lineHeight / 2
		}
		labels = append(labels, l)
		above, wide = max(above, l.lift+lineHeight), max(wide, l.end+8)
	}
	return labels, above, wide
}

// overlapsLabel reports whether two labels overlap.
func (l label) overlapsLabel(other label) bool {
	return l.begin < other.end && other.begin < l.end && l.height < other.height+lineHeight && other.height < l.height+lineHeight
}

// arcHeight returns the height of a relation's arc above the boxes.
func arcHeight(r schemas.Relation) int {
	return arcStep + 14*int(max(r.Subject, r.Object)-min(r.Subject, r.Object))
}

// objectLabel returns the quantity and name of an object: "two umbrellas".
func objectLabel(o *schemas.Object) string {
	if o.Quantity == "" {
		return o.Name
	}
	return o.Quantity + " " + o.Name
}
