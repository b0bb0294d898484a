package sources

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"capgraph/schemas"
)

// The forms of Visual Genome's and GQA's files, with images that nobody took.
const (
	regionGraphs = `[
 {"image_id": 7, "regions": [
  {"region_id": 71, "image_id": 7, "x": 1, "y": 2, "width": 30, "height": 40, "phrase": "A grey Cat sleeping on a mat.", "synsets": [],
   "objects": [{"object_id": 1, "x": 1, "y": 2, "w": 3, "h": 4, "name": "cat", "synsets": ["cat.n.01"], "attributes": ["grey"]}, {"object_id": 2, "x": 5, "y": 6, "w": 7, "h": 8, "names": ["mat", "rug"]}],
   "relationships": [{"relationship_id": 11, "predicate": "sleeping ON a", "synsets": [], "subject_id": 1, "object_id": 2}]},
  {"region_id": 72, "phrase": "two lamps", "x": 0, "y": 0, "width": 9, "height": 9, "objects": [], "relationships": []},
  {"region_id": 73, "phrase": "a lamp on a shelf", "objects": [{"object_id": 3, "name": "lamp"}], "relationships": [{"predicate": "on", "subject_id": 3, "object_id": 99}]},
  {"region_id": 74, "objects": []},
  5,
  {"region_id": 71, "phrase": "the key again"}
 ]},
 {"image_id": 8, "regions": []},
 {"regions": [{"region_id": 91, "phrase": "of no image"}]},
 {"image_id": 9, "regions": [{"region_id": 92, "phrase": "a dog by a dog", "objects": [{"object_id": 1, "name": "dog"}, {"object_id": 2, "name": "dog"}],
  "relationships": [{"predicate": "by", "subject_id": 1, "object_id": 2}]}]}
]`
	regionDescriptions = `[{"id": 7, "regions": [{"region_id": 71, "width": 30, "height": 40, "image_id": 7, "phrase": "a grey cat on a mat", "y": 2, "x": 1},
 {"id": 72, "width": 3, "height": 4, "image": 7, "phrase": "two lamps", "y": 2, "x": 1}]}]`
	sceneGraphs = `[
 {"image_id": 7, "url": "http://a/7.jpg", "objects": [
   {"object_id": 1, "x": 1, "y": 2, "w": 3, "h": 4, "names": ["Cat"], "synsets": [], "attributes": ["is grey", "small", "sleeping", "small "]},
   {"object_id": 2, "x": 5, "y": 6, "w": 7, "h": 8, "names": ["a mat"]},
   {"object_id": 3, "x": 9, "y": 9, "w": 1, "h": 1, "names": ["lamps"], "attributes": ["two", "on"]},
   {"object_id": 4, "names": ["sky"], "attributes": ["blue"]}, {"object_id": 5, "names": ["grass"]}, {"object_id": 6, "names": ["owl"]},
   {"object_id": 8, "names": []}, {"names": ["chair"]}],
  "relationships": [
   {"relationship_id": 11, "predicate": "ON", "synsets": [], "subject_id": 1, "object_id": 2},
   {"relationship_id": 12, "predicate": "", "subject_id": 1, "object_id": 2}, {"relationship_id": 13, "predicate": "by", "subject_id": 1, "object_id": 1},
   {"relationship_id": 14, "predicate": "by", "subject_id": 1, "object_id": 77}, {"relationship_id": 15, "predicate": "near", "subject_id": 8, "object_id": 2},
   {"relationship_id": 16, "predicate": "wears", "subject_id": 6, "object_id": 1}]},
 {"image_id": 8, "objects": [], "relationships": []},
 {"image_id": 9, "objects": 5},
 {"objects": []}, "none",
 {"image_id": 10, "objects": [{"object_id": 1, "names": ["man"]}, {"object_id": 2, "names": ["man"]}], "relationships": [{"predicate": "is walking next to", "subject_id": 1, "object_id": 2}]}
]`
	goodRegions = `[{"image_id": 7, "regions": [{"region_id": 71, "phrase": "a grey cat on a mat", "objects": [{"object_id": 1, "x": 1, "y": 2, "w": 3, "h": 4, "name": "cat"}, {"object_id": 2, "name": "mat"}],
 "relationships": [{"predicate": "on", "subject_id": 1, "object_id": 2}]}, {"region_id": 72, "phrase": "two lamps", "objects": []}]}]`
	goodGQA = `{"2407": {"location": "living room", "objects": {"11": {"name": "chair", "x": 220, "y": 310, "w": 50, "h": 80, "attributes": ["brown"], "relations": [{"name": "to the left of", "object": "12"}]},
 "12": {"name": "table", "attributes": [], "relations": []}}}, "2408": {"objects": {"1": {"name": "sky", "attributes": ["blue"]}}}}`
	attributesJSON    = `[{"image_id": 7, "attributes": [{"object_id": 1, "x": 1, "y": 2, "w": 3, "h": 4, "names": ["chair"], "attributes": ["wooden", "big", "brown"]}, {"object_id": 2, "names": ["man"], "attributes": ["in blue", "smiling"]}]}]`
	relationshipsJSON = `[{"image_id": 7, "relationships": [{"relationship_id": 1, "predicate": "riding", "synsets": [], "subject": {"object_id": 1, "x": 1, "y": 2, "w": 3, "h": 4, "name": "woman"}, "object": {"object_id": 2, "names": ["horse"]}}]}]`
	gqaGraphs         = `{
 "2407": {"width": 640, "height": 480, "location": "living room", "objects": {
   "11": {"name": "chair", "x": 220, "y": 310, "w": 50, "h": 80, "attributes": ["brown", "wooden", "small"], "relations": [{"name": "to the left of", "object": "12"}, {"name": "on", "object": "99"}]},
   "12": {"name": "Table", "x": 1, "y": 2, "w": 3, "h": 4, "attributes": [], "relations": {"5": {"name": "to the right of", "object": "11"}}},
   "13": {"name": "cups", "x": 0, "y": 0, "w": 1, "h": 1, "attributes": [], "relations": []}}},
 "2408": {"width": 1, "height": 1, "objects": {}},
 "2409": 5,
 "2410": {"objects": {"1": {"name": 7, "relations": [3]}}}
}`
)

