package negatives

import "capgraph/internal/lexicon/wordclass"

// Classes of words that negatives go by: internal/lexicon/wordclass/words.tsv says what each is.
var (
	animate    = wordclass.Of("animate")
	barely     = wordclass.Of("barely")
	bearing    = wordclass.Of("bearing")
	dishes     = wordclass.Of("dishes")
	everybodys = wordclass.Of("everybodys")
	extents    = wordclass.Of("extents")
	fixtures   = wordclass.Of("fixtures")
	livingAges = wordclass.Of("livingAges")
	meanwhile  = wordclass.Of("meanwhile")
	ofParts    = wordclass.Of("ofParts")
	peopleAges = wordclass.Of("peopleAges")
	single     = wordclass.Of("single")
	unsaying   = wordclass.Of("unsaying")
	unseen     = wordclass.Of("unseen")
)
