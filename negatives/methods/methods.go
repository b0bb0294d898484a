package methods

import "slices"

// Method is a method of making a negative.
type Method uint8

// The methods. Those up to Negate edit a sub-graph, of these the ones up to Join as MosaiCLIP does
// (App. B). The others edit the caption; ReverseDirection edits both.
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

// Replaces reports whether a method replaces one thing of a sub-graph by another.
func (m Method) Replaces() bool { return m <= ReplaceQuantity }

// Counts reports whether a method replaces a number.
func (m Method) Counts() bool { return m == ReplaceQuantity || m == FillQuantity }

// SwapsWords reports whether a method swaps words of the caption.
func (m Method) SwapsWords() bool { return m.IsRarelyGood() || m == SwapAdjectives }

// IsHalfTruth reports whether a method makes half-truths: it adds one false thing to a true text.
func (m Method) IsHalfTruth() bool { return m == AddAttribute || m == AddObject || m == AddRelation }

// Exchanges reports whether a method exchanges properties of two things, or the two ends of a
// relation.
func (m Method) Exchanges() bool {
	switch m {
	case SwapObjects, SwapAttributes, SwapAdjectives, SwapQuantities, SwapEnds, SwapPartners:
		return true
	}
	return false
}

// ChangesOne reports whether a method changes just one thing: all but Combine, Join and Negate.
func (m Method) ChangesOne() bool { return m != Combine && m != Join && m != Negate }

// IsRarelyGood reports whether a method is one of the swaps of which readers found at most 7% good.
func (m Method) IsRarelyGood() bool {
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

// All, in the setting methods, means all methods that change one thing, including those that are
// off by default.
const All = "all"

// List returns the names of all methods.
func List() []string { return slices.Clone(Names[:]) }
