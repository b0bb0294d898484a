package sources

import "strings"

// publishedCorpus names the columns of a published corpus: the columns that make the caption, one after another, and the column of the image.
type publishedCorpus struct {
	captions []string
	image    string
}

// publishedCorpora are tried if no column plays the caption and none is called so. The first with a
// caption in the row is used.
var publishedCorpora = []publishedCorpus{
	{[]string{"TEXT"}, "URL"},                                     // LAION-400M, LAION-2B; of LAION-COCO init takes another
	{[]string{"title_clean", "description_clean"}, "downloadurl"}, // YFCC-15M, OpenAI's subset of YFCC100M
}

// allPublishedColumns returns the columns of all published corpora.
func allPublishedColumns() (names []string) {
	for _, p := range publishedCorpora {
		names = append(append(names, p.captions...), p.image)
	}
	return names
}

// joinCaptions joins the texts of a row. The result is null if there are none. A cell that is not
// text is returned as it is.
func (p publishedCorpus) joinCaptions(get func(column string) cell) cell {
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
