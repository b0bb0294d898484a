package negatives

import "capgraph/internal/lexicon/wordclass"

// Lists of words that the rules for negatives use. The comments in
// internal/lexicon/wordclass/words.tsv say what each has.
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
