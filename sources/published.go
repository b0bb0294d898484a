package sources

import "strings"

// publishedCorpus has column names of a published corpus: the columns whose texts, joined, are the caption,
// and the column of the image.
type publishedCorpus struct {
	captions []string
	image    string
}

// publishedCorpora are tried if no column is named for the caption and none has the name caption.
// The first whose caption or image a row has is used.
var publishedCorpora = []publishedCorpus{
	{[]string{"TEXT"}, "URL"},                                     // LAION-400M, LAION-2B; for LAION-COCO, capgraph init sets another column
	{[]string{"title_clean", "description_clean"}, "downloadurl"}, // YFCC-15M, OpenAI's subset of YFCC100M
}

// allPublishedColumns returns the columns of all published corpora.
func allPublishedColumns() (names []string) {
	for _, p := range publishedCorpora {
		names = append(append(names, p.captions...), p.image)
	}
	return names
}

// joinCaptions joins the texts of a row's caption columns. The result is null if there are none. If
// a cell is not text, it is returned.
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
