package sources

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"capgraph/store"
)

// setRoles sets Roles and OtherColumns, for a format whose columns may have any names.
func (t *formatTrial) setRoles() {
	if len(t.columns) == 0 {
		return
	}
	has := func(name string) bool { return slices.Contains(t.columns, name) }
	captions := t.Options.Columns[Caption]
	if len(captions) == 0 {
		for _, names := range [][]string{{Caption}, seriesColumns, {listColumn}} {
			if captions = intersectNames(names, t.columns); len(captions) > 0 {
				break
			}
		}
		for _, p := range publishedCorpora {
			if len(captions) == 0 && has(p.captions[0]) {
				captions = intersectNames(p.captions, t.columns)
			}
		}
	}
	for _, name := range []string{Caption, listColumn} { // of objects in a list
		for _, field := range captionFields {
			if len(captions) == 0 && has(name+"."+field) {
				captions = []string{name + "." + field}
			}
		}
	}
	for _, member := range slices.Backward(folderCaptions) { // of text files beside images
		for _, name := range []string{member, member + "." + Caption} {
			if len(captions) == 0 && has(name) {
				captions = []string{name}
			}
		}
	}
	sure := func(names, known []string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !isUsual(n, known) })
	}
	t.Roles = append(t.Roles, FoundRole{Caption, captions, t.Options.Columns[Caption] == nil || t.Models != nil || sure(captions, captionNames)})
	image := t.Options.Columns[Image]
	if image == nil {
		for _, names := range [][]string{imageColumns, allPublishedColumns(), moreImageColumns, weakImageColumns} {
			for _, n := range intersectNames(names, t.columns) {
				if image == nil && !slices.Contains(captions, n) && t.HasImages {
					image = []string{n}
				}
			}
		}
	}
	if image != nil {
		t.Roles = append(t.Roles, FoundRole{Image, image, t.Models != nil || sure(image, append(imageNames, structImage))})
	}
	for _, p := range partitionsOf(t.file) {
		if !has(p.name) {
			t.OtherColumns = append(t.OtherColumns, fmt.Sprintf("%s (of the folder %s=%s)", p.name, p.name, p.value))
		}
	}
	for _, n := range t.columns {
		reached := func(caption string) bool {
			return caption == n || strings.HasPrefix(caption, n+".") || trimListIndexes(caption) == n
		}
		if n != "" && !slices.ContainsFunc(captions, reached) && !slices.Contains(image, n) && !slices.Contains(t.Options.Columns[Key], n) {
			t.OtherColumns = append(t.OtherColumns, n)
		}
	}
}

// intersectNames returns the names in a that are also in b.
func intersectNames(a, b []string) (both []string) {
	for _, n := range a {
		if slices.Contains(b, n) {
			both = append(both, n)
		}
	}
	return both
}

// setPublishedColumns sets the caption column to that of a published corpus if the file has it, and
// detects the image column.
func (t *formatTrial) setPublishedColumns(ctx context.Context, s store.Store, file File) {
	for _, p := range publishedCorpora {
		if len(p.captions) == 1 && slices.Contains(t.columns, p.captions[0]) && !slices.Contains(t.columns, Caption) {
			t.Options.Columns = map[string][]string{Caption: {p.captions[0]}}
			break
		}
	}
	t.setImageColumn(ctx, s, file)
}

// setImageColumn sets the column that probably has the image, unless the readers find it by themselves.
func (t *formatTrial) setImageColumn(ctx context.Context, s store.Store, file File) {
	images := likelyColumns(t.columns, imageNames)
	if t.HasImages && (len(images) == 0 || len(intersectNames(imageColumns, t.columns)) > 0) {
		return
	}
	if len(images) > 0 && t.tryImageColumn(ctx, s, file, images[0]) {
		return
	}
	if t.HasImages {
		return
	}
	for _, n := range t.columns[:min(len(t.columns), maxImagesTried)] { // by their content
		before := *t
		if !slices.Contains(t.Options.Columns[Caption], n) && n != Caption && t.tryImageColumn(ctx, s, file, n) {
			if 2*t.pictures > t.good {
				return
			}
			*t = before
		}
	}
}

// maxImagesTried bounds the columns that are tried as the image.
const maxImagesTried = 24

// tryImageColumn sets the image column to name if the rows can be read with it, and reports whether they can.
func (t *formatTrial) tryImageColumn(ctx context.Context, s store.Store, file File, name string) bool {
	before := *t
	t.Options.Columns = maps.Clone(t.Options.Columns)
	if t.Options.Columns == nil {
		t.Options.Columns = map[string][]string{}
	}
	t.Options.Columns[Image] = []string{name}
	if t.readRows(ctx, s, file) != nil || t.good < before.good {
		*t = before
		return false
	}
	return true
}

// Usual names of caption and image columns, the likeliest first. Case is ignored, and spaces and
// hyphens count as underscores.
var (
	captionNames = []string{
		Caption, "text", "alt_text", "alttext", "alt", "title", "description", "sentence", "captions", "comment", "raw",
		"sentences", "texts", "blip_caption", "prompt", "txt",
	}
	imageNames = append([]string{"url", "image_url", "image", "image_path", "img", "file_name", "filename", "filepath"}, moreImageColumns...)
)

// maxColumnsTried bounds the columns that are tried as the caption.
const maxColumnsTried = 64

// isUsual reports whether a column's name is in known.
func isUsual(name string, known []string) bool {
	return slices.Contains(known, strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name))))
}

// likelyColumns returns the columns whose names are in known, in the order of known.
func likelyColumns(names, known []string) []string {
	var all []string
	for _, k := range known {
		for _, n := range names {
			if isUsual(n, []string{k}) && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all[:min(len(all), maxColumnsTried)]
}

// likelyCaptions returns columns that may have the captions, in three tiers, the likeliest first:
// usual names, and series of these such as text1 and text2; names that contain "caption", "text" or
// "description"; and all others, except usual names of images. Each entry is one column or a
// series.
func likelyCaptions(names []string) [][][]string {
	tiers := make([][][]string, 3)
	for _, n := range likelyColumns(names, captionNames) {
		tiers[0] = append(tiers[0], []string{n})
	}
	series := map[string][]string{}
	var stems []string
	for _, n := range names {
		stem := strings.TrimRight(strings.TrimRight(n, "0123456789"), "_- ")
		if stem != n && isUsual(stem, captionNames) {
			if series[stem] = append(series[stem], n); len(series[stem]) == 2 {
				stems = append(stems, stem)
			}
		}
	}
	for _, stem := range stems {
		tiers[0] = append(tiers[0], series[stem])
	}
	for _, n := range names {
		if isUsual(n, captionNames) || isUsual(n, imageNames) {
			continue
		}
		tier, lower := 2, strings.ToLower(n)
		for _, part := range []string{"caption", "text", "description"} {
			if strings.Contains(lower, part) && strings.Count(n, ".") < 2 {
				tier = 1
			}
		}
		tiers[tier] = append(tiers[tier], []string{n})
	}
	for i := range tiers {
		tiers[i] = tiers[i][:min(len(tiers[i]), maxColumnsTried)]
	}
	return tiers
}
