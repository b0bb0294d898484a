package drawing

import (
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// BarePositives reports, for each positive of a pool, whether it names no attribute: "a boy", "a boy
// holding a kite". It compares normalised texts:
//
//   - An object is bare if it has one word, after "there is" or "there are".
//   - A relation is bare unless it contains the text of an object of the pool that is not bare:
//     "small boy", "yellow kite".
//   - A paraphrase is bare if the last positive before it that is not a paraphrase is.
//   - Captions and texts of other kinds are not bare.
func BarePositives(p *schemas.Pool) []bool {
	texts, bare := make([]string, len(p.Positives)), make([]bool, len(p.Positives))
	var described []string
	for k, x := range p.Positives {
		if x.Kind != schemas.KindObject && x.Kind != schemas.KindRelation {
			continue
		}
		texts[k] = " " + scenegraph.NormalizeText(x.Text) + " "
		for _, opening := range []string{" there is ", " there are "} {
			if rest, ok := strings.CutPrefix(texts[k], opening); ok {
				texts[k] = " " + rest
				break
			}
		}
		if x.Kind == schemas.KindObject {
			if bare[k] = strings.Count(texts[k], " ") <= 2; !bare[k] {
				described = append(described, texts[k])
			}
		}
	}
	for k, x := range p.Positives {
		switch {
		case x.Kind == schemas.KindRelation:
			bare[k] = true
			for _, object := range described {
				if strings.Contains(texts[k], object) {
					bare[k] = false
				}
			}
		case x.Kind == schemas.KindParaphrase && k > 0:
			bare[k] = bare[k-1]
		}
	}
	return bare
}
