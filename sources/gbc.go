package sources

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// gbc reads the graphs of GBC10M and GBC1M (Hsieh et al. 2024, arXiv 2407.06723): images as JSON lines, a JSON list or
// Parquet. Names of fields are those of class GbcGraph in the cards of huggingface.co/datasets/graph-based-captions,
// and of data/gbc/wiki in github.com/apple/ml-gbc, which has img_path and img_size too.
//
// GBC names the things of a text and has no predicates. So each text is a caption, whose objects are the things that
// its vertex has edges to, and the parser finds what is said of them. A composition is several things of a kind;
// their number, and the relations that GBC states of its boxes ("tree 1 is to the right of tree 2."), are a graph.
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

// gbcVertex is a node of the graph. The texts of its edges are the names of things in its own texts and in those
// above it.
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

// rowsOf makes the rows of an image.
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

// vertexRows returns the rows of a vertex.
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
		if v.Label == "composition" && (t.Label == "hardcode" || namesOneOf(t.Text, v.Out)) || strings.TrimSpace(t.Text) == "" {
			continue // "tree 1" is nobody's words
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

// compositionScene returns the things of a composition: all as one ("two trees"), and those that stand in a relation.
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
			continue // where one is in the composition
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

// countWords are the numbers from two on in words.
var countWords = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// splitHardcoded divides "tree 1 is to the right of tree 2." at the names of two edges; from is nil if it is another
// text.
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

// edgeNames returns the names of things that edges have, each once, without numbers after them.
func edgeNames(edges []gbcEdge) []string {
	names := []string{}
	for _, e := range edges {
		if name := strings.TrimRight(e.Text, " 0123456789"); name != "" && len(name) <= maxWordBytes && !slices.Contains(names, name) && len(names) < 200 {
			names = append(names, name)
		}
	}
	return names
}

// namesOneOf reports whether a text has the numbered name of one of the edges: "Tree 2 is on the left".
func namesOneOf(text string, edges []gbcEdge) bool {
	low := strings.ToLower(text)
	return slices.ContainsFunc(edges, func(e gbcEdge) bool { return e.Text != "" && strings.Contains(low, strings.ToLower(e.Text)) })
}

// boxJSON returns the place of a vertex as [x, y, width, height], in pixels if the size of the image is known, else
// in parts of it.
func (v *gbcVertex) boxJSON(size [2]float64) string {
	if v.Box == nil {
		return "null"
	}
	b := v.Box
	return boxOf(b.Left*size[0], b.Top*size[1], b.Right*size[0], b.Bottom*size[1])
}

// boxOf returns a box by its corners as [x, y, width, height], or null.
func boxOf(left, top, right, bottom float64) string {
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

// imageSize returns width and height; 1 and 1 if they are not known.
func imageSize(raw jsontext.Value) [2]float64 {
	var size []float64
	if json.Unmarshal(raw, &size) != nil || len(size) != 2 || !(size[0] > 0 && size[1] > 0) {
		return [2]float64{1, 1}
	}
	return [2]float64{size[0], size[1]}
}
