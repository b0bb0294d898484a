package stages

import (
	"fmt"
	"regexp"
	"strings"

	"capgraph/folder"
)

// licenceID is the name of a licence in the front matter of a dataset card: cc-by-sa-4.0.
var licenceID = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*$`)

// licenceTerms are terms of licences that bind those who share the texts. part is a part of the
// licence's name.
var licenceTerms = []struct{ part, says string }{
	{"-sa", "share-alike: whoever shares these texts, or what is made of them, does so under the same licence"},
	{"-nc", "non-commercial: these texts are not for commercial use"},
	{"-nd", "no derivatives: these texts are derived from the captions, and may not be shared"},
}

// licenceLines returns the line of the front matter and the first lines of a card about the licence of
// the captions; both are empty if it is not known.
func licenceLines(licence string) (matter, lines string) {
	if licence == "" {
		return "", ""
	}
	matter = "license: " + licence + "\n"
	if !licenceID.MatchString(licence) {
		matter = fmt.Sprintf("license: other\nlicense_name: %q\n", licence)
	}
	lines = fmt.Sprintf("\nThe captions are under %s, and so are the texts made of them.\n", licence)
	for _, t := range licenceTerms {
		if strings.Contains(strings.ToLower(strings.ReplaceAll(licence, " ", "-"))+"-", t.part+"-") {
			lines += "\n- " + t.says
		}
	}
	return matter, strings.TrimRight(lines, "\n") + "\n"
}

// sourceLine returns the first line of a card, which names the files of the captions.
func sourceLine(index *folder.Index) string {
	if index == nil || len(index.Files) == 0 {
		return ""
	}
	first, last := index.Files[0].Name, index.Files[len(index.Files)-1].Name
	if len(index.Files) == 1 {
		return fmt.Sprintf("\nThe captions are those of %s.\n", first)
	}
	return fmt.Sprintf("\nThe captions are those of %d files, %s to %s.\n", len(index.Files), first, last)
}
