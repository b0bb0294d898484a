package sources

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// gbc reads the graphs of GBC10M and GBC1M (Hsieh et al. 2024, arXiv 2407.06723): images in JSON lines, a JSON list or
// Parquet. The fields are those of the class GbcGraph in the dataset cards of
// huggingface.co/datasets/graph-based-captions, and img_path and img_size of data/gbc/wiki in github.com/apple/ml-gbc.
//
// GBC lists the things that a text mentions, but no predicates. So each text becomes a caption for the parser, with
// the things that its vertex has edges to as phrases. A composition is a vertex for several things of a kind. Their
// number and the relations that GBC derives from their boxes ("tree 1 is to the right of tree 2.") become a graph.
type gbc struct {
	in    *input
	words *sceneWords
	image jsonObject
}

const (
	parserGBC = "gbc/composition"
	remedyGBC = "give JSON lines, a list or Parquet of images with vertices, as GBC10M's files are"
)

func openGBC(in *input) (rowReader, error) {
	g := &gbc{in: in, words: newSceneWords()}
	return in.openSceneRecords(&imageList{rowsOf: g.rowsOf, remedy: remedyGBC}, "vertices", "img_url", "img_path", "img_size", "original_caption", "short_caption", "detail_caption")
}

// gbcVertex is a vertex of the graph. The text of an edge is the name of a thing in the texts of the vertex that
// the edge comes from.
type gbcVertex struct {
	ID    string `json:"vertex_id"`
	Label string `json:"label"`
	Box   *struct {
		Left, Top, Right, Bottom float64
	} `json:"bbox"`
	Texts []struct{ Text, Label string } `json:"descs"`
	In    []gbcEdge                      `json:"in_edges"`
	Out   []gbcEdge                      `json:"out_edges"`
}

type gbcEdge struct{ Source, Text, Target string }

// rowsOf returns the rows of an image.
func (g *gbc) rowsOf(_ string, raw []byte) []Row {
	var image Row
	if !g.image.parseOrReject(raw, &image) {
		return []Row{image}
	}
	for _, name := range []string{"img_url", "img_path"} {
		if c := g.image.cellOf(name); c.kind == textCell && c.Text != "" && image.Image == "" {
			image.Image = c.Text
		}
	}
	image.ImageKey = image.Image
	var vertices []gbcVertex
	switch err := json.Unmarshal(g.image.valueOf("vertices"), &vertices); {
	case image.Image == "":
		image.reject(RejectMissingImage, "img_url is missing, null or empty")
	case g.image.valueOf("vertices") == nil:
		image.reject(RejectMalformedGraph, "vertices is missing")
	case err != nil:
		image.reject(RejectMalformedGraph, "vertices: want a list of vertices with vertex_id, bbox, label, descs, in_edges and out_edges: %v", err)
	case len(vertices) > maxThings:
		image.reject(RejectMalformedGraph, "has %d vertices, more than %d", len(vertices), maxThings)
	}
	if image.Reject != "" {
		return []Row{image}
	}
	size := imageSize(g.image.valueOf("img_size"))
	fields := imageFields(g.in, g.image.cellOf)
	boxes := map[string]string{}
	for i := range vertices {
		boxes[vertices[i].ID] = vertices[i].boxJSON(size)
	}
	var rows []Row
	for i := range vertices {
		rows = append(rows, g.vertexRows(&vertices[i], image, boxes, fields)...)
	}
	if len(rows) == 0 {
		image.reject(RejectMissingCaption, "the image has no vertices with texts")
		rows = append(rows, image)
	}
	return rows
}

// vertexRows returns the rows of a vertex: its texts, and the graph of a composition.
func (g *gbc) vertexRows(v *gbcVertex, image Row, boxes map[string]string, fields map[string]cell) (rows []Row) {
	of := func(label string) func(name string) cell {
		return func(name string) cell {
			switch name {
			case "vertex":
				return cell{Kept: Kept{Text: v.Label}, kind: textCell}
			case "desc":
				return cell{Kept: Kept{Text: label}, kind: textCell}
			case "box":
				return cell{Kept: Kept{Text: boxes[v.ID]}, kind: otherCell}
			}
			return fields[name]
		}
	}
	things := edgeNames(v.Out)
	if v.Label == "entity" || v.Label == "composition" {
		things = edgeNames(v.In)
	}
	phrases, _ := json.Marshal(things)
	for _, t := range v.Texts {
		if v.Label == "composition" && (t.Label == "hardcode" || hasEdgeName(t.Text, v.Out)) || strings.TrimSpace(t.Text) == "" {
			continue // "tree 1" is not natural language
		}
		row := image
		row.Caption, row.Phrases, row.HasPhrases = t.Text, string(phrases), true
		setKeptFields(g.in, &row, of(t.Label), "")
		rows = append(rows, row)
	}
	if v.Label != "composition" {
		return rows
	}
	s, fault := compositionScene(v, boxes)
	if fault != "" {
		image.reject(RejectMalformedGraph, "%s", fault)
		return append(rows, image)
	}
	made := map[string]cell{}
	for name := range fields {
		made[name] = of("composition")(name)
	}
	return append(rows, sceneRows(g.in, g.words, s, image, parserGBC, made)...)
}

