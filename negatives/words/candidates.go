package words

import (
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
)

// Candidates is a list of the vocabulary as candidates for one kind of slot.
type Candidates struct {
	Id   uint32 // unique
	Kind slots.Kind
	List []slots.Candidate
	// Of is the group of subjects that verbs and relations are for. If Opposite is set, a candidate
	// fits only if exclusions.tsv opposes it to the word in the slot.
	Of       truth.Actor
	Opposite bool
}
