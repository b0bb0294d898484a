package sources

import (
	"encoding/json"
	"fmt"
	"strings"

	"capgraph/schemas"
)

// sceneFormat reads images with graphs that a language model made.
type sceneFormat struct {
	in    *input
	words *sceneWords
	image jsonObject
}

// The values of Row.Parser for graphs that language models made.
const (
	parserLAIONSG  = "laion-sg/gpt-4o"
	parserTriplets = "llm4sgg/triplets"
	parserUnits    = "csclip/units"
)

// openLAIONSG reads LAION-SG (Li et al. 2024, arXiv 2412.08580). The fields are those in the dataset card of
// huggingface.co/datasets/mengcy/LAION-SG and, for relations, in the paper's supplement S4. Captions are made from
// the graph, since caption_ori does not say what the graph says.
func openLAIONSG(in *input) (rowReader, error) {
	f := &sceneFormat{in: in, words: newSceneWords()}
	return in.openSceneRecords(&imageList{rowsOf: f.laionRows, remedy: "give a list of images with items and relations, as LAION-SG's files are"},
		"items", "relations", "img_id", "name", "url", "caption_ori", "score")
}

func (f *sceneFormat) laionRows(_ string, raw []byte) []Row {
	var image Row
	if !f.image.parseOrReject(raw, &image) {
		return []Row{image}
	}
	image.ImageKey = idOrReject(&image, f.image.cellOf("img_id"), "img_id", RejectMissingImage)
	if c := f.image.cellOf("name"); c.kind == textCell {
		image.Image = c.Text
	}
	if c := f.image.cellOf("url"); c.kind == textCell && c.Text != "" {
		image.addSame(c.Text)
	}
	var items []struct {
		ID         json.Number `json:"item_id"`
		Label      string      `json:"label"`
		Attributes []string    `json:"attributes"`
	}
	var relations []struct {
		Subject   json.Number `json:"item1"`
		Predicate string      `json:"relation"`
		Object    json.Number `json:"item2"`
	}
	err := json.Unmarshal(f.image.valueOf("items"), &items)
	if raw := f.image.valueOf("relations"); err == nil && raw != nil {
		err = json.Unmarshal(raw, &relations)
	}
	if image.Reject == "" && err != nil {
		image.reject(RejectMalformedGraph, "items and relations: %v", err)
	}
	if image.Reject != "" {
		return []Row{image}
	}
	s := newScene()
	for _, i := range items {
		t := s.thingByID(i.ID.String())
		t.setName(i.ID.String(), i.Label)
		t.addAttributes(i.Attributes...)
	}
	for _, r := range relations {
		s.addEdge(r.Subject.String(), r.Predicate, r.Object.String())
	}
	return f.graphRows(s, image, parserLAIONSG)
}

// graphRows returns the rows of an image with a graph but no caption.
func (f *sceneFormat) graphRows(s *scene, image Row, parser string) []Row {
	if fault := s.sizeFault(); fault != "" {
		image.reject(RejectMalformedGraph, "%s", fault)
		return []Row{image}
	}
	return sceneRows(f.in, f.words, s, image, parser, imageFields(f.in, f.image.cellOf))
}

// openTriplets reads the triplets of LLM4SGG (Kim et al. 2024), in a form that comes from VS3: an object
// text_scene_graph of images by id, as triplet_extraction_process/final_preprocess_triplets_vg.py of
// github.com/rlqja1107/torch-LLM4SGG writes it. There are boxes if
// tools/data_preprocess/parse_SG_from_COCO_caption_LLM_VG.py added them, as in huggingface.co/datasets/kb-kim/LLM4SGG.
func openTriplets(in *input) (rowReader, error) {
	f := &sceneFormat{in: in, words: newSceneWords()}
	return in.openSceneRecords(&imageList{rowsOf: f.tripletRows, keyed: true, wrapped: "text_scene_graph",
		remedy: "give an object text_scene_graph of images by their ids, as aligned_triplet_coco4vg_grounded.json has it"}, "text_scene_graph")
}