// compositionScene returns the scene of a composition: one thing for the whole ("two trees"), and the single
// things that have relations.
func compositionScene(v *gbcVertex, boxes map[string]string) (s *scene, fault string) {
	s = newScene()
	all := s.thingByID("\x00all")
	name := v.ID
	if len(v.In) > 0 {
		name = v.In[0].Text
	}
	all.setName(v.ID, name)
	all.box = boxes[v.ID]
	if n := len(v.Out); n > 1 && n <= len(countWords)+1 {
		all.quantity = countWords[n-2]
	}
	for _, t := range v.Texts {
		if t.Label != "hardcode" {
			continue
		}
		from, predicate, to := splitHardcoded(t.Text, v.Out)
		if from == nil {
			continue // the text says where one thing is within the composition
		}
		for _, e := range []*gbcEdge{from, to} {
			thing := s.thingByID("\x01" + e.Target)
			thing.setName(e.Target, strings.TrimRight(e.Text, " 0123456789"))
			if b, ok := boxes[e.Target]; ok {
				thing.box = b
			}
		}
		s.addEdge("\x01"+from.Target, predicate, "\x01"+to.Target)
	}
	return s, s.sizeFault()
}

// countWords are the words for the numbers from two on.
var countWords = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// splitHardcoded splits a text such as "tree 1 is to the right of tree 2." into two edges, by their names, and a
// predicate. from is nil if the text has another form.
func splitHardcoded(text string, edges []gbcEdge) (from *gbcEdge, predicate string, to *gbcEdge) {
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	for i := range edges {
		rest, ok := strings.CutPrefix(text, edges[i].Text+" is ")
		if !ok || edges[i].Text == "" {
			continue
		}
		for k := range edges {
			if p, ok := strings.CutSuffix(rest, " "+edges[k].Text); ok && k != i && edges[k].Text != "" {
				return &edges[i], p, &edges[k]
			}
		}
	}
	return nil, "", nil
}

// edgeNames returns the different names of the things that edges lead to, without their numbers.
func edgeNames(edges []gbcEdge) []string {
	names := []string{}
	for _, e := range edges {
		if name := strings.TrimRight(e.Text, " 0123456789"); name != "" && len(name) <= maxWordBytes && !slices.Contains(names, name) && len(names) < 200 {
			names = append(names, name)
		}
	}
	return names
}

// hasEdgeName reports whether a text contains the numbered name of an edge: "Tree 2 is on the left".
func hasEdgeName(text string, edges []gbcEdge) bool {
	low := strings.ToLower(text)
	return slices.ContainsFunc(edges, func(e gbcEdge) bool { return e.Text != "" && strings.Contains(low, strings.ToLower(e.Text)) })
}

// boxJSON returns the box of a vertex as [x, y, width, height], in pixels if the size of the image is known, else
// as fractions of it.
func (v *gbcVertex) boxJSON(size [2]float64) string {
	if v.Box == nil {
		return "null"
	}
	b := v.Box
	return boxFromCorners(b.Left*size[0], b.Top*size[1], b.Right*size[0], b.Bottom*size[1])
}

// boxFromCorners returns the box with these edges as JSON, [x, y, width, height]; null if one is not a finite number.
func boxFromCorners(left, top, right, bottom float64) string {
	var all []string
	for _, f := range []float64{left, top, right - left, bottom - top} {
		f = math.Round(f*1e4) / 1e4
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return "null"
		}
		all = append(all, strconv.FormatFloat(f+0, 'f', -1, 64))
	}
	return "[" + strings.Join(all, ",") + "]"
}

// imageSize returns the width and height of an image; 1 and 1 if they are not known.
func imageSize(raw jsontext.Value) [2]float64 {
	var size []float64
	if json.Unmarshal(raw, &size) != nil || len(size) != 2 || !(size[0] > 0 && size[1] > 0) {
		return [2]float64{1, 1}
	}
	return [2]float64{size[0], size[1]}
}
