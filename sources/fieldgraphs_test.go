package sources

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"capgraph/schemas"
)

// Small files with the fields of GBC10M, LAION-SG, CS-CLIP and LLM4SGG, as the readers' comments cite them, and with
// what may be wrong in them.
const (
	goodGBC = `{"img_url": "http://a/7.jpg", "original_caption": "horses", "img_size": [1000, 500], "vertices": [` +
		`{"vertex_id": "", "bbox": {"left": 0.0, "top": 0.0, "right": 1.0, "bottom": 1.0, "confidence": null}, "label": "image", "descs": [{"text": "A brown horse walks in snow before two trees.", "label": "short"}], "in_edges": [], "out_edges": [{"source": "", "text": "horse", "target": "horse"}, {"source": "", "text": "snow", "target": "snow"}, {"source": "", "text": "trees", "target": "trees"}, {"source": "", "text": "horse", "target": "[horse|snow]"}]},` +
		`{"vertex_id": "horse", "bbox": {"left": 0.25, "top": 0.4, "right": 0.65, "bottom": 0.9, "confidence": 0.8}, "label": "entity", "descs": [{"text": "The horse has a white blaze.", "label": "detail"}], "in_edges": [{"source": "", "text": "horse", "target": "horse"}], "out_edges": []},` +
		`{"vertex_id": "trees_0", "bbox": {"left": 0.7, "top": 0.2, "right": 0.9, "bottom": 0.6}, "label": "entity", "descs": [], "in_edges": [{"source": "trees", "text": "tree 1", "target": "trees_0"}], "out_edges": []},` +
		`{"vertex_id": "trees", "bbox": {"left": 0.1, "top": 0.2, "right": 0.9, "bottom": 0.6}, "label": "composition", "descs": [{"text": "Tree 2 is on the left of Tree 1.", "label": "composition"}, {"text": "Both trees are bare.", "label": "short"}, {"text": "tree 2 is on the left side of the composition", "label": "hardcode"}, {"text": "tree 1 is to the right of tree 2.", "label": "hardcode"}], "in_edges": [{"source": "", "text": "trees", "target": "trees"}], "out_edges": [{"source": "trees", "text": "tree 1", "target": "trees_0"}, {"source": "trees", "text": "tree 2", "target": "trees_1"}]},` +
		`{"vertex_id": "[horse|snow]", "bbox": {"left": 0.0, "top": 0.4, "right": 1.0, "bottom": 0.9}, "label": "relation", "descs": [{"text": "The horse is standing in deep snow.", "label": "relation"}], "in_edges": [], "out_edges": [{"source": "[horse|snow]", "text": "horse", "target": "horse"}, {"source": "[horse|snow]", "text": "snow", "target": "snow"}]}]}`
	brokenGBC = `
not json
{"img_url": null, "vertices": []}
{"img_url": "http://a/8.jpg"}
{"img_url": "http://a/9.jpg", "vertices": [{"vertex_id": 7}]}
{"img_url": "http://a/10.jpg", "vertices": []}
{"img_path": "11.jpg", "vertices": [{"label": "composition", "bbox": {"left": 0.1, "right": 0.4}}, {"label": "image", "descs": [{"text": " "}, {"text": "a dog", "label": "short"}]}]}
`
	laionGraphs = `[{"img_id": "482027", "name": "804.jpg", "caption_ori": "Poster for $102", "score": "6.7", "url": "http://a/804.jpg", "items": [` +
		`{"item_id": 0, "label": "mountains", "attributes": ["rocky", "tall"], "global_item_id": 1}, {"item_id": 1, "label": "river", "attributes": [], "global_item_id": 2}, {"item_id": 2, "label": "sky", "attributes": ["blue"], "global_item_id": 3}],` +
		` "relations": [{"triple_id": 0, "item1": 1, "relation": "flowing past", "item2": 0, "global_relation_id": 5}, {"triple_id": 1, "item1": 1, "relation": "under", "item2": 9}]},` +
		` {"img_id": 5, "items": [{"item_id": 0, "label": ""}]}, {"img_id": "6", "items": []}, {"items": []}, {"img_id": "7", "items": [{"item_id": "x"}], "relations": 3}, 5]`
	unitsGraphs = `[{"sample_id": "1", "image_path": "1.jpg", "original_caption": "A man rides a brown horse.", "entities": ["a man", "a brown horse"],` +
		` "negative_entities": {"a man": [{"negative": "a woman", "change_type": "object"}]}, "relations": [{"subject": "a man", "relation_type": "rides", "object": "a brown horse", "negatives": []}]},` +
		` {"image_path": "2.jpg", "original_caption": null, "entities": ["a dog"]}, {"image_path": "3.jpg", "original_caption": "a dog", "entities": []},` +
		` {"image_path": "4.jpg", "original_caption": "a dog", "entities": 7}, {"sample_id": 5, "original_caption": "a dog by it", "entities": ["a dog"], "relations": [{"subject": "a dog", "relation_type": "by", "object": ""}]}]`
	tripletGraphs = `{"text_scene_graph": {` +
		`"391895": {"objects": ["man", "bike"], "triplets": [["man", "riding", "bike"]], "entities_after_grounding": [{"label_name": "man", "vg150_obj_label": 78, "xyxy_box": [1.0, 2.0, 11.0, 22.5]}, {"label_name": "bike", "xyxy_box": [0, 0, 5, 5]}], "relations_after_grounding": [{"subject": 0, "object": 1, "vg150_predicate_label": 37, "text": ["man", "riding", "bike"]}]},` +
		`"5": {"objects": ["dog", "sky"], "triplets": [["dog", "on", "grass"], ["dog", "on"]]}, "6": {"objects": [], "triplets": []}, "7": {"objects": 3}, "8": 5,` +
		`"9": {"entities_after_grounding": [{"label_name": "man"}], "relations_after_grounding": [{"subject": 0, "object": 4, "text": ["a", "b", "c"]}]}},` +
		` "sg_grounding_infos": {"all_sg_box_count": 2}}`
)

