package words

import "capgraph/internal/lexicon/wordclass"

// ClashesIn reports whether an attribute that comes in the place of another of a noun does not go with the others of
// the noun: it excludes one of them that the old one did not exclude ("a vintage modern scale", "a clear hazy sky"), or
// one of the two is a colour that the other does not go with ("vibrant gray"). Of "a black and white cat" either
// colour can be another.
func (w *Cache) ClashesIn(n *Noun, others []*Property, was, is *Property) bool {
	for _, o := range others {
		if o == is || !w.AttributesExclude(o, was) && w.AttributesExclude(o, is) || w.shareDimension(o, is) && !w.AttributesExclude(o, was) ||
			w.hasNoColour(n, o, is) || w.hasNoColour(n, is, o) {
			return true
		}
	}
	return false
}

// hasNoColour reports whether a noun with an attribute does not have a colour: no "vibrant gray" or "clear gray sky", no
// "lush yellow" or "bare green tree", no "blue blonde hair".
func (w *Cache) hasNoColour(n *Noun, attribute, colour *Property) bool {
	a, pale := attribute.Text, wordclass.Has(paleColours, colour.Text)
	return colour.Colour && (pale && wordclass.Has(vividColours, a) || a == "lush" && colour.Text != "green" || colour.Text == "green" && wordclass.Has(leafless, a) ||
		pale && wordclass.Has(cloudless, a) && wordclass.Has(" sky water sea ocean lake ", n.Head) || w.shareDimension(attribute, w.Property("blonde")))
}

// shareDimension reports whether two properties are of one dimension.
func (w *Cache) shareDimension(a, b *Property) bool {
	return len(a.Values) > 0 && len(b.Values) > 0 && w.Lexicon.Dimension(a.Values[0]) == w.Lexicon.Dimension(b.Values[0])
}
