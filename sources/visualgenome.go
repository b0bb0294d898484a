package sources

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// visualGenome reads the files of Visual Genome (Krishna et al. 2017), lists of
// images: regions with their phrases, with graphs of their own or without
// (region_graphs.json, region_descriptions.json), and graphs of whole images
// (scene_graphs.json, attributes.json, relationships.json, objects.json).
type visualGenome struct {
	in    *input
	words *sceneWords
	image object
}

// What Row.Parser says of graphs that annotators drew.
const (
	parserRegions = "visualgenome/regions"
	parserScenes  = "visualgenome/scenes"
	parserGQA     = "gqa/scenes"
)

// keptBoxes is the name by which Options.Keep has the boxes of a graph's objects: a
// JSON list with [x, y, width, height], or null, for each.
const keptBoxes = "boxes"

const remedyVisualGenome = "give a list of images, as region_graphs.json, region_descriptions.json and scene_graphs.json are"

func openVisualGenome(in *input) (rows, error) {
	v := &visualGenome{in: in, words: newSceneWords()}
	return in.imageList(&imageList{rowsOf: v.rowsOf, remedy: remedyVisualGenome})
}

// rowsOf makes the rows of an image.
func (v *visualGenome) rowsOf(_ string, raw []byte) []Row {
	var image Row
	if !v.image.parse(raw, &image) {
		return []Row{image}
	}
	if regions := v.image.get("regions"); regions != nil {
		return v.regions(image, regions)
	}
	v.setImage(&image, v.image.cell)
	if image.Reject != "" {
		return []Row{image}
	}
	s := newScene()
	if fault := s.annotated(v.image.get); fault != "" {
		image.reject(RejectMalformedGraph, "%s", fault)
		return []Row{image}
	}
	return sceneRows(v.in, v.words, s, image, parserScenes, asked(v.in, v.image.cell))
}

// setImage says which image it is: image_id, or id, of an image or a region.
func (v *visualGenome) setImage(row *Row, get func(name string) cell) {
	for _, name := range []string{"image_id", "id"} {
		if c := get(name); !c.Null && row.ImageKey == "" {
			row.ImageKey = id(row, c, name, RejectMissingImage)
		}
	}
	if row.ImageKey == "" && row.Reject == "" {
		row.reject(RejectMissingImage, "image_id is missing, null or empty")
	}
	if row.ImageKey != "" {
		row.Image = row.ImageKey + ".jpg"
	}
}

// regions are the rows of an image's regions.
func (v *visualGenome) regions(image Row, list jsontext.Value) []Row {
	regions, err := elements(list)
	if err != nil || len(regions) == 0 {
		v.setImage(&image, v.image.cell)
		if errors.Is(err, errTooMany) {
			image.reject(RejectRowTooLarge, "the regions of the image: %v", err)
		} else {
			image.reject(RejectMissingCaption, "the image has no regions")
		}
		return []Row{image}
	}
	fields := asked(v.in, v.image.cell)
	rows := make([]Row, len(regions))
	for i, raw := range regions {
		rows[i] = v.region(raw, fields)
	}
	return rows
}

// region is the row of one region, whose phrase is the caption. Fields are those of
// the image, for what the region has not itself.
func (v *visualGenome) region(raw []byte, fields map[string]cell) Row {
	var row Row
	var o object
	if !o.parse(raw, &row) {
		return row
	}
	for _, name := range []string{"region_id", "id"} {
		if c := o.cell(name); !c.Null && row.Key == "" {
			row.Key = id(&row, c, name, RejectMissingKey)
		}
	}
	v.setImage(&row, func(name string) cell {
		if c := o.cell(name); name == "image_id" && !c.Null { // a region's id is its own
			return c
		}
		return v.image.cell(name)
	})
	plainCaption(&row, o.get("phrase"))
	boxes := v.give(&row, &o)
	extras(v.in, &row, func(name string) cell {
		if c := o.cell(name); !c.Null {
			return c
		}
		return fields[name]
	}, boxes)
	return row
}

// give gives a region the graph that its annotators drew, if there is one, and
// returns the boxes of its objects.
func (v *visualGenome) give(row *Row, o *object) (boxes string) {
	s := newScene()
	fault := s.annotated(o.get)
	if row.Reject != "" || fault == "" && len(s.things) == 0 && len(s.edges) == 0 {
		return ""
	}
	var g *schemas.SceneGraph
	if fault == "" {
		g, boxes, fault = s.whole(v.words)
	}
	if fault != "" {
		row.reject(RejectMalformedGraph, "%s", fault)
		return ""
	}
	row.Text = strings.TrimSpace(row.Caption)
	if len(row.Text) <= maxAnchored {
		anchor(g, row.Text)
	}
	row.Parser, row.Confidence = parserRegions, 1
	row.take(g)
	return boxes
}

// sceneRows are the rows of an image that has a graph and no caption.
func sceneRows(in *input, w *sceneWords, s *scene, image Row, parser string, fields map[string]cell) (rows []Row) {
	s.parts(w, func(g *schemas.SceneGraph, boxes, fault string) {
		row := image
		if fault == "" {
			row.Caption = w.say(g)
			row.Text, row.Parser, row.Confidence = row.Caption, parser, 1
			row.take(g)
		} else {
			row.reject(RejectMalformedGraph, "%s", fault)
		}
		extras(in, &row, func(name string) cell { return fields[name] }, boxes)
		rows = append(rows, row)
	})
	if len(rows) == 0 {
		image.reject(RejectMissingGraph, "the image has no objects")
		rows = append(rows, image)
	}
	return rows
}

// asked are the fields of an image that Where and Keep name, which all its rows share.
func asked(in *input, get func(name string) cell) map[string]cell {
	fields := map[string]cell{}
	for _, name := range in.opts.Keep {
		fields[name] = get(name)
	}
	for _, w := range in.where {
		fields[w.name] = get(w.name)
	}
	return fields
}

// extras sets what Where and Keep name.
func extras(in *input, row *Row, get func(name string) cell, boxes string) {
	of := func(name string) cell {
		if name == keptBoxes {
			return cell{Kept: Kept{Text: boxes, Null: boxes == ""}, kind: otherCell}
		}
		return get(name)
	}
	for _, w := range in.where {
		w.check(row, of(w.name))
	}
	for _, name := range in.opts.Keep {
		row.Keep = append(row.Keep, of(name).Kept)
	}
}
