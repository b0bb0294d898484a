package report

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"capgraph/schemas"
)

func TestCaptionMarksSpans(t *testing.T) {
	object := func(begin, end int32, attributes ...schemas.Attribute) schemas.Object {
		return schemas.Object{Name: "x", Begin: begin, End: end, Attributes: attributes}
	}
	for _, c := range []struct {
		name, text string
		graph      schemas.SceneGraph
		want       string
	}{
		{"nothing", "a <b> & c", schemas.SceneGraph{}, "a &lt;b&gt; &amp; c"},
		{"an object with an attribute", "red bus", schemas.SceneGraph{Objects: []schemas.Object{object(4, 7, schemas.Attribute{Begin: 0, End: 3})}},
			`<span class="a c0">red</span> <span class="o c0">bus</span>`},
		{"a relation", "cat on mat", schemas.SceneGraph{Objects: []schemas.Object{object(0, 3), object(7, 10)}, Relations: []schemas.Relation{{Object: 1, Begin: 4, End: 6}}},
			`<span class="o c0">cat</span> <span class="r">on</span> <span class="o c1">mat</span>`},
		{"overlap: the first stays", "tennis racket", schemas.SceneGraph{Objects: []schemas.Object{object(0, 13), object(7, 13)}},
			`<span class="o c0">tennis racket</span>`},
		{"not in the text", "bus", schemas.SceneGraph{Objects: []schemas.Object{object(schemas.NoOffset, schemas.NoOffset)}}, "bus"},
		{"beyond the text", "bus", schemas.SceneGraph{Objects: []schemas.Object{object(1, 9), object(5, 6)}}, "bus"},
		{"backwards", "bus", schemas.SceneGraph{Objects: []schemas.Object{object(3, 1)}}, "bus"},
		{"Unicode", "größe <3", schemas.SceneGraph{Objects: []schemas.Object{object(0, 7)}}, `<span class="o c0">größe</span> &lt;3`},
		{"within a character", "größe", schemas.SceneGraph{Objects: []schemas.Object{object(3, 7)}}, "größe"},
	} {
		if got := string(MarkCaption(c.text, c.graph)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// No label of a relation lies over another, or beyond the edges of the drawing.
func TestLabelsDoNotOverlap(t *testing.T) {
	var relations []schemas.Relation
	nodes := []objectBox{{8, 30}, {84, 30}, {160, 30}}
	for i := range int32(12) {
		relations = append(relations, schemas.Relation{Subject: i % 3, Object: (i + 1) % 3, Lemma: strings.Repeat("stand next to ", 1+int(i)%3)})
	}
	labels, above, wide := placeLabels(relations, nodes, 236)
	for i, l := range labels {
		if l.begin < 0 || l.end > wide || l.height > above {
			t.Errorf("%+v is beyond the edge of a drawing of %d × %d", l, wide, above)
		}
		for _, other := range labels[:i] {
			if l.overlapsLabel(other) {
				t.Errorf("%+v lies over %+v", l, other)
			}
		}
	}
}

func TestDrawingShowsAllOfAGraph(t *testing.T) {
	g := schemas.SceneGraph{
		Objects: []schemas.Object{
			{Name: "men", Quantity: "two", Attributes: []schemas.Attribute{{Text: "tall"}, {Text: "in <blue>"}}},
			{Name: "r&d café"}, {Name: "日本"},
		},
		Relations: []schemas.Relation{{Subject: 0, Object: 1, Lemma: "ride"}, {Subject: 1, Object: 0, Lemma: "carry"}, {Subject: 2, Object: 0, Lemma: "near"}},
	}
	drawing := string(DrawGraph(g))
	texts := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(drawing))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well formed: %v\n%s", err, drawing)
		}
		if text, ok := token.(xml.CharData); ok {
			texts[string(text)] = true
		}
	}
	for _, want := range []string{"two men", "tall", "in <blue>", "r&d café", "日本", "ride", "carry", "near"} {
		if !texts[want] {
			t.Errorf("the drawing lacks %q: %s", want, drawing)
		}
	}
	if got := string(DrawGraph(schemas.SceneGraph{})); !strings.Contains(got, "no objects") {
		t.Errorf("an empty graph is drawn as %s", got)
	}
}
