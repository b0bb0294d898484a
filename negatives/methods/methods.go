package methods

import "slices"

// Method is a way of making a negative.
type Method uint8

// The methods. Those from ReplaceAttribute to Join edit a sub-graph (MosaiCLIP
// App. B), and so do those that add to one and that negate one; the others edit the caption.
const (
	ReplaceAttribute Method = iota
	ReplaceObject
	ReplaceRelation
	ReplaceQuantity
	SwapObjects
	SwapAttributes
	Combine
	Join

	AddAttribute
	AddObject
	AddRelation
	Negate

	SwapNounPhrases
	SwapNouns
	SwapAdjectives
	SwapQuantities
	SwapEnds
	SwapPartners
	SwapAdverbs
	SwapVerbPhrases

	FillAttribute
	FillAction
	FillObject
	FillQuantity
	FillRelation

	ReverseDirection
)

// Replaces is true for those that put one thing of a sub-graph in the place of another.
func (m Method) Replaces() bool { return m <= ReplaceQuantity }

// Counts is true for those that put another number in the place of one.
func (m Method) Counts() bool { return m == ReplaceQuantity || m == FillQuantity }

// SwapsWords is true for those that swap words of the caption.
func (m Method) SwapsWords() bool { return m.Hopeless() || m == SwapAdjectives }

// Adds is true for those that add one wrong thing to what is true: half-truths.
func (m Method) Adds() bool { return m == AddAttribute || m == AddObject || m == AddRelation }

// Exchanges reports whether a method exchanges properties of two things, or the two ends of a
// relation.
func (m Method) Exchanges() bool {
	switch m {
	case SwapObjects, SwapAttributes, SwapAdjectives, SwapQuantities, SwapEnds, SwapPartners:
		return true
	}
	return false
}

// ChangesOne reports whether a method changes one thing, and does not just add a negation.
func (m Method) ChangesOne() bool { return m != Combine && m != Join && m != Negate }

// Hopeless reports whether readers found at most seven in a hundred swaps of a method good.
func (m Method) Hopeless() bool {
	return m == SwapNounPhrases || m == SwapNouns || m == SwapAdverbs || m == SwapVerbPhrases
}

var Names = [...]string{
	ReplaceAttribute: "replace_attribute", ReplaceObject: "replace_object", ReplaceRelation: "replace_relation", ReplaceQuantity: "replace_quantity",
	SwapObjects: "swap_objects", SwapAttributes: "swap_attributes", Combine: "combine", Join: "join",
	AddAttribute: "add_attribute", AddObject: "add_object", AddRelation: "add_relation", Negate: "negate",
	SwapNounPhrases: "swap_noun_phrases", SwapNouns: "swap_nouns", SwapAdjectives: "swap_adjectives",
	SwapQuantities: "swap_quantities", SwapEnds: "swap_ends", SwapPartners: "swap_partners",
	SwapAdverbs: "swap_adverbs", SwapVerbPhrases: "swap_verb_phrases",
	FillAttribute: "fill_attribute", FillAction: "fill_action", FillObject: "fill_object", FillQuantity: "fill_quantity",
	ReverseDirection: "reverse_direction",
	FillRelation:     "fill_relation",
}

func (m Method) String() string { return Names[m] }

// All among methods means all that change one thing, also those that are off by default.
const All = "all"

// List are the names of all methods.
func List() []string { return slices.Clone(Names[:]) }