// told is what a test compares of rows.
func told(rows []Row) (got []string) {
	for _, r := range rows {
		line := fmt.Sprintf("%s|%s|%s|%d|%s %s|%v|", r.Key, r.ImageKey, r.Caption, r.SourceRow, r.Reject, r.Detail, r.Keep)
		if r.Graph != nil {
			line += r.Parser + " " + drawnGraph(r.Graph, r.Text)
		}
		got = append(got, line)
	}
	return got
}

// drawnGraph is a graph in short: with the bytes of the text where there are offsets.
func drawnGraph(g *schemas.SceneGraph, text string) string {
	var b strings.Builder
	at := func(begin, end int32) string {
		if begin < 0 {
			return ""
		}
		return "@" + text[begin:end]
	}
	for i, o := range g.Objects {
		fmt.Fprintf(&b, "%d:%s%s(%s)", i, o.Name, at(o.Begin, o.End), o.Head)
		if o.Quantity != "" {
			fmt.Fprintf(&b, "×%s", o.Quantity)
		}
		for _, a := range o.Attributes {
			fmt.Fprintf(&b, " %s%s/%s", a.Text, at(a.Begin, a.End), a.Form)
		}
		b.WriteString("; ")
	}
	for _, r := range g.Relations {
		fmt.Fprintf(&b, "%d %s%s(%s) %d; ", r.Subject, r.Predicate, at(r.Begin, r.End), r.Lemma, r.Object)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestScenes(t *testing.T) {
	for _, c := range []struct {
		name, format, data string
		keep               []string
		want               []string
	}{
		{"region graphs", "visualgenome", regionGraphs, []string{"boxes", "x"}, []string{
			"71|7|A grey Cat sleeping on a mat.|0| |[[[1,2,3,4],[5,6,7,8]] 1]|visualgenome/regions 0:cat@Cat(cat) grey@grey/pre; 1:mat@mat(mat); 0 sleeping on@sleeping on(sleep on) 1",
			"72|7|two lamps|1| |[ 0]|",
			`73|7|a lamp on a shelf|2|malformed_graph the relation "on" leads to the object "99", which is not there|[]|`,
			"74|7||3|missing_caption a caption is null|[]|",
			"00000-000000004|00000-000000004||4|malformed not a JSON object: 5|[]|",
			"71|7|the key again|5|duplicate_key key 71 came before|[]|",
			"00000-000000006|8||6|missing_caption the image has no regions|[]|",
			"91|91||7|missing_image image_id is missing, null or empty|[]|",
			"92|9|a dog by a dog|8| |[[null,null] ]|visualgenome/regions 0:dog(dog); 1:dog(dog); 0 by@by(by) 1",
		}},
		{"region descriptions", "visualgenome", regionDescriptions, []string{"width"}, []string{
			"71|7|a grey cat on a mat|0| |[30]|", "72|7|two lamps|1| |[3]|",
		}},
		{"scene graphs", "visualgenome", sceneGraphs, []string{"url", "boxes"}, []string{
			"00000-000000000|7|a small grey cat sleeping on a mat|0| |[http://a/7.jpg [[1,2,3,4],[5,6,7,8]]]|visualgenome/scenes 0:cat@cat(cat) small@small/pre grey@grey/pre sleeping@sleeping/post; 1:mat@mat(mat); 0 on@on(on) 1",
			"00000-000000001|7||1|malformed_graph a relation has no predicate|[]|",
			`00000-000000002|7||2|malformed_graph the relation "by" leads from an object to itself|[]|`,
			`00000-000000003|7||3|malformed_graph the relation "by" leads to the object "77", which is not there|[]|`,
			`00000-000000004|7||4|malformed_graph the object "8" has no name|[]|`,
			"00000-000000005|7|an owl wears a small grey cat sleeping|5| |[http://a/7.jpg [null,[1,2,3,4]]]|visualgenome/scenes 0:owl@owl(owl); 1:cat@cat(cat) small@small/pre grey@grey/pre sleeping@sleeping/post; 0 wears@wears(wear) 1",
			`00000-000000006|7||6|malformed_graph the object "8" has no name|[]|`,
			`00000-000000007|7||7|malformed_graph the object "chair" has no id|[]|`,
			"00000-000000008|7|two lamps on, the blue sky, grass|8| |[http://a/7.jpg [[9,9,1,1],null,null]]|visualgenome/scenes 0:lamps@lamps(lamp)×two on@on/post; 1:sky@sky(sky) blue@blue/pre; 2:grass@grass(grass)",
			"00000-000000009|8||9|missing_graph the image has no objects|[]|",
			"00000-000000010|9||10|malformed_graph objects: not a list|[]|",
			"00000-000000011|00000-000000011||11|missing_image image_id is missing, null or empty|[]|",
			`00000-000000012|00000-000000012||12|malformed not a JSON object: "none"|[]|`,
			"00000-000000013|10|a man is walking next to another man|13| |[ [null,null]]|visualgenome/scenes 0:man@man(man); 1:man@man(man); 0 is walking next to@is walking next to(walk next to) 1",
		}},
		{"attributes", "visualgenome", attributesJSON, nil, []string{
			"00000-000000000|7|a big brown wooden chair, a man in blue and smiling|0| |[]|visualgenome/scenes 0:chair@chair(chair) big@big/pre brown@brown/pre wooden@wooden/pre; 1:man@man(man) in blue@in blue/post smiling@smiling/post",
		}},
		{"relationships", "visualgenome", relationshipsJSON, []string{"boxes"}, []string{
			"00000-000000000|7|a woman riding a horse|0| |[[[1,2,3,4],null]]|visualgenome/scenes 0:woman@woman(woman); 1:horse@horse(horse); 0 riding@riding(ride) 1",
		}},
		{"gqa", "gqa", gqaGraphs, []string{"location", "width", "boxes"}, []string{
			"00000-000000000|2407|a small brown wooden chair to the left of a table|0| |[living room 640 [[220,310,50,80],[1,2,3,4]]]|gqa/scenes 0:chair@chair(chair) small@small/pre brown@brown/pre wooden@wooden/pre; 1:table@table(table); 0 to the left of@to the left of(to the left of) 1",
			`00000-000000001|2407||1|malformed_graph the relation "on" leads to the object "99", which is not there|[]|`,
			"00000-000000002|2407|a table to the right of a small brown wooden chair|2| |[living room 640 [[1,2,3,4],[220,310,50,80]]]|gqa/scenes 0:table@table(table); 1:chair@chair(chair) small@small/pre brown@brown/pre wooden@wooden/pre; 0 to the right of@to the right of(to the right of) 1",
			"00000-000000003|2407|cups|3| |[living room 640 [[0,0,1,1]]]|gqa/scenes 0:cups@cups(cup)",
			"00000-000000004|2408||4|missing_graph the image has no objects|[]|",
			"00000-000000005|2409||5|malformed not a JSON object: 5|[]|",
			`00000-000000006|2410||6|malformed_graph a relation of the object "1": not a JSON object: 3|[]|`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, data := range map[string][]byte{"plain": []byte(c.data), "gzip": gzipped(t, []byte(c.data))} {
				opts := write(t, c.format, data)
				opts.Keep = c.keep
				rows, _, err := read(t, opts, schemas.Position{})
				if err != nil {
					t.Fatal(how, err)
				}
				if got := told(rows); !reflect.DeepEqual(got, c.want) {
					for i := range max(len(got), len(c.want)) {
						g, w := append(got, make([]string, len(c.want))...)[i], append(c.want, make([]string, len(got))...)[i]
						if g != w {
							t.Errorf("%s, row %d:\ngot  %s\nwant %s", how, i, g, w)
						}
					}
				}
				for _, r := range rows {
					if r.Reject == "" && r.Image != r.ImageKey+".jpg" {
						t.Errorf("%s: image %q", r.ImageKey, r.Image)
					}
				}
				if !strings.Contains(c.data, "the key again") {
					checkResume(t, opts)
				}
			}
		})
	}
}

// A large scene stays within bounds, and what is too large is told.
func TestLargeScenes(t *testing.T) {
	scene := func(things, edges int, attribute string) []byte {
		var b strings.Builder
		b.WriteString(`[{"image_id": 1, "objects": [`)
		for i := range things {
			fmt.Fprintf(&b, `%s{"object_id": %d, "names": ["cat %d"], "attributes": [%q]}`, comma(i), i, i, attribute)
		}
		b.WriteString(`], "relationships": [`)
		for i := range edges {
			fmt.Fprintf(&b, `%s{"predicate": "near", "subject_id": %d, "object_id": %d}`, comma(i), i%2, 2+i%2)
		}
		b.WriteString(`]}]`)
		return []byte(b.String())
	}
	for _, c := range []struct {
		data []byte
		rows int
		want string
	}{
		{scene(4, 3000, "grey"), 3000, ""},
		{scene(4, maxEdges+1, "grey"), 1, "has 10001 relations, more than 10000"},
		{scene(maxThings+1, 0, "grey"), 1, "has 10001 objects, more than 10000"},
		{scene(4, 2, strings.Repeat("x", 500)), 6, `the object "cat 0" has more than 64 attributes, or one of more than 200 bytes`},
	} {
		rows, _, err := read(t, write(t, "visualgenome", c.data), schemas.Position{})
		if err != nil || len(rows) != c.rows || rows[0].Detail != c.want {
			t.Errorf("%d rows, %q, %v, want %d, %q", len(rows), rows[0].Detail, err, c.rows, c.want)
		}
	}
}

func TestLemmas(t *testing.T) {
	w := newSceneWords()
	for predicate, want := range map[string]string{
		"on": "on", "is sitting on": "sit on", "riding": "ride", "holding": "hold", "has": "have", "wears": "wear", "parked on": "park on",
		"carrying": "carry", "carries": "carry", "across": "across", "to the left of": "to the left of", "made of": "make of", "wearing": "wear", "using": "use",
		"lying on": "lie on", "flying": "fly", "falling": "fall", "going to": "go to", "does": "do", "watches": "watch", "carried by": "carry by", "tied to": "tie to",
		"swimming in": "swim in", "adding": "add", "ing": "ing", "s": "s", "": "",
	} {
		if got := w.lemmaOf(predicate); got != want {
			t.Errorf("%q: %q, want %q", predicate, got, want)
		}
	}
}
