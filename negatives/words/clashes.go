package words

import "capgraph/internal/lexicon/wordclass"

// ClashesIn reports whether attribute is of noun n, in place of was, clashes with one of n's others. It clashes with an
// attribute that it excludes and was did not ("a vintage modern scale", "a clear hazy sky"), and with a colour that
// does not go with it ("vibrant gray"). In "a black and white cat" either colour can be replaced.
func (w *Cache) ClashesIn(n *Noun, others []*Property, was, is *Property) bool {
	for _, o := range others {
		if o == is || !w.AttributesExclude(o, was) && w.AttributesExclude(o, is) || w.shareDimension(o, is) && !w.AttributesExclude(o, was) ||
			w.hasNoColour(n, o, is) || w.hasNoColour(n, is, o) {
			return true
		}
	}
	return false
}

// hasNoColour reports whether a colour does not go with an attribute of a noun: no "vibrant gray", no "clear gray sky",
// no "lush yellow" or "bare green tree", no "blue blonde hair".
func (w *Cache) hasNoColour(n *Noun, attribute, colour *Property) bool {
	a, pale := attribute.Text, wordclass.Has(paleColours, colour.Text)
	return colour.Colour && (pale && wordclass.Has(vividColours, a) || a == "lush" && colour.Text != "green" || colour.Text == "green" && wordclass.Has(leafless, a) ||
		pale && wordclass.Has(cloudless, a) && wordclass.Has(" sky water sea ocean lake ", n.Head) || w.shareDimension(attribute, w.Property("blonde")))
}

// shareDimension reports whether two attributes have the same dimension.
func (w *Cache) shareDimension(a, b *Property) bool {
	return len(a.Values) > 0 && len(b.Values) > 0 && w.Lexicon.Dimension(a.Values[0]) == w.Lexicon.Dimension(b.Values[0])
}
