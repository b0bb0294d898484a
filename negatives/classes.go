package negatives

import "capgraph/internal/lexicon/wordclass"

// Classes of words that negatives go by: internal/lexicon/wordclass/words.tsv says what each is.
var (
	animate    = wordclass.Words("animate")
	barely     = wordclass.Words("barely")
	bearing    = wordclass.Words("bearing")
	everybodys = wordclass.Words("everybodys")
	extents    = wordclass.Words("extents")
	hues       = wordclass.Words("hues")
	livingAges = wordclass.Words("livingAges")
	meanwhile  = wordclass.Words("meanwhile")
	ofParts    = wordclass.Words("ofParts")
	partNouns  = wordclass.Words("partNouns")
	peopleAges = wordclass.Words("peopleAges")
	single     = wordclass.Words("single")
	unseen     = wordclass.Words("unseen")
)
