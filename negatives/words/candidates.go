package words

import (
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
)

// Candidates are a list of the vocabulary for one kind of slot.
type Candidates struct {
	Id   uint32 // no other candidates have it
	Kind slots.Kind
	List []slots.Candidate
	// Of is the actor of verbs and relations. If Opposite is set, a candidate fits only if
	// exclusions.tsv opposes it to the word in the slot.
	Of       truth.Actor
	Opposite bool
}