// goodPart returns the part of a document before what is wrong in it, and its end.
func goodPart(document, wrong, end string) string {
	good, _, _ := strings.Cut(document, wrong)
	return good + end
}

func TestFieldGraphs(t *testing.T) {
	for _, c := range []struct {
		name, format, data string
		keep               []string
		want               []string
	}{
		{"GBC", "gbc", goodGBC + brokenGBC, []string{"vertex", "box", "boxes"}, []string{
			`00000-000000000|http://a/7.jpg|A brown horse walks in snow before two trees.|0| |[image [0,0,1000,500] ]||["horse","snow","trees"]`,
			`00000-000000001|http://a/7.jpg|The horse has a white blaze.|1| |[entity [250,200,400,250] ]||["horse"]`,
			`00000-000000002|http://a/7.jpg|Both trees are bare.|2| |[composition [100,100,800,200] ]||["trees"]`,
			`00000-000000003|http://a/7.jpg|a tree to the right of another tree|3| |[composition [100,100,800,200] [[700,100,200,200],null]]|gbc/composition 0:tree@tree(tree); 1:tree@tree(tree); 0 to the right of@to the right of(to the right of) 1|`,
			`00000-000000004|http://a/7.jpg|two trees|4| |[composition [100,100,800,200] [[100,100,800,200]]]|gbc/composition 0:trees@trees(tree)×two|`,
			`00000-000000005|http://a/7.jpg|The horse is standing in deep snow.|5| |[relation [0,200,1000,250] ]||["horse","snow"]`,
			`00000-000000006|00000-000000006||6|malformed invalid character 'o' in literal null (expecting 'u'): not json|[]||`,
			`00000-000000007|00000-000000007||7|missing_image img_url is missing, null or empty|[]||`,
			`00000-000000008|http://a/8.jpg||8|malformed_graph vertices is missing|[]||`,
			`00000-000000009|http://a/9.jpg||9|malformed_graph vertices: want a list of vertices with vertex_id, bbox, label, descs, in_edges and out_edges: json: cannot unmarshal number into Go struct field gbcVertex.vertex_id of type string|[]||`,
			`00000-000000010|http://a/10.jpg||10|missing_caption the image has no vertices with texts|[]||`,
			`00000-000000011|11.jpg||11|malformed_graph the object "" has no name|[]||`,
			`00000-000000012|11.jpg|a dog|12| |[image null ]||[]`,
		}},
		{"LAION-SG", "laion-sg", laionGraphs, []string{"caption_ori"}, []string{
			"00000-000000000|482027|a river flowing past tall rocky mountains|0| |[Poster for $102]|laion-sg/gpt-4o 0:river@river(river); 1:mountains@mountains(mountain) tall@tall/pre rocky@rocky/pre; 0 flowing past@flowing past(flow past) 1|",
			`00000-000000001|482027||1|malformed_graph the relation "under" leads to the object "9", which is not there|[]||`,
			"00000-000000002|482027|the blue sky|2| |[Poster for $102]|laion-sg/gpt-4o 0:sky@sky(sky) blue@blue/pre|",
			`00000-000000003|5||3|malformed_graph the object "0" has no name|[]||`,
			"00000-000000004|6||4|missing_graph the image has no objects|[]||",
			"00000-000000005|00000-000000005||5|missing_image img_id is missing, null or empty|[]||",
			"00000-000000006|7||6|malformed_graph items and relations: json: invalid number literal, trying to unmarshal \"\\\"x\\\"\" into Number|[]||",
			"00000-000000007|00000-000000007||7|malformed not a JSON object: 5|[]||",
		}},
		{"CS-CLIP", "csclip", unitsGraphs, []string{"sample_id"}, []string{
			"00000-000000000|1.jpg|A man rides a brown horse.|0| |[1]|csclip/units 0:man@man(man); 1:brown horse@brown horse(horse); 0 rides@rides(ride) 1|",
			"00000-000000001|2.jpg||1|missing_caption a caption is null|[]||",
			"00000-000000002|3.jpg|a dog|2|missing_graph the caption has no entities|[]||",
			"00000-000000003|4.jpg|a dog|3|malformed_graph entities or relations are not as CS-CLIP has them: a list of texts, and of subject, relation_type and object|[]||",
			`00000-000000004|5|a dog by it|4|malformed_graph the relation "by" leads to the object "", which is not there|[]||`,
		}},
		{"LLM4SGG", "triplets", tripletGraphs, []string{"boxes"}, []string{
			"00000-000000000|391895|a man riding a bike|0| |[[[1,2,10,20.5],[0,0,5,5]]]|llm4sgg/triplets 0:man@man(man); 1:bike@bike(bike); 0 riding@riding(ride) 1|",
			"00000-000000001|5|a dog on grass|1| |[[null,null]]|llm4sgg/triplets 0:dog@dog(dog); 1:grass@grass(grass); 0 on@on(on) 1|",
			"00000-000000002|5||2|malformed_graph a triplet has 2 parts, not 3|[]||",
			"00000-000000003|5|the sky|3| |[[null]]|llm4sgg/triplets 0:sky@sky(sky)|",
			"00000-000000004|6||4|missing_graph the image has no objects|[]||",
			"00000-000000005|7||5|malformed_graph objects, triplets, entities_after_grounding or relations_after_grounding are not as LLM4SGG has them|[]||",
			"00000-000000006|8||6|malformed not a JSON object: 5|[]||",
			`00000-000000007|9||7|malformed_graph the relation "b" leads to the object "4", which is not there|[]||`,
			"00000-000000008|9|a man|8| |[[null]]|llm4sgg/triplets 0:man@man(man)|",
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
				got := told(rows)
				for i := range got {
					got[i] += "|" + rows[i].Phrases
				}
				for i := range max(len(got), len(c.want)) {
					g, w := append(got, make([]string, len(c.want))...)[i], append(c.want, make([]string, len(got))...)[i]
					if g != w {
						t.Errorf("%s, row %d:\ngot  %s\nwant %s", how, i, g, w)
					}
				}
				checkResume(t, opts)
			}
		})
	}
}