func (f *sceneFormat) tripletRows(key string, raw []byte) []Row {
	image := Row{ImageKey: key, Image: key + ".jpg"}
	if key == "" {
		image.reject(RejectMissingImage, "the name of an image is empty")
	}
	if image.Reject != "" || !f.image.parseOrReject(raw, &image) {
		return []Row{image}
	}
	var things []struct {
		Name string    `json:"label_name"`
		Box  []float64 `json:"xyxy_box"`
	}
	var edges []struct {
		Subject int      `json:"subject"`
		Object  int      `json:"object"`
		Text    []string `json:"text"`
	}
	var objects []string
	var triplets [][]string
	for name, list := range map[string]any{"entities_after_grounding": &things, "relations_after_grounding": &edges, "objects": &objects, "triplets": &triplets} {
		if v := f.image.valueOf(name); v != nil && json.Unmarshal(v, list) != nil && image.Reject == "" {
			image.reject(RejectMalformedGraph, "objects, triplets, entities_after_grounding or relations_after_grounding are not as LLM4SGG has them")
		}
	}
	if image.Reject != "" {
		return []Row{image}
	}
	s := newScene()
	for i, t := range things {
		thing := s.thingByID(fmt.Sprint(i))
		thing.setName(fmt.Sprint(i), t.Name)
		if b := t.Box; len(b) == 4 {
			thing.box = boxFromCorners(b[0], b[1], b[2], b[3])
		}
	}
	for _, e := range edges {
		if len(e.Text) == 3 {
			s.addEdge(fmt.Sprint(e.Subject), e.Text[1], fmt.Sprint(e.Object))
		} else {
			s.addEdge(fmt.Sprint(e.Subject), "", fmt.Sprint(e.Object))
		}
	}
	if len(things) == 0 { // not grounded
		for _, name := range objects {
			s.thingByID(name).setName(name, name)
		}
		for _, t := range triplets {
			if len(t) != 3 {
				s.edges = append(s.edges, edge{fault: fmt.Sprintf("a triplet has %d parts, not 3", len(t))})
				continue
			}
			for _, name := range []string{t[0], t[2]} {
				s.thingByID(name).setName(name, name)
			}
			s.addEdge(t[0], t[1], t[2])
		}
	}
	return f.graphRows(s, image, parserTriplets)
}

// openUnits reads the units of CS-CLIP: a JSON list of captions with entities and relations that a
// language model named. github.com/kargibora/CS-CLIP reads it, and capgraph export --to csclip writes it.
func openUnits(in *input) (rowReader, error) {
	f := &sceneFormat{in: in, words: newSceneWords()}
	return in.openSceneRecords(&imageList{rowsOf: f.unitRows, remedy: "give a list of captions with original_caption, entities and relations, as CS-CLIP's files are"},
		"original_caption", "entities", "relations", "sample_id", "image_path")
}

func (f *sceneFormat) unitRows(_ string, raw []byte) []Row {
	var row Row
	if !f.image.parseOrReject(raw, &row) {
		return []Row{row}
	}
	if c := f.image.cellOf("image_path"); c.kind == textCell {
		row.Image, row.ImageKey = c.Text, c.Text
	}
	if c := f.image.cellOf("sample_id"); row.Image == "" && !c.Null {
		row.ImageKey = idOrReject(&row, c, "sample_id", RejectMissingImage)
	}
	readCaption(&row, f.image.valueOf("original_caption"))
	var relations []struct {
		Subject   string `json:"subject"`
		Predicate string `json:"relation_type"`
		Object    string `json:"object"`
	}
	var entities []string
	for name, list := range map[string]any{"entities": &entities, "relations": &relations} {
		if v := f.image.valueOf(name); v != nil && json.Unmarshal(v, list) != nil && row.Reject == "" {
			row.reject(RejectMalformedGraph, "entities or relations are not as CS-CLIP has them: a list of texts, and of subject, relation_type and object")
		}
	}
	s := newScene()
	for _, name := range entities {
		s.thingByID(strings.ToLower(name)).setName(name, name)
	}
	for _, r := range relations {
		for _, name := range []string{r.Subject, r.Object} {
			s.thingByID(strings.ToLower(name)).setName(name, name)
		}
		s.addEdge(strings.ToLower(r.Subject), r.Predicate, strings.ToLower(r.Object))
	}
	fault := s.sizeFault()
	if row.Reject == "" && fault == "" && len(s.things) == 0 {
		row.reject(RejectMissingGraph, "the caption has no entities")
	}
	if row.Reject == "" {
		f.setGraph(&row, s, fault)
	}
	setKeptFields(f.in, &row, f.image.cellOf, "")
	return []Row{row}
}

// setGraph sets the graph of a caption to that of s. If fault is not empty, it rejects the row.
func (f *sceneFormat) setGraph(row *Row, s *scene, fault string) {
	var g *schemas.SceneGraph
	if fault == "" {
		g, _, fault = s.wholeGraph(f.words)
	}
	if fault != "" {
		row.reject(RejectMalformedGraph, "%s", fault)
		return
	}
	row.Text = strings.TrimSpace(row.Caption)
	if len(row.Text) <= maxAnchored {
		setOffsets(g, row.Text)
	}
	row.Parser, row.Confidence = parserUnits, 1
	g.SetConfidence(1)
	row.setGraph(g)
}
