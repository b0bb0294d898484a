package say

import "capgraph/internal/lexicon/wordclass"

var (
	unplaced = wordclass.Words("unplaced")
)
