package sources

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// visualGenome reads the files of Visual Genome (Krishna et al. 2017), each a list of images. It
// reads regions with their phrases and, in some files, graphs (region_graphs.json,
// region_descriptions.json), or graphs of whole images (scene_graphs.json, attributes.json,
// relationships.json, objects.json).
type visualGenome struct {
	in    *input
	words *sceneWords
	image jsonObject
}

// The values of Row.Parser for graphs that annotators made.
const (
	parserRegions = "visualgenome/regions"
	parserScenes  = "visualgenome/scenes"
	parserGQA     = "gqa/scenes"
)

// keptBoxes is the name in Options.Keep for the boxes of a graph's objects: a JSON list of [x, y,
// width, height] or null for each object.
const keptBoxes = "boxes"

const remedyVisualGenome = "give a list of images, as region_graphs.json, region_descriptions.json and scene_graphs.json are"

func openVisualGenome(in *input) (rowReader, error) {
	v := &visualGenome{in: in, words: newSceneWords()}
	return in.openImageList(&imageList{rowsOf: v.rowsOf, remedy: remedyVisualGenome})
}

// rowsOf returns the rows of an image.
func (v *visualGenome) rowsOf(_ string, raw []byte) []Row {
	var image Row
	if !v.image.parseOrReject(raw, &image) {
		return []Row{image}
	}
	if regions := v.image.valueOf("regions"); regions != nil {
		return v.regionRows(image, regions)
	}
	v.setImage(&image, v.image.cellOf)
	if image.Reject != "" {
		return []Row{image}
	}
	s := newScene()
	if fault := s.readAnnotations(v.image.valueOf); fault != "" {
		image.reject(RejectMalformedGraph, "%s", fault)
		return []Row{image}
	}
	return sceneRows(v.in, v.words, s, image, parserScenes, imageFields(v.in, v.image.cellOf))
}

// setImage sets the image of row from the fields image_id or id of an image or a region.
func (v *visualGenome) setImage(row *Row, get func(name string) cell) {
	for _, name := range []string{"image_id", "id"} {
		if c := get(name); !c.Null && row.ImageKey == "" {
			row.ImageKey = idOrReject(row, c, name, RejectMissingImage)
		}
	}
	if row.ImageKey == "" && row.Reject == "" {
		row.reject(RejectMissingImage, "image_id is missing, null or empty")
	}
	if row.ImageKey != "" {
		row.Image = row.ImageKey + ".jpg"
	}
}

// regionRows returns the rows of an image's regions.
func (v *visualGenome) regionRows(image Row, list jsontext.Value) []Row {
	regions, err := listElements(list)
	if err != nil || len(regions) == 0 {
		v.setImage(&image, v.image.cellOf)
		if errors.Is(err, errTooMany) {
			image.reject(RejectRowTooLarge, "the regions of the image: %v", err)
		} else {
			image.reject(RejectMissingCaption, "the image has no regions")
		}
		return []Row{image}
	}
	fields := imageFields(v.in, v.image.cellOf)
	rows := make([]Row, len(regions))
	for i, raw := range regions {
		rows[i] = v.regionRow(raw, fields)
	}
	return rows
}

// regionRow returns the row of a region. Its phrase is the caption. fields has the fields of the image for
// those that the region lacks.
func (v *visualGenome) regionRow(raw []byte, fields map[string]cell) Row {
	var row Row
	var o jsonObject
	if !o.parseOrReject(raw, &row) {
		return row
	}
	for _, name := range []string{"region_id", "id"} {
		if c := o.cellOf(name); !c.Null && row.Key == "" {
			row.Key = idOrReject(&row, c, name, RejectMissingKey)
		}
	}
	v.setImage(&row, func(name string) cell {
		if c := o.cellOf(name); name == "image_id" && !c.Null { // a region's id is its own
			return c
		}
		return v.image.cellAtPath(name)
	})
	readCaption(&row, o.valueOf("phrase"))
	boxes := v.readRegionGraph(&row, &o)
	setKeptFields(v.in, &row, func(name string) cell {
		if c := o.cellAtPath(name); !c.Null {
			return c
		}
		return fields[name]
	}, boxes)
	return row
}

// readRegionGraph sets the graph that annotators made for a region, if there is one, and returns
// the boxes of its objects.
func (v *visualGenome) readRegionGraph(row *Row, o *jsonObject) (boxes string) {
	s := newScene()
	fault := s.readAnnotations(o.valueOf)
	if row.Reject != "" || fault == "" && len(s.things) == 0 && len(s.edges) == 0 {
		return ""
	}
	var g *schemas.SceneGraph
	if fault == "" {
		g, boxes, fault = s.wholeGraph(v.words)
	}
	if fault != "" {
		row.reject(RejectMalformedGraph, "%s", fault)
		return ""
	}
	row.Text = strings.TrimSpace(row.Caption)
	if len(row.Text) <= maxAnchored {
		setOffsets(g, row.Text)
	}
	row.Parser, row.Confidence = parserRegions, 1
	g.SetConfidence(1)
	row.setGraph(g)
	return boxes
}

