package sources

import "strings"

// published is how the columns of a published corpus are called: what makes the
// caption, one after another, and the image.
type published struct {
	captions []string
	image    string
}

// publishedColumns are taken where no column plays the caption and none is called
// so, the first of which a row has a caption.
var publishedColumns = []published{
	{[]string{"TEXT"}, "URL"},                                     // LAION-400M, LAION-2B, LAION-COCO
	{[]string{"title_clean", "description_clean"}, "downloadurl"}, // YFCC-15M, OpenAI's subset of YFCC100M
}

// allPublished are the columns of all published corpora.
func allPublished() (names []string) {
	for _, p := range publishedColumns {
		names = append(append(names, p.captions...), p.image)
	}
	return names
}

// caption joins the texts of a row; it is null where there are none, and a cell that
// is no text is returned as it is.
func (p published) caption(get func(column string) cell) cell {
	joined := ""
	for _, name := range p.captions {
		c := get(name)
		if !c.Null && c.kind != textCell {
			return c
		}
		said := strings.TrimSpace(c.Text)
		if joined != "" && said != "" {
			if !strings.ContainsAny(joined[len(joined)-1:], ".!?") {
				joined += "."
			}
			joined += " "
		}
		joined += said
	}
	return cell{Kept: Kept{Text: joined, Null: joined == ""}, kind: textCell}
}
