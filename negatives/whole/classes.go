package whole

import "capgraph/internal/lexicon/wordclass"

// unsaying are words that can be added or dropped without changing what a caption states, such as
// articles and "and".
var unsaying = wordclass.Words("unsaying")