// sceneRows returns the rows of an image with a graph but no caption.
func sceneRows(in *input, w *sceneWords, s *scene, image Row, parser string, fields map[string]cell) (rows []Row) {
	s.eachPart(w, func(g *schemas.SceneGraph, boxes, fault string) {
		row := image
		if fault == "" {
			row.Caption = w.describeGraph(g)
			row.Text, row.Parser, row.Confidence = row.Caption, parser, 1
			g.SetConfidence(1)
			row.setGraph(g)
		} else {
			row.reject(RejectMalformedGraph, "%s", fault)
		}
		setKeptFields(in, &row, func(name string) cell { return fields[name] }, boxes)
		rows = append(rows, row)
	})
	if len(rows) == 0 {
		image.reject(RejectMissingGraph, "the image has no objects")
		rows = append(rows, image)
	}
	return rows
}

// imageFields returns the fields of an image that are named in Where and Keep. All its rows share them.
func imageFields(in *input, get func(name string) cell) map[string]cell {
	fields := map[string]cell{}
	for _, name := range in.opts.Keep {
		fields[name] = get(name)
	}
	for _, w := range in.where {
		fields[w.name] = get(w.name)
	}
	return fields
}

// setKeptFields checks the conditions in Where and sets the fields in Keep.
func setKeptFields(in *input, row *Row, get func(name string) cell, boxes string) {
	of := func(name string) cell {
		if name == keptBoxes {
			return cell{Kept: Kept{Text: boxes, Null: boxes == ""}, kind: otherCell}
		}
		return get(name)
	}
	for _, w := range in.where {
		w.checkRow(row, of(w.name))
	}
	for _, name := range in.opts.Keep {
		row.Keep = append(row.Keep, of(name).Kept)
	}
}

// readAnnotations reads the lists of objects, attributes and relationships of an image or a region,
// as far as they exist. A malformed element gets a fault of its own. For a malformed list, the
// fault is returned.
func (s *scene) readAnnotations(get func(name string) jsontext.Value) (fault string) {
	for _, list := range []struct {
		name string
		each func(o *jsonObject)
	}{
		{"objects", func(o *jsonObject) { s.readThing(o) }},
		{"attributes", func(o *jsonObject) { s.readThing(o) }},
		{"relationships", s.readEdge},
	} {
		raw := get(list.name)
		if raw == nil || raw.Kind() == 'n' {
			continue
		}
		all, err := listElements(raw)
		if err != nil {
			return fmt.Sprintf("%s: %v", list.name, err)
		}
		var o jsonObject
		for _, v := range all {
			var row Row
			if !o.parseOrReject(v, &row) {
				return list.name + ": " + row.Detail
			}
			if list.each(&o); s.sizeFault() != "" {
				return s.sizeFault()
			}
		}
	}
	return ""
}

// readThing adds an object with its name, box and attributes to the scene and returns its id.
func (s *scene) readThing(o *jsonObject) string {
	key := ""
	if c := o.cellOf("object_id"); c.kind != otherCell {
		key = c.String()
	}
	t := s.thingByID(key)
	t.setName(key, firstText(o, "name", "names"))
	if b := boxJSON(o); b != "null" {
		t.box = b
	}
	t.addAttributes(jsonTexts(o.valueOf("attributes"))...)
	return key
}

// readEdge adds a relation to the scene. It refers to its objects by id or contains them.
func (s *scene) readEdge(o *jsonObject) {
	end := func(whole, byID string) string {
		if raw := o.valueOf(whole); raw != nil && raw.Kind() == '{' {
			var of jsonObject
			var row Row
			if of.parseOrReject(raw, &row) {
				return s.readThing(&of)
			}
		}
		if c := o.cellOf(byID); c.kind != otherCell {
			return c.String()
		}
		return ""
	}
	subject, object := end("subject", "subject_id"), end("object", "object_id")
	s.addEdge(subject, o.cellOf("predicate").Text, object)
}

// firstText returns the first string in the fields with these names. For a list it is the first element.
func firstText(o *jsonObject, names ...string) string {
	for _, name := range names {
		if all := jsonTexts(o.valueOf(name)); len(all) > 0 {
			return all[0]
		}
	}
	return ""
}

// jsonTexts returns the strings in a JSON list, or a single string.
func jsonTexts(v jsontext.Value) (all []string) {
	if len(v) == 0 {
		return nil
	}
	list := []jsontext.Value{v}
	if v.Kind() == '[' {
		list, _ = listElements(v)
	}
	for _, e := range list {
		if c := jsonCell(e); c.kind == textCell && strings.TrimSpace(c.Text) != "" {
			all = append(all, c.Text)
		}
	}
	return all
}

// boxJSON returns the box of an object as a JSON list of numbers; null if there is none.
func boxJSON(o *jsonObject) string {
	var all []string
	for _, name := range []string{"x", "y", "w", "h"} {
		v := o.valueOf(name)
		if v == nil || v.Kind() != '0' {
			return "null"
		}
		all = append(all, string(v))
	}
	return "[" + strings.Join(all, ",") + "]"
}