// vertexRow is a row of GBC in Parquet.
type vertexRow struct {
	URL      string `parquet:"img_url"`
	Vertices []struct {
		ID  string `parquet:"vertex_id"`
		Box struct {
			Left, Top, Right, Bottom float64
			Confidence               *float64 `parquet:"confidence,optional"`
		} `parquet:"bbox"`
		Label string `parquet:"label"`
		Texts []struct {
			Text  string `parquet:"text"`
			Label string `parquet:"label"`
		} `parquet:"descs,list"`
		In  []gbcRowEdge `parquet:"in_edges,list"`
		Out []gbcRowEdge `parquet:"out_edges,list"`
	} `parquet:"vertices,list"`
}

type gbcRowEdge struct {
	Source string `parquet:"source"`
	Text   string `parquet:"text"`
	Target string `parquet:"target"`
}

// TestGBCForms reads the same image from JSON lines, a JSON list and Parquet.
func TestGBCForms(t *testing.T) {
	var row vertexRow
	whole := strings.NewReplacer(`"img_url"`, `"URL"`, `"vertex_id"`, `"ID"`, `"bbox"`, `"Box"`, `"descs"`, `"Texts"`, `"in_edges"`, `"In"`, `"out_edges"`, `"Out"`, `"img_size": [1000, 500], `, "").Replace(goodGBC)
	if err := json.Unmarshal([]byte(whole), &row); err != nil {
		t.Fatal(err)
	}
	lines := strings.Replace(goodGBC, `"img_size": [1000, 500], `, "", 1)
	var want []string
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"lines", []byte(lines + "\n" + lines)}, {"list", []byte("[" + lines + ",\n" + lines + "]")}, {"Parquet", parquetOf(t, []vertexRow{row, row})},
	} {
		opts := write(t, "gbc", c.data)
		opts.Keep = []string{"vertex", "box", "boxes"}
		rows, _, err := read(t, opts, schemas.Position{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		got := told(rows)
		if want == nil {
			want = got
		}
		if len(got) != 12 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		checkResume(t, opts)
	}
}

// TestSetOffsetsOfBrokenText places words in a text that is no UTF-8: offsets are of its bytes.
func TestSetOffsetsOfBrokenText(t *testing.T) {
	g := schemas.SceneGraph{Objects: []schemas.Object{{Name: "dog", Begin: schemas.NoOffset, End: schemas.NoOffset}}}
	text := "\xff\xff\xff a Dog"
	if setOffsets(&g, text); g.Objects[0].Begin < 0 || text[g.Objects[0].Begin:g.Objects[0].End] != "Dog" {
		t.Errorf("object %+v of %q", g.Objects[0], text)
	}
}
