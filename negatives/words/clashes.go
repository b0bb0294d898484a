package words

import "capgraph/internal/lexicon/wordclass"

// ClashesIn reports whether an attribute that comes in the place of another of a noun does not go with the others of
// the noun: it excludes one of them that the old one did not exclude ("a vintage modern scale", "a clear hazy sky"), or
// is a colour that another attribute does not go with ("vibrant gray"). Of "a black and white cat" either
// colour can be another.
func (w *Cache) ClashesIn(n *Noun, others []*Property, was, is *Property) bool {
	for _, o := range others {
		if o == is || !w.AttributesExclude(o, was) && w.AttributesExclude(o, is) || w.shareDimension(o, is) && !w.AttributesExclude(o, was) {
			return true
		}
		if is.Colour && (wordclass.Has(vividColours, o.Text) && wordclass.Has(paleColours, is.Text) || o.Text == "lush" && is.Text != "green" ||
			wordclass.Has(cloudless, o.Text) && wordclass.Has(paleColours, is.Text) && wordclass.Has(" sky water sea ocean lake ", n.Head)) {
			return true
		}
	}
	return false
}

// shareDimension reports whether two properties are of one dimension.
func (w *Cache) shareDimension(a, b *Property) bool {
	return len(a.Values) > 0 && len(b.Values) > 0 && w.Lexicon.Dimension(a.Values[0]) == w.Lexicon.Dimension(b.Values[0])
}
