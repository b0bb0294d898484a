package sources

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"capgraph/store"
)

// describeRoles says what the columns were taken for, in a format whose columns have any names.
func (t *formatTrial) describeRoles() {
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
	for _, member := range slices.Backward(folderCaptions) { // of texts beside images
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
			return caption == n || strings.HasPrefix(caption, n+".") || withoutPlaces(caption) == n
		}
		if n != "" && !slices.ContainsFunc(captions, reached) && !slices.Contains(image, n) && !slices.Contains(t.Options.Columns[Key], n) {
			t.OtherColumns = append(t.OtherColumns, n)
		}
	}
}

// intersectNames returns the names that are in both lists, in the order of the first.
func intersectNames(a, b []string) (both []string) {
	for _, n := range a {
		if slices.Contains(b, n) {
			both = append(both, n)
		}
	}
	return both
}

// setPublished names the columns of a published corpus that were read, if one of them is the
// caption.
func (t *formatTrial) setPublished(ctx context.Context, s store.Store, file File) {
	for _, p := range publishedCorpora {
		if len(p.captions) == 1 && slices.Contains(t.columns, p.captions[0]) && !slices.Contains(t.columns, Caption) {
			t.Options.Columns = map[string][]string{Caption: {p.captions[0]}}
			break
		}
	}
	t.setImage(ctx, s, file)
}

// setImage names the column that likely holds the image, if no reader guesses it.
func (t *formatTrial) setImage(ctx context.Context, s store.Store, file File) {
	images := likelyColumns(t.columns, imageNames)
	if t.HasImages && (len(images) == 0 || len(intersectNames(imageColumns, t.columns)) > 0) {
		return
	}
	if len(images) > 0 && t.tryImage(ctx, s, file, images[0]) {
		return
	}
	if t.HasImages {
		return
	}
	for _, n := range t.columns[:min(len(t.columns), maxImagesTried)] { // by what they hold
		before := *t
		if !slices.Contains(t.Options.Columns[Caption], n) && n != Caption && t.tryImage(ctx, s, file, n) {
			if 2*t.pictures > t.good {
				return
			}
			*t = before
		}
	}
}

// maxImagesTried bounds the columns that are tried as the image.
const maxImagesTried = 24

// tryImage names a column as the image, if the rows can be read so.
func (t *formatTrial) tryImage(ctx context.Context, s store.Store, file File, name string) bool {
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

// Usual names of the columns of captions and images, the likeliest first. Case does not matter, and
// a space or a hyphen is an underscore.
var (
	captionNames = []string{
		Caption, "text", "alt_text", "alttext", "alt", "title", "description", "sentence", "captions", "comment", "raw",
		"sentences", "texts", "blip_caption", "prompt", "txt",
	}
	imageNames = append([]string{"url", "image_url", "image", "image_path", "img", "file_name", "filename", "filepath"}, moreImageColumns...)
)

// maxColumnsTried bounds the columns that are tried.
const maxColumnsTried = 64

// isUsual reports whether a column has one of the known names.
func isUsual(name string, known []string) bool {
	return slices.Contains(known, strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name))))
}

// likelyColumns returns the names that are in known, in its order.
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

// likelyCaptions returns the columns that may be captions, alone or several together, in tiers, the
// likeliest first: those with usual names and series of them, such as text1 and text2; those whose
// names contain one; and the others, but not those that are called as images are.
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
