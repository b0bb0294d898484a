package whole

import "capgraph/internal/lexicon/wordclass"

// unsaying are words that say nothing by themselves.
var unsaying = wordclass.Words("unsaying")
